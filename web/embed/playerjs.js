// The dialect of player.js (github.com/embedly/player.js, version 0.0.11): JSON texts, events by subscription.
// @ts-check

/** @typedef {import("./show.js").Show} Show */

const context = "player.js", version = "0.0.11";

/** Our events under their names there. @type {Record<string, string>} */
const events = { ready: "ready", play: "play", pause: "pause", ended: "ended", timeupdate: "timeupdate", seeked: "seeked", error: "error" };

/** What can be asked; all answer with an event of the method's name. @type {Record<string, (show: Show) => unknown>} */
const getters = {
  getPaused: (s) => !s.playing,
  getDuration: (s) => s.duration,
  getCurrentTime: (s) => s.time,
  getMuted: () => true, // there is no sound
  getVolume: () => 0,
  getLoop: () => false,
};

/** What can be ordered. @type {Record<string, (show: Show, value: any) => void>} */
const orders = {
  play: (s) => s.play(),
  pause: (s) => s.pause(),
  setCurrentTime: (s, value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw new Error("setCurrentTime takes a number of seconds");
    s.seek(Math.max(0, value));
  },
};

const methods = [...Object.keys(orders), ...Object.keys(getters), "addEventListener", "removeEventListener"];

export class Player {
  /** @param {(message: string) => void} post */
  constructor(post) {
    this.post = post;
    /** By event, the names of those who listen. @type {Map<string, Set<string>>} */
    this.listeners = new Map();
    this.ready = false;
  }

  /** @param {any} data @param {Show} show @param {(message: unknown) => void} answer */
  act(data, show, answer) {
    const { method, value, listener } = data;
    const named = typeof listener === "string" && listener.length <= 200 ? listener : undefined;
    if (method === "addEventListener" && Object.hasOwn(events, value)) this.listen(value, named ?? "");
    else if (method === "removeEventListener" && Object.hasOwn(events, value)) named === undefined ? this.listeners.delete(value) : this.listeners.get(value)?.delete(named);
    else if (typeof method === "string" && Object.hasOwn(getters, method)) answer({ context, version, event: method, value: getters[method](show), listener: named });
    else if (typeof method === "string" && Object.hasOwn(orders, method)) orders[method](show, value);
    else throw new Error(`${String(method).slice(0, 60)} is not a method of this player`);
  }

  /** @param {string} event @param {string} listener */
  listen(event, listener) {
    const all = this.listeners.get(event) ?? new Set();
    if (all.size < 1000) all.add(listener);
    this.listeners.set(event, all);
    if (event === "ready" && this.ready) this.send("ready", this.greeting(), listener);
  }

  greeting() {
    return { src: location.href, events: Object.values(events), methods };
  }

  /** @param {string} event @param {unknown} value @param {string} [listener] */
  send(event, value, listener) {
    this.post(JSON.stringify({ context, version, event, value, ...(listener ? { listener } : {}) }));
  }

  /** @param {string} name @param {Record<string, any>} detail */
  tell(name, detail) {
    if (!Object.hasOwn(events, name)) return;
    if (name === "ready") {
      this.ready = true;
      this.send("ready", this.greeting());
    }
    const value = name === "ready" ? this.greeting() : name === "timeupdate" ? { seconds: detail.time, duration: detail.duration } : detail;
    for (const listener of this.listeners.get(name) ?? []) this.send(name, value, listener);
  }

  /** @param {{ code: string, message: string }} e @param {unknown} listener */
  static error(e, listener) {
    return JSON.stringify({ context, version, event: "error", value: { code: e.code, msg: e.message }, listener: typeof listener === "string" ? listener : undefined });
  }
}
