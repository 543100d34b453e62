// What can be reached in the picture: one tab stop per group, arrows inside, a label each. The picture draws the marks;
// these are their twins for keyboard and screen reader.
// @ts-check
import { make, setText } from "./dom.js";
import { parse } from "./api.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").Target} Target */

export class Overlay {
  /**
   * @param {Lab} lab
   * @param {HTMLElement} host
   * @param {HTMLElement} stage
   */
  constructor(lab, host, stage) {
    this.lab = lab;
    this.host = host;
    this.stage = stage;
    /** @type {Map<string, HTMLElement>} */
    this.elements = new Map();
    /** @type {Target[]} */
    this.targets = [];
    /** @type {Map<string, string>} the tab stop of a group, by target id */
    this.stops = new Map();
    this.shownAt = 0;
    host.addEventListener("focusin", (e) => this.focused(idOf(e.target)));
    host.addEventListener("focusout", (e) => { if (!host.contains(/** @type {Node | null} */ (e.relatedTarget))) lab.focus(""); });
    host.addEventListener("keydown", (e) => this.keydown(e));
    host.addEventListener("click", (e) => lab.pin(idOf(e.target)));
    this.watchPointer();
  }

  watchPointer() {
    this.stage.addEventListener("pointermove", (e) => {
      const r = this.stage.getBoundingClientRect();
      this.lab.hover(e.clientX - r.left, e.clientY - r.top);
    });
    this.stage.addEventListener("pointerleave", () => this.lab.hover(-1, -1));
    this.stage.addEventListener("click", (e) => {
      if (e.target instanceof HTMLElement && e.target.closest("button, input, a")) return;
      const r = this.stage.getBoundingClientRect();
      this.lab.hover(e.clientX - r.left, e.clientY - r.top);
      this.lab.pin("hover");
    });
  }

  // glance is show while a run plays: often only for a reader who is in the picture, since there may be hundreds of marks.
  /** @param {boolean} playing */
  glance(playing) {
    const rare = playing && !this.host.contains(document.activeElement);
    if (rare && performance.now() - this.shownAt < 5000) return;
    this.show();
  }

  // show brings the elements up to the program's targets; it keeps those that stay, so that focus is never lost.
  show() {
    this.shownAt = performance.now();
    this.targets = parse(this.lab.targets());
    const wanted = new Set(this.targets.map((t) => t.id));
    for (const [id, element] of this.elements) {
      if (wanted.has(id)) continue;
      if (element === document.activeElement) this.leave(id);
      element.remove();
      this.elements.delete(id);
    }
    for (const t of this.targets) this.put(t);
    this.order();
    this.keepStops();
  }

  /** @param {Target} t */
  put(t) {
    let element = this.elements.get(t.id);
    if (!element) {
      element = make("div", { role: "button", "data-id": t.id, "data-group": t.group, tabindex: "-1" }, make("span", { class: "sr" }));
      this.elements.set(t.id, element);
      this.host.append(element);
    }
    const box = `${t.box.x},${t.box.y},${t.box.w},${t.box.h}`;
    if (element.dataset.box !== box) {
      element.dataset.box = box;
      Object.assign(element.style, { transform: `translate(${t.box.x}px, ${t.box.y}px)`, width: `${t.box.w}px`, height: `${t.box.h}px` });
    }
    setText(/** @type {HTMLElement} */ (element.firstElementChild), t.label);
  }

  // order keeps the document in the order of reading without moving what has the focus.
  order() {
    const active = document.activeElement;
    this.targets.forEach((t, i) => {
      const element = this.elements.get(t.id);
      if (element && this.host.children[i] !== element && element !== active) this.host.insertBefore(element, this.host.children[i] ?? null);
    });
  }

  keepStops() {
    const groups = new Set(this.targets.map((t) => t.group));
    for (const group of groups) {
      const members = this.targets.filter((t) => t.group === group);
      const stop = members.find((t) => t.id === this.stops.get(group)) ?? members[0];
      this.stops.set(group, stop.id);
      for (const t of members) this.elements.get(t.id)?.setAttribute("tabindex", t === stop ? "0" : "-1");
    }
  }

  /** @param {string} id */
  focused(id) {
    const t = this.targets.find((x) => x.id === id);
    if (!t) return;
    this.stops.set(t.group, id);
    this.keepStops();
    this.lab.focus(id);
  }

  // leave moves the focus on from a mark that is about to vanish.
  /** @param {string} id */
  leave(id) {
    const group = this.elements.get(id)?.dataset.group;
    const next = this.targets.find((t) => t.group === group);
    if (next) this.elements.get(next.id)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} e */
  keydown(e) {
    const id = idOf(e.target);
    if (e.key === "Escape") {
      this.lab.pin("");
      return;
    }
    if (e.key === "Enter") {
      e.preventDefault();
      this.lab.pin(id);
      return;
    }
    if (!e.key.startsWith("Arrow") || e.shiftKey || e.ctrlKey || e.altKey || e.metaKey) return;
    const next = this.neighbour(id, e.key);
    e.preventDefault();
    e.stopPropagation();
    if (next) this.elements.get(next.id)?.focus({ preventScroll: false });
  }

  /**
   * The nearest mark of the group in a direction.
   * @param {string} id
   * @param {string} key
   */
  neighbour(id, key) {
    const from = this.targets.find((t) => t.id === id);
    if (!from) return undefined;
    const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [0, 0];
    let best, least = Infinity;
    for (const t of this.targets) {
      if (t === from || t.group !== from.group) continue;
      const x = middle(t).x - middle(from).x, y = middle(t).y - middle(from).y;
      const along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along <= 0.5) continue;
      const far = along + 3 * across;
      if (far < least) [best, least] = [t, far];
    }
    return best;
  }
}

/** @param {Target} t */
function middle(t) {
  return { x: t.box.x + t.box.w / 2, y: t.box.y + t.box.h / 2 };
}

/** @param {EventTarget | null} target */
function idOf(target) {
  const element = target instanceof Element ? target.closest("[data-id]") : null;
  return element instanceof HTMLElement ? element.dataset.id ?? "" : "";
}
