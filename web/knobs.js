// One control per setting. What is typed stays in its field until it is taken or changed by hand.
// @ts-check
import { make, setText } from "./dom.js";
import { parse } from "./api.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").Knob} Knob */

export class Knobs {
  /**
   * @param {Lab} lab
   * @param {HTMLElement} main    holds the ready-made three
   * @param {HTMLElement} fields  gets the rest
   */
  constructor(lab, main, fields) {
    this.lab = lab;
    this.main = main;
    this.fields = fields;
    /** @type {Map<string, (knob: Knob) => void>} */
    this.shows = new Map();
    this.rest = "";
    this.scenario = "";
    /** @type {Knob[] | null} shown last */
    this.last = null;
  }

  // While a run plays only knobs that have changed are shown anew; a refused value belongs to the scenario that it was typed for.
  /** @param {import("./api.js").State} state */
  show({ knobs, scenario, playing }) {
    if (playing && knobs === this.last) return;
    this.last = knobs;
    if (scenario !== this.scenario) this.main.querySelectorAll("[aria-invalid], .err").forEach(forget);
    this.scenario = scenario;
    const rest = knobs.filter((k) => !k.main);
    const shape = rest.map((k) => k.key + k.name + k.group + k.choices.map((c) => c.label).join()).join("\n");
    if (shape !== this.rest) {
      this.rest = shape;
      this.fields.replaceChildren(...this.grouped(rest));
    }
    for (const knob of knobs) {
      if (!this.shows.has(knob.key)) this.adopt(knob);
      this.shows.get(knob.key)?.(knob);
    }
  }

  /**
   * The fields with a heading where the group changes.
   * @param {Knob[]} knobs
   */
  grouped(knobs) {
    let group = "";
    return knobs.flatMap((k) => {
      const heading = k.group === group ? [] : [make("h3", {}, k.group)];
      group = k.group;
      return [...heading, this.field(k)];
    });
  }

  /**
   * Takes a knob that stands in the page.
   * @param {Knob} knob
   */
  adopt(knob) {
    const box = this.main.ownerDocument.querySelector(`.knob[data-key="${CSS.escape(knob.key)}"]`);
    if (!(box instanceof HTMLElement)) throw new Error(`the page has no knob ${knob.key}`);
    const toggle = box.querySelector("button.sw");
    if (toggle instanceof HTMLButtonElement) this.adoptSwitch(knob, box, toggle);
    else this.adoptSlider(knob, box);
  }

  /** @param {Knob} first @param {HTMLElement} box @param {HTMLButtonElement} toggle */
  adoptSwitch(first, box, toggle) {
    const word = /** @type {HTMLElement} */ (box.querySelector(".onoff"));
    toggle.disabled = false;
    toggle.addEventListener("click", () => this.change(first.key, toggle.getAttribute("aria-checked") === "true" ? "false" : "true", box));
    this.shows.set(first.key, (knob) => {
      const on = knob.value === "true";
      toggle.setAttribute("aria-checked", String(on));
      toggle.setAttribute("aria-label", `${knob.name}, ${knob.key}`);
      setText(word, say(on ? "settings.on" : "settings.off"));
      this.describe(box, knob, say(knob.standard === "true" ? "settings.on" : "settings.off"));
    });
  }

  /** @param {Knob} first @param {HTMLElement} box */
  adoptSlider(first, box) {
    const value = /** @type {HTMLInputElement} */ (box.querySelector(".val"));
    const slide = /** @type {HTMLInputElement} */ (box.querySelector(".slide"));
    value.disabled = slide.disabled = false;
    let stops = first.stops;
    value.addEventListener("change", () => this.change(first.key, value.value, box));
    slide.addEventListener("input", () => {
      value.value = stops[Number(slide.value)];
      this.change(first.key, value.value, box);
    });
    this.shows.set(first.key, (knob) => {
      stops = knob.stops;
      slide.max = String(stops.length - 1);
      slide.value = String(knob.stop);
      slide.style.setProperty("--fill", `${(100 * knob.stop) / Math.max(1, stops.length - 1)}%`);
      slide.setAttribute("aria-label", `${knob.name}, ${knob.key}`);
      slide.setAttribute("aria-valuetext", knob.value);
      value.setAttribute("aria-label", `${knob.name}, ${knob.key}`);
      showValue(value, knob.value);
      this.describe(box, knob, knob.standard);
    });
  }

  /** @param {HTMLElement} box @param {Knob} knob @param {string} standard */
  describe(box, knob, standard) {
    box.title = `${knob.key}\n${knob.why}`;
    const text = say("settings.default", { value: standard });
    setText(/** @type {HTMLElement} */ (box.querySelector(".dflt")), text);
  }

  /**
   * A knob of the drawer.
   * @param {Knob} first
   */
  field(first) {
    const id = `knob-${first.key.replaceAll(".", "-")}`;
    const input = first.kind === "text" ? make("input", { class: "val", type: "text", id, autocomplete: "off", spellcheck: "false" }) : make("select", { id });
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement)) throw new Error(id);
    if (input instanceof HTMLSelectElement) input.append(...first.choices.map((c) => make("option", { value: c.value }, c.label)));
    const standard = make("span", { class: "dflt" });
    const why = make("p", { class: "why", id: `${id}-why` });
    const box = make("div", { class: "fld", "data-key": first.key },
      make("label", { for: id }, first.name), input, make("span", { class: "key" }, make("span", { class: "k" }, make("bdi", {}, first.key)), standard), why);
    input.setAttribute("aria-describedby", why.id);
    input.addEventListener("change", () => this.change(first.key, input.value, box));
    this.shows.set(first.key, (knob) => {
      showValue(input, knob.value);
      box.classList.toggle("changed", knob.changed);
      const label = knob.choices.find((c) => c.value === knob.standard)?.label ?? knob.standard;
      setText(standard, say("settings.default", { value: label }));
      setText(why, knob.why);
    });
    return box;
  }

  /**
   * @param {string} key
   * @param {string} value
   * @param {HTMLElement} box
   */
  change(key, value, box) {
    /** @type {import("./api.js").Result} */
    const result = parse(this.lab.set(key, value));
    if (result.ok) document.documentElement.dataset.hash = ""; // until the page is told of the new run, which waits for its picture
    const input = box.querySelector("input.val, select");
    box.querySelector(".err")?.remove();
    input?.removeAttribute("aria-invalid");
    const words = [...(result.error ? [result.error] : []), ...(result.notes ?? [])];
    if (words.length > 0) box.append(make("p", { class: result.ok ? "err note" : "err", role: "alert" }, words.join(" ")));
    if (!result.ok) input?.setAttribute("aria-invalid", "true");
  }
}

/**
 * Shows a value unless the reader is typing another one, or typed one that was refused.
 * @param {HTMLInputElement | HTMLSelectElement} input
 * @param {string} value
 */
function showValue(input, value) {
  if (input.getAttribute("aria-invalid") === "true") return;
  const typing = document.activeElement === input && input.value !== input.dataset.shown && input.dataset.shown === value;
  if (typing) return;
  input.dataset.shown = value;
  input.value = value;
}

/** @param {Element} left  a mark of a refused value, or its sentence */
function forget(left) {
  if (left.classList.contains("err")) left.remove();
  else left.removeAttribute("aria-invalid");
}
