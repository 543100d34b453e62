// Play, pause, speed, steps, clock and scrubber.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { say } from "./texts.js";
import { store, stored } from "./memory.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */

const steps = 10000; // of the scrubber

export class Transport {
  /** @param {Lab} lab */
  constructor(lab) {
    this.lab = lab;
    this.play = byId("play", HTMLButtonElement);
    this.speed = byId("speed", HTMLSelectElement);
    this.scrub = byId("scrub", HTMLInputElement);
    this.axis = [0, 1];
    this.playing = false;
    const buttons = { home: () => lab.home(), back: () => lab.stepBack(), play: () => this.toggle(), step: () => lab.stepForward() };
    for (const [id, act] of Object.entries(buttons)) byId(id, HTMLButtonElement).addEventListener("click", act);
    this.slow = byId("slow", HTMLButtonElement);
    this.loop = byId("loop", HTMLButtonElement);
    const zooms = { "zoom-in": 1, "zoom-out": -1, "zoom-all": 0 };
    for (const [id, by] of Object.entries(zooms)) byId(id, HTMLButtonElement).addEventListener("click", () => lab.zoom(by));
    this.slow.addEventListener("click", () => this.setEven(this.slow.getAttribute("aria-pressed") === "true"));
    this.loop.addEventListener("click", () => lab.repeat());
    this.speed.addEventListener("change", () => lab.speed(Number(this.speed.value)));
    lab.even(stored("even") === "on");
    this.scrub.max = String(steps);
    this.scrub.addEventListener("input", () => lab.seek(this.axis[0] + (Number(this.scrub.value) / steps) * (this.axis[1] - this.axis[0])));
    for (const control of [this.play, this.speed, this.scrub, ...["home", "back", "step", "slow", "loop", "zoom-in"].map((id) => byId(id, HTMLButtonElement))]) control.disabled = false;
  }

  /** @param {boolean} even  without slow motion at moments worth seeing; the choice is kept */
  setEven(even) {
    this.lab.even(even);
    store("even", even ? "on" : "off");
  }

  toggle() {
    this.playing ? this.lab.pause() : this.lab.play();
  }

  /** @param {number} by  places in the list of speeds */
  faster(by) {
    const i = this.speed.selectedIndex + by;
    if (i < 0 || i >= this.speed.options.length) return;
    this.speed.selectedIndex = i;
    this.lab.speed(Number(this.speed.value));
  }

  /** @param {State} state */
  show(state) {
    this.axis = state.axis;
    this.playing = state.playing;
    this.play.setAttribute("aria-pressed", String(state.playing));
    this.play.setAttribute("aria-label", say(state.playing ? "controls.pause" : "controls.play"));
    setText(byId("clock-value", HTMLElement), state.clock);
    if (this.speed.options.length !== state.speeds.length) {
      this.speed.replaceChildren(...state.speeds.map((s) => make("option", { value: String(s.value) }, s.label)));
    }
    this.speed.value = String(state.speed);
    if (!this.scrub.matches(":active")) this.scrub.value = String(Math.round(((state.time - state.axis[0]) / (state.axis[1] - state.axis[0])) * steps));
    this.slow.setAttribute("aria-pressed", String(!state.even));
    setText(this.loop, say(`controls.loop.${state.loop}`));
    this.loop.setAttribute("aria-pressed", String(state.loop !== "begin"));
    setText(byId("pace", HTMLElement), state.pace);
    for (const id of ["zoom-out", "zoom-all"]) byId(id, HTMLButtonElement).disabled = !state.zoomed;
    this.scrub.setAttribute("aria-valuetext", state.timeText);
  }

  /**
   * Lays the scrubber over the drawn one; a box with a height is the area to grasp it in.
   * @param {import("./api.js").Box} box
   */
  place(box) {
    const touch = matchMedia("(pointer: coarse), (max-width: 719px)").matches;
    const height = box.h || (touch ? 44 : 28);
    const top = box.h ? box.y : box.y - height / 2;
    // The thumb's middle runs from half its width to half before the end: widen, so that it lies over the drawn cursor.
    Object.assign(this.scrub.style, { left: `${box.x - 7}px`, width: `${box.w + 14}px`, top: `${top}px`, height: `${height}px` });
  }
}
