// Doing something to the run at the playhead: each becomes an action of the scenario's script.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { parse } from "./api.js";
import { Sheet } from "./sheet.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */

export class Act extends Sheet {
  /** @param {Lab} lab */
  constructor(lab) {
    super("act", () => { this.fill(); this.result.hidden = true; });
    this.lab = lab;
    this.kill = byId("act-kill", HTMLSelectElement);
    this.slow = byId("act-slow", HTMLSelectElement);
    this.rate = byId("act-rate", HTMLSelectElement);
    this.cost = byId("act-cost", HTMLInputElement);
    this.arrivals = byId("act-arrivals", HTMLInputElement);
    this.result = byId("act-result", HTMLElement);
    this.shape = "";
    this.listed = "";
    /** @type {State["acting"]["vertices"]} */
    this.vertices = [];
    this.slow.addEventListener("change", () => this.fill());
    this.rate.addEventListener("change", () => this.fill());
    const acts = {
      "act-do-kill": () => { const [vertex, subtask] = this.kill.value.split("\n"); return lab.act("kill", vertex, Number(subtask), ""); },
      "act-do-slow": () => lab.act("slow", this.slow.value, 0, this.cost.value),
      "act-do-rate": () => lab.act("rate", this.rate.value, 0, this.arrivals.value),
      "act-do-savepoint": () => lab.act("savepoint", "", 0, ""),
      "act-do-checkpoint": () => lab.act("checkpoint", "", 0, ""),
    };
    for (const [id, act] of Object.entries(acts)) byId(id, HTMLButtonElement).addEventListener("click", () => this.did(parse(act())));
  }

  // fill proposes what holds now, to be changed.
  fill() {
    this.cost.value = this.vertices.find((v) => v.name === this.slow.value)?.now ?? "";
    this.arrivals.value = this.vertices.find((v) => v.name === this.rate.value)?.now ?? "";
  }

  /** @param {import("./api.js").Result} result */
  did(result) {
    this.result.hidden = false;
    this.result.classList.toggle("good", result.ok);
    setText(this.result, result.ok ? [say("act.done"), ...(result.notes ?? [])].join(" ") : result.error ?? "");
  }

  /** @param {State} state */
  show(state) {
    setText(byId("act-title", HTMLElement), say("act.title", { time: state.clock }));
    const { vertices, actions } = state.acting;
    this.vertices = vertices;
    const shape = vertices.map((v) => v.name + v.kind + v.subtasks).join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.kill.replaceChildren(...vertices.flatMap((v) => Array.from({ length: Math.min(v.subtasks, 256) }, (_, i) => make("option", { value: `${v.name}\n${i}` }, `${v.name} ${i}`))));
      this.slow.replaceChildren(...vertices.filter((v) => v.kind !== "source").map((v) => make("option", { value: v.name }, v.name)));
      this.rate.replaceChildren(...vertices.filter((v) => v.kind === "source").map((v) => make("option", { value: v.name }, v.name)));
      this.fill();
    }
    const listed = JSON.stringify(actions) + document.documentElement.lang;
    if (listed === this.listed) return;
    this.listed = listed;
    byId("act-list", HTMLElement).replaceChildren(...actions.map((a) => this.line(a)));
  }

  /** @param {State["acting"]["actions"][number]} action */
  line(action) {
    const remove = make("button", { type: "button", class: "btn bare", "aria-label": say("act.remove", { what: action.text }) }, "×");
    remove.addEventListener("click", () => this.did(parse(this.lab.set(action.key, ""))));
    return make("li", {}, make("span", { class: "key" }, action.text), remove);
  }
}
