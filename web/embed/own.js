// The dialect of the lab: {context: "checkpointlab", version: 1, id, method, args}, answered by {…, id, result} or {…, id, error}.
// @ts-check
/** @typedef {import("./show.js").Show} Show */

const mostText = 1 << 20;

/** A message that cannot be carried out; the code is part of the answer. */
export class MessageError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** What an argument must be; each says what was expected when it is not. */
const kinds = {
  /** @param {unknown} v */
  time: (v) => typeof v === "number" && Number.isFinite(v) && v >= 0 || "a number of seconds from 0 on",
  /** @param {unknown} v */
  count: (v) => Number.isInteger(v) && Math.abs(/** @type {number} */ (v)) <= 1000 || "a whole number up to 1000",
  /** @param {unknown} v */
  factor: (v) => typeof v === "number" && v > 0 && v < 1e6 || "a number above 0",
  /** @param {unknown} v */
  text: (v) => typeof v === "string" && v.length <= mostText || "a text of at most a million letters",
  /** @param {unknown} v */
  value: (v) => ["string", "number", "boolean"].includes(typeof v) && String(v).length <= 1000 || "a text, a number, true or false",
  /** @param {unknown} v */
  flag: (v) => typeof v === "boolean" || "true or false",
  /** @param {unknown} v */
  theme: (v) => v === "light" || v === "dark" || "light or dark",
  /** @param {unknown} v */
  lang: (v) => v === "ko" || v === "en" || "ko or en",
  /** @param {unknown} v */
  motion: (v) => v === "full" || v === "reduced" || "full or reduced",
};

/** @typedef {keyof typeof kinds} Kind */
/** @typedef {{ takes: Kind[], may?: Kind[], does: (show: Show, args: any[], messages: import("./messages.js").Messages) => unknown }} Method */

/** The methods: what they take, what they may take besides, and what they do. @type {Record<string, Method>} */
const methods = {
  play: { takes: [], does: (s) => s.play() },
  pause: { takes: [], does: (s) => s.pause() },
  toggle: { takes: [], does: (s) => s.toggle() },
  seek: { takes: ["time"], does: (s, [t]) => s.seek(t) },
  step: { takes: [], may: ["count"], does: (s, [by = 1]) => s.step(by) },
  checkpoint: { takes: [], may: ["count"], does: (s, [by = 1]) => s.checkpoint(by) },
  home: { takes: [], does: (s) => s.home() },
  end: { takes: [], does: (s) => s.end() },
  speed: { takes: ["factor"], does: (s, [x]) => s.speed(x) },
  load: { takes: ["text"], does: (s, [text]) => took(s.load(text)) },
  open: { takes: ["text"], does: (s, [link]) => took(s.open(link)) },
  set: { takes: ["text", "value"], does: (s, [key, value]) => took(s.set(key, String(value))) },
  reset: { takes: ["text"], does: (s, [key]) => took(s.set(key, "")) },
  apply: { takes: ["text"], does: (s, [text]) => took(s.apply(text)) },
  theme: { takes: ["theme"], does: (s, [name]) => s.theme(name) },
  lang: { takes: ["lang"], does: (s, [name]) => s.lang(name) },
  motion: { takes: ["motion"], does: (s, [name]) => s.motion(name) },
  keys: { takes: ["flag"], does: (_, [on], messages) => { messages.keysClaimed = on; } },
  slide: { takes: ["flag"], may: ["factor", "flag"], does: (s, [on, scale, deck = false], messages) => { messages.deck ||= deck; s.slide(on, scale); } },
  state: { takes: [], does: (s) => s.state() },
  link: { takes: [], does: (s) => s.link() },
  flink: { takes: [], does: (s) => s.lab.flinkBlock() },
  scenario: { takes: [], does: (s) => s.lab.scenarioText() },
  still: { takes: [], may: ["theme"], does: (s, [theme = "light"]) => s.lab.still(theme) },
};

export const methodNames = Object.keys(methods);

/**
 * @param {any} data
 * @param {Show} show
 * @param {import("./messages.js").Messages} messages
 * @param {(message: unknown) => void} answer
 */
export function own(data, show, messages, answer) {
  const { version, id, method, args = [] } = data;
  if (version !== 1) throw new MessageError("version", "version is not 1");
  if (!(typeof id === "number" || (typeof id === "string" && id.length <= 200))) throw new MessageError("id", "id is neither a number nor a text");
  if (typeof method !== "string" || !Object.hasOwn(methods, method)) throw new MessageError("method", `method is none of ${methodNames.join(", ")}`);
  const result = methods[method].does(show, checked(method, args), messages);
  answer({ context: "checkpointlab", version: 1, id, result: result ?? null });
}

/**
 * @param {string} method
 * @param {unknown} args
 * @returns {any[]}
 */
function checked(method, args) {
  const { takes, may = [] } = methods[method];
  if (!Array.isArray(args)) throw new MessageError("args", "args is not a list");
  if (args.length < takes.length || args.length > takes.length + may.length) throw new MessageError("args", `${method} takes ${[...takes, ...may.map((k) => `[${k}]`)].join(", ") || "nothing"}`);
  args.forEach((value, i) => {
    const ok = kinds[[...takes, ...may][i]](value);
    if (ok !== true) throw new MessageError("args", `args[${i}] of ${method} is not ${ok}`);
  });
  return args;
}

/** @param {import("../api.js").Result} result */
function took(result) {
  if (!result.ok) throw new MessageError("refused", result.error ?? "");
  return { notes: result.notes ?? [] };
}
