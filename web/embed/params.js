// The parameters of an embed's address that the document reads; the rest belongs to the program (cmd/wasm/player/address.go).
// docs/embedding.md describes all of them.
// @ts-check

/** @typedef {{ name: string, value: string, words: string }} Wrong  a value that is none; words are those that are */
/**
 * @typedef {object} Params
 * @property {string} scenario
 * @property {"ko" | "en"} lang
 * @property {"light" | "dark" | "auto"} theme
 * @property {"full" | "reduced" | "auto"} motion
 * @property {"full" | "mini" | "none"} controls
 * @property {boolean} autoplay
 * @property {"picture" | "pipeline" | "plot" | "space" | "sweep"} view
 * @property {"all" | "lab" | "playerjs" | "reveal" | "none"} api
 * @property {string[]} origin   of pages whose messages are heard; none: of the page around, whoever it is
 * @property {Wrong[]} wrong
 */

/** The words that each takes; the first holds without one. */
const choices = {
  theme: ["auto", "light", "dark"],
  motion: ["auto", "full", "reduced"],
  controls: ["full", "mini", "none"],
  view: ["picture", "pipeline", "plot", "space", "sweep"],
  api: ["all", "lab", "playerjs", "reveal", "none"],
};

/**
 * @param {string} search
 * @param {string} pageLang  of the document, if the address names none
 * @returns {Params}
 */
export function read(search, pageLang) {
  const given = new URLSearchParams(search);
  /** @type {Wrong[]} */
  const wrong = [];
  /** @param {string} name @param {string[]} words */
  const choose = (name, words) => {
    const value = given.get(name);
    if (value === null || value === "") return words[0];
    if (words.includes(value)) return value;
    wrong.push({ name, value, words: words.join(", ") });
    return words[0];
  };
  const chosen = Object.fromEntries(Object.entries(choices).map(([name, words]) => [name, choose(name, words)]));
  const origin = (given.get("origin") ?? "").split(/[ ,]+/).filter((o) => o && (isOrigin(o) || !wrong.push({ name: "origin", value: o, words: "https://example.org" })));
  return /** @type {Params} */ ({
    ...chosen, origin, wrong,
    scenario: given.get("scenario") ?? "",
    lang: choose("lang", pageLang === "en" ? ["en", "ko"] : ["ko", "en"]),
    autoplay: ["1", "true"].includes(choose("autoplay", ["0", "1", "false", "true"])),
  });
}

/** @param {string} text */
function isOrigin(text) {
  try {
    return text === "null" || new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** @param {Params} params @returns {"light" | "dark"} */
export function themeOf(params) {
  if (params.theme !== "auto") return params.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
