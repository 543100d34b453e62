// What a run shows that its numbers do not say by themselves (../ops/finding): a line of its own, which opens to all of them.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { say } from "./texts.js";

export class Findings {
  constructor() {
    this.summary = byId("findings-first", HTMLElement);
    this.list = byId("findings-list", HTMLElement);
    this.shown = "";
  }

  /** @param {import("./api.js").State} state */
  show(state) {
    const lane = state.lanes.find((l) => l.selected)?.tag ?? "";
    const now = JSON.stringify([state.findings, lane, document.documentElement.lang]);
    if (now === this.shown) return;
    this.shown = now;
    const found = state.findings ?? [];
    const first = state.findings === null ? say("findings.waits") : found[0] ?? say("findings.none");
    setText(this.summary, [lane, found.length > 1 ? `(${found.length})` : "", first].filter((part) => part !== "").join(" "));
    this.list.replaceChildren(...(found.length > 0 ? found : [first]).map((text) => make("li", {}, text)));
  }
}
