// The one row of controls: steps, play, time, and the settings that the address names.
// @ts-check
import { parse } from "../api.js";
import { byId, make, setText } from "../dom.js";
import { say } from "./words.js";

/** @typedef {import("../api.js").Lab} Lab */
/** @typedef {import("../api.js").State} State */
/** @typedef {import("../api.js").Knob} Knob */
/** @typedef {{ play: () => void, pause: () => void, seek: (t: number) => void, step: (by: number) => void, set: (key: string, value: string) => void }} Acts */

const steps = 10000; // of the scrubber

export class Controls {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.play = byId("play", HTMLButtonElement);
    this.scrub = byId("scrub", HTMLInputElement);
    this.knobs = byId("knobs", HTMLElement);
    /** @type {Map<string, (knob: Knob) => void>} */
    this.shows = new Map();
    this.playing = false;
    this.duration = 1;
    this.play.addEventListener("click", () => (this.playing ? acts.pause() : acts.play()));
    byId("back", HTMLButtonElement).addEventListener("click", () => acts.step(-1));
    byId("step", HTMLButtonElement).addEventListener("click", () => acts.step(1));
    this.scrub.max = String(steps);
    this.scrub.addEventListener("input", () => acts.seek((Number(this.scrub.value) / steps) * this.duration));
  }

  enable() {
    for (const control of document.querySelectorAll("#bar [disabled]")) control.removeAttribute("disabled");
  }

  /**
   * @param {State} state
   * @param {string[]} keys  of the settings to show
   * @param {string} link    of the same state in the lab
   */
  show(state, keys, link) {
    this.playing = state.playing;
    this.duration = state.duration;
    this.play.setAttribute("aria-pressed", String(state.playing));
    this.play.setAttribute("aria-label", say(state.playing ? "controls.pause" : "controls.play"));
    setText(byId("clock", HTMLElement), `${state.clock}\u202fs`);
    if (!this.scrub.matches(":active")) this.scrub.value = String(Math.round((state.time / state.duration) * steps));
    this.scrub.style.setProperty("--fill", `${(100 * state.time) / state.duration}%`);
    this.scrub.setAttribute("aria-valuetext", state.timeText);
    byId("lab", HTMLAnchorElement).href = link;
    this.showKnobs(state.knobs, keys);
  }

  /** @param {Knob[]} all @param {string[]} keys */
  showKnobs(all, keys) {
    const knobs = keys.flatMap((key) => all.filter((k) => k.key === key));
    const shape = knobs.map((k) => [k.key, k.name, k.kind, ...k.choices.map((c) => c.label)].join()).join("\n");
    if (shape !== this.knobs.dataset.shape) {
      this.knobs.dataset.shape = shape;
      this.shows.clear();
      this.knobs.replaceChildren(...knobs.map((k) => this.build(k)));
    }
    for (const knob of knobs) this.shows.get(knob.key)?.(knob);
  }

  /** @param {Knob} first */
  build(first) {
    const name = make("span", { class: "name" }, first.name);
    if (first.kind === "switch") return this.toggle(first, name);
    if (first.kind === "choice") return this.choice(first, name);
    return first.stops.length > 1 ? this.slider(first, name) : this.field(first, name);
  }

  /** @param {Knob} first @param {HTMLElement} name */
  toggle(first, name) {
    const button = make("button", { type: "button", class: "sw", role: "switch", "aria-label": `${first.name}, ${first.key}`, title: first.key });
    button.addEventListener("click", () => this.acts.set(first.key, button.getAttribute("aria-checked") === "true" ? "false" : "true"));
    this.shows.set(first.key, (k) => button.setAttribute("aria-checked", String(k.value === "true")));
    return make("div", { class: "knob" }, name, button);
  }

  /** @param {Knob} first @param {HTMLElement} name */
  choice(first, name) {
    const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": `${first.name}, ${first.key}`, title: first.key }));
    select.append(...first.choices.map((c) => make("option", { value: c.value }, c.label)));
    select.addEventListener("change", () => this.acts.set(first.key, select.value));
    this.shows.set(first.key, (k) => { select.value = k.value; });
    return make("div", { class: "knob" }, name, select);
  }

  /** @param {Knob} first @param {HTMLElement} name */
  slider(first, name) {
    const range = /** @type {HTMLInputElement} */ (make("input", { type: "range", class: "slide", min: "0", "aria-label": `${first.name}, ${first.key}`, title: first.key }));
    const value = make("b");
    let { stops } = first;
    range.addEventListener("input", () => this.acts.set(first.key, stops[Number(range.value)]));
    this.shows.set(first.key, (k) => {
      stops = k.stops;
      range.max = String(stops.length - 1);
      range.value = String(k.stop);
      range.style.setProperty("--fill", `${(100 * k.stop) / Math.max(1, stops.length - 1)}%`);
      range.setAttribute("aria-valuetext", k.value);
      setText(value, k.value);
    });
    return make("div", { class: "knob" }, name, range, value);
  }

  /** @param {Knob} first @param {HTMLElement} name */
  field(first, name) {
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "text", class: "val", size: "7", autocomplete: "off", spellcheck: "false", "aria-label": `${first.name}, ${first.key}`, title: first.key }));
    input.addEventListener("change", () => this.acts.set(first.key, input.value));
    this.shows.set(first.key, (k) => { if (document.activeElement !== input || input.value === "") input.value = k.value; });
    return make("div", { class: "knob" }, name, input);
  }
}

/**
 * The result of a change, in sentences.
 * @param {string} json
 * @returns {import("../api.js").Result}
 */
export function result(json) {
  return parse(json);
}
