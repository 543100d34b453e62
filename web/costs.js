// What checkpoints have cost up to the instant in view: a line below the knobs, which opens to all of it. A run without a storage has none.
// @ts-check
import { byId, make, setText } from "./dom.js";

export class Costs {
  constructor() {
    this.box = byId("costs", HTMLElement);
    this.first = byId("costs-first", HTMLElement);
    this.list = byId("costs-list", HTMLElement);
    this.shown = "";
  }

  /** @param {import("./api.js").State} state */
  show({ costs }) {
    const now = costs.join("\n");
    if (now === this.shown) return;
    this.shown = now;
    this.box.hidden = costs.length === 0;
    setText(this.first, costs[0] ?? "");
    this.list.replaceChildren(...costs.map((text) => make("li", {}, text)));
  }
}
