// The lanes of a comparison: a panel each, with a place for its pipeline and its numbers. Which lanes there are, what they
// are called and how they differ is the program's to say.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Lane} Lane */

export class Lanes {
  /**
   * @param {Lab} lab
   * @param {() => void} laidOut  the places have changed
   */
  constructor(lab, laidOut) {
    this.lab = lab;
    this.laidOut = laidOut;
    this.host = byId("lanes", HTMLElement);
    this.bar = byId("lane-bar", HTMLElement);
    this.button = byId("compare", HTMLButtonElement);
    this.shape = "";
    this.button.addEventListener("click", () => lab.compare());
    byId("lane-leave", HTMLButtonElement).addEventListener("click", () => { lab.compare(); this.button.focus(); });
    byId("lane-add", HTMLButtonElement).addEventListener("click", () => lab.addLane());
    byId("lane-turn", HTMLButtonElement).addEventListener("click", () => lab.turnLanes());
  }

  /** The places of the pipelines, in order. @returns {HTMLElement[]} */
  places() {
    return [...this.host.querySelectorAll(".lane-pipe")].filter((e) => e instanceof HTMLElement);
  }

  /** @param {State} state */
  show(state) {
    const { lanes } = state;
    const some = lanes.length > 0;
    this.button.disabled = false;
    this.button.setAttribute("aria-pressed", String(some));
    const shape = lanes.map((l) => l.tag + l.settings.length + l.rows.length + document.documentElement.lang).join();
    if (shape !== this.shape) this.build(lanes, shape);
    lanes.forEach((lane, i) => fill(this.host.children[i], lane));
    byId("lane-add", HTMLButtonElement).disabled = lanes.length >= 4;
    setText(byId("lane-input", HTMLElement), state.input);
    const differences = byId("differences", HTMLElement);
    if (differences.textContent !== state.differences.join("")) differences.replaceChildren(...state.differences.map((d) => make("p", {}, d)));
    const of = byId("of-lane", HTMLElement);
    of.hidden = !some;
    const selected = lanes.find((l) => l.selected)?.tag ?? "";
    setText(of, selected);
    of.title = say("compare.of", { lane: selected });
  }

  /** @param {Lane[]} lanes @param {string} shape */
  build(lanes, shape) {
    this.shape = shape;
    const focused = document.activeElement instanceof HTMLElement && this.host.contains(document.activeElement) ? document.activeElement.dataset.act : "";
    document.documentElement.toggleAttribute("data-comparing", lanes.length > 0);
    this.host.hidden = this.bar.hidden = lanes.length === 0;
    this.host.replaceChildren(...lanes.map((l, i) => this.panel(l, i, lanes.length)));
    if (focused) /** @type {HTMLElement | null} */ (this.host.querySelector(`[data-act="${focused}"]`))?.focus();
    this.laidOut();
  }

  /** @param {Lane} lane @param {number} i @param {number} all */
  panel(lane, i, all) {
    const select = make("button", { type: "button", class: "tag", "data-act": `select-${i}` }, lane.tag);
    select.addEventListener("click", () => this.lab.selectLane(i));
    const remove = make("button", { type: "button", class: "btn bare", "data-act": `remove-${i}`, "aria-label": say("compare.remove", { lane: lane.tag }) }, "×");
    remove.addEventListener("click", () => this.lab.removeLane(i));
    const head = make("div", { class: "ln" }, select, make("h2", { class: "h" }), make("span", { class: "key" }), make("span", { class: "grow" }), ...(all > 1 ? [remove] : []));
    const rows = lane.rows.map(() => make("tr", {}, make("th", { scope: "row" }), make("td")));
    return make("section", { class: "panel lane" }, head, make("div", { class: "lane-pipe" }), make("table", {}, make("tbody", {}, ...rows)));
  }
}

/** @param {Element} panel @param {Lane} lane */
function fill(panel, lane) {
  const [select, title, key] = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll(".tag, h2, .key")]);
  panel.setAttribute("aria-label", say("compare.laneLabel", { lane: lane.tag, title: lane.title }));
  panel.toggleAttribute("data-selected", lane.selected);
  select.setAttribute("aria-pressed", String(lane.selected));
  select.setAttribute("aria-label", say("compare.select", { lane: lane.tag }));
  setText(title, lane.title);
  setText(key, lane.settings.map((s) => `${s.key}: ${s.value}`).join("  "));
  panel.querySelectorAll("tr").forEach((row, i) => {
    setText(/** @type {HTMLElement} */ (row.cells[0]), lane.rows[i].name);
    setText(/** @type {HTMLElement} */ (row.cells[1]), lane.rows[i].value);
  });
}
