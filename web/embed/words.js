// The embed's sentences, which are part of its script: inside a sandbox nothing else could be read.
// @ts-check
// @ts-ignore made by cmd/lab/serve
import * as tables from "texts:embed,boot,controls,page,settings";

let lang = "ko";

/** @param {string} to */
export function speak(to) {
  lang = to;
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  return (tables[lang][key] ?? key).replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => String(values[name] ?? ""));
}

const attributes = { tLabel: "aria-label", tTitle: "title" };

/** Writes every marked sentence of the document in the language. */
export function fill() {
  for (const element of document.querySelectorAll("[data-t],[data-t-label],[data-t-title]")) {
    if (!(element instanceof HTMLElement)) continue;
    if (element.dataset.t) element.textContent = say(element.dataset.t);
    for (const [mark, attribute] of Object.entries(attributes)) {
      if (element.dataset[mark]) element.setAttribute(attribute, say(/** @type {string} */ (element.dataset[mark])));
    }
  }
}
