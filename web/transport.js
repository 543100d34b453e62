// The lab's controls of time: those of the play bar, and toggling, slow motion, loop and zoom.
// @ts-check
import { byId, setText } from "./dom.js";
import { say } from "./texts.js";
import { store, stored } from "./memory.js";
import { Playbar } from "./playbar.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */

export class Transport extends Playbar {
  /** @param {Lab} lab */
  constructor(lab) {
    super(lab);
    this.slow = byId("slow", HTMLButtonElement);
    this.loop = byId("loop", HTMLButtonElement);
    const zooms = { "zoom-in": 1, "zoom-out": -1, "zoom-all": 0 };
    for (const [id, by] of Object.entries(zooms)) byId(id, HTMLButtonElement).addEventListener("click", () => lab.zoom(by));
    this.slow.addEventListener("click", () => this.setEven(this.slow.getAttribute("aria-pressed") === "true"));
    this.loop.addEventListener("click", () => lab.repeat());
    lab.even(stored("even") === "on");
    for (const control of [this.slow, this.loop, byId("zoom-in", HTMLButtonElement)]) control.disabled = false;
  }

  /** @param {boolean} even  without slow motion at moments worth seeing; the choice is kept */
  setEven(even) {
    this.lab.even(even);
    store("even", even ? "on" : "off");
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
    super.show(state);
    this.slow.setAttribute("aria-pressed", String(!state.even));
    setText(this.loop, say(`controls.loop.${state.loop}`));
    this.loop.setAttribute("aria-pressed", String(state.loop !== "begin"));
    setText(byId("pace", HTMLElement), state.pace);
    for (const id of ["zoom-out", "zoom-all"]) byId(id, HTMLButtonElement).disabled = !state.zoomed;
  }
}
