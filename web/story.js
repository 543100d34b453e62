// What a scenario is about: its question and idea, what its run has shown, and what to try, ticked off as it is done.
// @ts-check
import { parse } from "./api.js";
import { control } from "./control.js";
import { byId, make, setText } from "./dom.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").State} State */

export class Story {
  /**
   * @param {import("./api.js").Lab} lab
   * @param {(result: import("./api.js").Result) => void} took
   */
  constructor(lab, took) {
    this.set = (/** @type {string} */ key, /** @type {string} */ value) => took(parse(lab.set(key, value)));
    this.turn = byId("story-turn", HTMLElement);
    this.turned = "";
    this.box = byId("story", HTMLDetailsElement);
    this.tasks = byId("story-tasks", HTMLUListElement);
    this.skip = false; // the reader does not want to be asked first
    this.scenario = "";
    this.told = "";
    /** @type {State | null} */
    this.state = null;
    byId("story-skip", HTMLButtonElement).addEventListener("click", () => {
      this.skip = true;
      this.tell();
    });
  }

  /** @param {State} state */
  show(state) {
    if (state.scenario !== this.scenario) this.skip = false;
    this.scenario = state.scenario;
    this.state = state;
    this.box.hidden = state.lanes.length > 0 || !(state.question || state.idea || state.tasks.length);
    if (!this.box.hidden) this.tell();
  }

  // tell shows what the run has shown once the reader has answered: predictions come before reveals.
  tell() {
    const { state } = this;
    if (!state) return;
    const asks = state.predict !== null && state.predict.chosen < 0 && !this.skip;
    const done = state.tasks.filter((task) => task.done).length;
    setText(byId("story-first", HTMLElement), [state.question, state.tasks.length ? say("story.done", { done, n: state.tasks.length }) : ""].filter((part) => part !== "").join(" "));
    setText(byId("story-idea", HTMLElement), state.idea);
    byId("story-said", HTMLElement).hidden = asks || state.explain === "" && state.hash !== "";
    setText(byId("story-explain", HTMLElement), state.explain || say("findings.waits"));
    byId("story-skip", HTMLElement).hidden = !asks;
    byId("story-try", HTMLElement).hidden = state.tasks.length === 0;
    this.knobs(state.knobs.filter((k) => k.group === say("group.scenario")));
    const now = JSON.stringify(state.tasks);
    if (now === this.told) return;
    this.told = now;
    this.tasks.replaceChildren(...state.tasks.map((task) => make("li", { class: task.done ? "done" : task.off ? "off" : "", title: task.off && !task.done ? say("task.off") : "" }, task.do)));
  }

  // knobs are the settings that the scenario names beside the three main ones, at hand where its tasks are.
  /** @param {import("./api.js").Knob[]} own */
  knobs(own) {
    const now = JSON.stringify(own.map((k) => [k.key, k.name, k.value, k.changed]));
    if (now === this.turned || this.turn.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    this.turned = now;
    const at = [...this.turn.querySelectorAll("input, select, button")].indexOf(/** @type {Element} */ (document.activeElement));
    this.turn.replaceChildren(...own.map((k) => make("span", { class: k.changed ? "turned changed" : "turned" }, make("span", { title: `${k.key}: ${k.why}` }, k.name), control(k, this.set))));
    /** @type {HTMLElement | undefined} */ ([...this.turn.querySelectorAll("input, select, button")][at])?.focus();
  }
}
