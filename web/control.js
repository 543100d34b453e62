// A setting as a small control: a switch, a choice, or a field. A value that is typed or chosen makes a new run.
// @ts-check
import { make } from "./dom.js";

/**
 * @param {import("./api.js").Knob} knob
 * @param {(key: string, value: string) => void} take
 */
export function control(knob, take) {
  const set = (/** @type {string} */ value) => take(knob.key, value);
  if (knob.kind === "switch") {
    const button = make("button", { type: "button", class: "sw", role: "switch", "aria-label": knob.name, "aria-checked": String(knob.value === "true") });
    button.addEventListener("click", () => set(knob.value === "true" ? "false" : "true"));
    return button;
  }
  const options = knob.kind === "choice" ? knob.choices : knob.stops.map((value) => ({ value, label: value }));
  if (options.length > 0) {
    const select = /** @type {HTMLSelectElement} */ (make("select", { class: "btn", "aria-label": knob.name }, ...options.map((o) => make("option", { value: o.value }, o.label))));
    select.value = knob.value;
    select.addEventListener("change", () => set(select.value));
    return select;
  }
  const input = /** @type {HTMLInputElement} */ (make("input", { class: "btn", type: "text", size: "8", "aria-label": knob.name, spellcheck: "false", autocomplete: "off" }));
  input.value = knob.value;
  input.addEventListener("change", () => set(input.value));
  return input;
}
