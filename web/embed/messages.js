// Messages of the page around: who may speak, in which dialect, and what waits until the program is up. A message that is
// foreign or malformed is answered with an error and changes nothing.
// @ts-check
import { MessageError, own } from "./own.js";
import { Player } from "./playerjs.js";

/** @typedef {import("./show.js").Show} Show */
/** @typedef {import("./params.js").Params} Params */
/** @typedef {(message: unknown) => void} Answer */

const mostWaiting = 200;
const mostErrors = 50; // a second: two pages that answer each other's errors come to rest

export class Messages {
  /** @param {Params} params */
  constructor(params) {
    this.params = params;
    /** @type {Show | null} */
    this.show = null;
    this.player = new Player((message) => this.post(message));
    /** @type {MessageEvent[]} */
    this.waiting = [];
    /** The origin of the page around, once it has spoken. @type {string} */
    this.heard = "";
    this.deck = false; // the page around is a deck: it tells when slides come and go
    this.keysClaimed = false;
    this.errors = 0;
    this.since = 0;
    // @ts-ignore set by first.js
    const early = window.checkpointLabEarly?.() ?? [];
    window.addEventListener("message", (e) => this.take(e));
    for (const e of early) this.take(e);
  }

  /** @param {"lab" | "playerjs" | "reveal"} dialect */
  speaks(dialect) {
    return this.params.api === "all" || this.params.api === dialect;
  }

  /** Whether there is a page around that could hear. */
  get framed() {
    return window.parent !== window;
  }

  /** @param {MessageEvent} e */
  take(e) {
    if (this.params.api === "none") return;
    try {
      this.check(e);
      if (this.show) this.act(e, this.show);
      else if (this.waiting.push(e) > mostWaiting) {
        this.waiting.pop();
        throw new MessageError("full", `${mostWaiting} messages wait for the program already`);
      }
    } catch (error) {
      this.refuse(e, error);
    }
  }

  /** @param {MessageEvent} e */
  check(e) {
    if (e.source !== window.parent) throw new MessageError("source", "messages are taken from the page around only");
    const { origin } = this.params;
    if (origin.length > 0 && !origin.includes(e.origin)) throw new MessageError("origin", `${e.origin} is not an origin that may speak here`);
    this.heard = e.origin;
    parseData(e.data);
  }

  /** @param {MessageEvent} e @param {Show} show */
  act(e, show) {
    const data = parseData(e.data);
    const answer = (/** @type {unknown} */ m) => this.answer(e, typeof e.data === "string" ? JSON.stringify(m) : m);
    if (data === "slide:start" || data === "slide:stop") {
      if (!this.speaks("reveal")) throw new MessageError("dialect", "reveal.js is switched off here by api=");
      this.deck = true;
      show.slide(data === "slide:start");
    } else if (data.context === "player.js") {
      if (!this.speaks("playerjs")) throw new MessageError("dialect", "player.js is switched off here by api=");
      this.player.act(data, show, answer);
    } else {
      if (!this.speaks("lab")) throw new MessageError("dialect", "checkpointlab is switched off here by api=");
      own(data, show, this, answer);
    }
  }

  /** @param {MessageEvent} e @param {unknown} error */
  refuse(e, error) {
    const now = performance.now();
    if (now - this.since > 1000) [this.since, this.errors] = [now, 0];
    if (this.errors++ >= mostErrors) return;
    const known = error instanceof MessageError ? error : new MessageError("failed", String(error));
    const data = safely(() => parseData(e.data));
    if (data && data.context === "player.js") this.answer(e, Player.error(known, data.listener));
    else {
      const id = data && /^(string|number)$/.test(typeof data.id) ? data.id : null;
      const answer = { context: "checkpointlab", version: 1, id, error: { code: known.code, message: known.message } };
      this.answer(e, typeof e.data === "string" && data && data.context ? JSON.stringify(answer) : answer);
    }
  }

  /** @param {MessageEvent} e @param {unknown} message */
  answer(e, message) {
    const to = /** @type {Window | null} */ (e.source);
    to?.postMessage(message, e.origin === "null" || e.origin === "" || e.origin === "file://" ? { targetOrigin: "*" } : { targetOrigin: e.origin });
  }

  /**
   * Tells the page around.
   * @param {unknown} message
   */
  post(message) {
    if (!this.framed || this.params.api === "none") return;
    const { origin } = this.params;
    const to = origin.length === 0 ? "*" : origin.includes(this.heard) ? this.heard : origin[0];
    window.parent.postMessage(message, to === "null" ? "*" : to);
  }

  /**
   * An event, in the dialects that have it.
   * @param {string} event
   * @param {Record<string, unknown>} [detail]
   */
  tell(event, detail = {}) {
    if (this.speaks("lab")) this.post({ context: "checkpointlab", version: 1, event, detail });
    if (this.speaks("playerjs")) this.player.tell(event, detail);
  }

  /**
   * A key that nothing here uses goes on: to a deck of reveal.js in its own way, to others as an event if they asked for keys.
   * @param {KeyboardEvent} e
   */
  passKey(e) {
    if (!this.framed) return false;
    if (this.keysClaimed) {
      const { key, code, keyCode, shiftKey } = e;
      this.tell("key", { key, code, keyCode, shiftKey });
      return true;
    }
    if (this.deck) this.post(JSON.stringify({ method: "triggerKey", args: [e.keyCode] }));
    return this.deck;
  }

  /**
   * The program is up: what waited is done in its order.
   * @param {Show} show
   */
  open(show) {
    this.show = show;
    const all = this.waiting;
    this.waiting = [];
    for (const e of all) {
      try {
        this.act(e, show);
      } catch (error) {
        this.refuse(e, error);
      }
    }
  }

  /**
   * There will be no program: what waited is refused.
   * @param {string} why
   */
  fail(why) {
    for (const e of this.waiting) this.refuse(e, new MessageError("unavailable", why));
    this.waiting = [];
    this.tell("error", { code: "unavailable", message: why });
  }
}

/**
 * What a message says: one of the two words of reveal.js, or an object of one of the other dialects.
 * @param {unknown} data
 * @returns {any}
 */
function parseData(data) {
  if (data === "slide:start" || data === "slide:stop") return data;
  const value = typeof data === "string" && data.length < 1 << 21 ? safely(() => JSON.parse(data)) : data;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new MessageError("malformed", "a message is slide:start, slide:stop or an object of player.js or checkpointlab");
  if (value.context !== "player.js" && value.context !== "checkpointlab") throw new MessageError("context", "context is neither player.js nor checkpointlab");
  return value;
}

/** @template T @param {() => T} f @returns {T | undefined} */
function safely(f) {
  try {
    return f();
  } catch {
    return undefined;
  }
}
