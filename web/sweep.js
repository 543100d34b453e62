// A sweep over one setting: which one, over which values, how far it is. The program computes and draws it.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { parse } from "./api.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */

export class Sweep {
  /**
   * @param {Lab} lab
   * @param {() => void} laidOut  the box appeared or went
   */
  constructor(lab, laidOut) {
    this.lab = lab;
    this.laidOut = laidOut;
    this.box = byId("sweep", HTMLElement);
    this.key = byId("sweep-key", HTMLSelectElement);
    this.values = byId("sweep-values", HTMLInputElement);
    this.start = byId("sweep-start", HTMLButtonElement);
    this.cancel = byId("sweep-cancel", HTMLButtonElement);
    this.error = byId("sweep-error", HTMLElement);
    /** @type {import("./api.js").Knob[] | null} shown last */
    this.knobs = null;
    this.key.addEventListener("change", () => { this.values.value = ""; });
    this.start.addEventListener("click", () => this.run());
    this.values.addEventListener("keydown", (e) => { if (e.key === "Enter") this.run(); });
    this.cancel.addEventListener("click", () => { lab.cancelSweep(); this.start.focus(); });
  }

  run() {
    /** @type {import("./api.js").Result} */
    const result = parse(this.lab.sweep(this.key.value, this.values.value));
    this.error.hidden = result.ok;
    setText(this.error, result.error ?? "");
    this.values.setAttribute("aria-invalid", String(!result.ok));
  }

  /** @param {State} state */
  show(state) {
    const shown = state.face === "sweep";
    if (this.box.hidden === shown) {
      this.box.hidden = !shown;
      this.laidOut();
    }
    if (!shown) return;
    if (state.knobs !== this.knobs) {
      this.knobs = state.knobs;
      const chosen = this.key.value;
      this.key.replaceChildren(...state.knobs.map((k) => make("option", { value: k.key }, k.name)));
      this.key.value = state.knobs.some((k) => k.key === chosen) ? chosen : state.sweep.key || state.knobs[0].key;
    }
    if (state.sweep.key === this.key.value && this.values.value === "" && document.activeElement !== this.values) this.values.value = state.sweep.values;
    this.cancel.disabled = !state.sweep.running;
    const bar = byId("sweep-bar", HTMLProgressElement);
    bar.hidden = state.sweep.all === 0;
    bar.max = Math.max(1, state.sweep.all);
    bar.value = state.sweep.done;
    setText(byId("sweep-progress", HTMLElement), state.sweep.progress);
  }
}
