// A section's own part, brought to life: the question before the run, what the run has shown, what to try.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { parse } from "./api.js";
import { control } from "./control.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").State} State */

export class Guide {
  /**
   * @param {import("./api.js").Lab} lab
   * @param {(result: import("./api.js").Result) => void} took
   */
  constructor(lab, took) {
    this.lab = lab;
    this.set = (/** @type {string} */ key, /** @type {string} */ value) => took(parse(lab.set(key, value)));
    this.skip = false; // the reader does not want to be asked
    /** @type {HTMLElement | null} */
    this.part = null;
    this.shown = "";
    this.turned = "";
    this.handed = "";
  }

  /** @param {HTMLElement} part */
  attach(part) {
    this.part = part;
    this.shown = "";
    this.turned = "";
  }

  /**
   * @param {State} state
   * @param {boolean} own  whether the run is the section's own, which the page's text explains before it is computed
   */
  show(state, own) {
    if (!this.part) return;
    this.ask(state.predict);
    const hidden = state.predict && state.predict.chosen < 0 && !this.skip;
    const untold = !state.explain && (!own || state.knobs.some((knob) => knob.changed));
    this.part.querySelector(".said")?.toggleAttribute("hidden", !!hidden || untold);
    const explain = this.part.querySelector(".explain");
    if (explain instanceof HTMLElement && state.explain) setText(explain, state.explain);
    const items = this.part.querySelectorAll(".tasks li");
    state.tasks.forEach((task, i) => {
      items[i]?.classList.toggle("done", task.done);
      items[i]?.classList.toggle("off", task.off && !task.done);
      items[i]?.setAttribute("title", task.off ? say("task.off") : "");
      if (items[i] instanceof HTMLElement && items[i].textContent !== task.do) setText(/** @type {HTMLElement} */ (items[i]), task.do);
    });
    this.turn(state.knobs);
    this.hand(state.knobs);
  }

  // hand keeps the setting that matters most at hand below the picture: the section's first one, on the first screen the interval.
  /** @param {import("./api.js").Knob[]} knobs */
  hand(knobs) {
    const first = this.part?.querySelector("[data-key]");
    const knob = knobs.find((k) => k.key === (first instanceof HTMLElement ? first.dataset.key : "execution.checkpointing.interval"));
    const place = byId("own", HTMLElement);
    const now = JSON.stringify(knob && [knob.key, knob.value, knob.stops.length]);
    if (now === this.handed || place.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    this.handed = now;
    const focused = place.contains(document.activeElement);
    place.replaceChildren(...knob ? [make("span", { title: `${knob.key}: ${knob.why}` }, knob.name), control(knob, this.set)] : []);
    if (focused) /** @type {HTMLElement | null} */ (place.querySelector("select, button"))?.focus();
  }

  /** @param {import("./api.js").Predict | null} question */
  ask(question) {
    const box = this.part?.querySelector(".ask");
    const now = JSON.stringify([question, this.skip]);
    if (!(box instanceof HTMLElement) || now === this.shown) return;
    this.shown = now;
    box.hidden = !question || this.skip && question.chosen < 0;
    if (!question) return;
    const choices = question.choices.map((choice, i) => {
      const button = make("button", { type: "button", class: i === question.right ? "btn right" : "btn", "aria-pressed": String(i === question.chosen) }, choice);
      button.addEventListener("click", () => this.lab.answer(i === question.chosen ? -1 : i));
      return button;
    });
    const skip = make("button", { type: "button", class: "link" }, say("companion.skipAsk"));
    skip.addEventListener("click", () => { this.skip = true; this.lab.answer(-1); });
    const why = question.chosen < 0 ? [skip] : [make("p", { class: "why", role: "status" },
      make("b", {}, say(question.chosen === question.right ? "predict.right" : "predict.wrong")), " ", question.why)];
    const focused = [...box.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    box.replaceChildren(make("p", {}, make("b", {}, say("predict.first")), " ", question.ask), make("div", { class: "row wrap" }, ...choices), ...why);
    choices[focused]?.focus();
  }

  // turn shows the scenario's settings as controls; a value that is typed or chosen makes a new run.
  /** @param {import("./api.js").Knob[]} knobs */
  turn(knobs) {
    const places = [...this.part?.querySelectorAll("[data-key]") ?? []];
    const mine = places.map((place) => knobs.find((k) => place instanceof HTMLElement && k.key === place.dataset.key));
    const now = JSON.stringify(mine.map((k) => k && [k.value, k.changed]));
    if (now === this.turned) return;
    this.turned = now;
    places.forEach((place, i) => {
      const knob = mine[i];
      const shown = place.querySelector("input, select, button");
      if (!knob || shown === document.activeElement && shown instanceof HTMLInputElement) return;
      place.classList.toggle("changed", knob.changed);
      place.replaceChildren(make("span", { title: `${knob.key}: ${knob.why}` }, knob.name), control(knob, this.set));
    });
  }
}
