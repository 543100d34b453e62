// The drawer, on a phone a sheet: the folded settings, pasting and copying.
// @ts-check
import { byId, make, setText } from "./dom.js";
import { parse } from "./api.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */

export class Drawer {
  /**
   * @param {Lab} lab
   * @param {() => void} changed
   */
  constructor(lab, changed) {
    this.lab = lab;
    this.changed = changed;
    this.box = byId("drawer", HTMLElement);
    this.more = byId("more", HTMLButtonElement);
    this.openers = [this.more, byId("settings", HTMLButtonElement)];
    this.error = byId("paste-error", HTMLElement);
    this.paste = byId("paste", HTMLTextAreaElement);
    /** @type {HTMLElement | null} */
    this.opener = null;
    /** @type {import("./api.js").Knob[] | null} shown last */
    this.knobs = null;
    for (const opener of this.openers) opener.addEventListener("click", () => (this.box.hidden ? this.open(opener) : this.close()));
    byId("drawer-close", HTMLButtonElement).addEventListener("click", () => this.close());
    byId("apply", HTMLButtonElement).addEventListener("click", () => this.apply());
    this.again = byId("rebuild", HTMLButtonElement);
    this.again.addEventListener("click", () => this.rebuild());
    this.paste.addEventListener("input", () => { this.again.hidden = true; });
    byId("copy-flink", HTMLButtonElement).addEventListener("click", (e) => this.copy(lab.flinkBlock(), e));
    byId("copy-scenario", HTMLButtonElement).addEventListener("click", (e) => this.copy(lab.scenarioText(), e));
    this.settle();
    matchMedia("(max-width: 719px)").addEventListener("change", () => this.settle());
  }

  // On a phone the three main settings and the small controls are in the sheet as well.
  settle() {
    const phone = matchMedia("(max-width: 719px)").matches;
    const knobs = byId("knobs", HTMLElement);
    const minis = byId("minis", HTMLElement);
    if (phone) byId("drawer-main", HTMLElement).append(minis, knobs);
    else {
      byId("of-lane", HTMLElement).after(knobs);
      byId("transport", HTMLElement).append(minis);
    }
  }

  /** @param {HTMLElement} opener */
  open(opener) {
    this.opener = opener;
    this.box.hidden = false;
    this.mark();
    byId("drawer-close", HTMLButtonElement).focus({ preventScroll: true });
  }

  close() {
    this.box.hidden = true;
    this.mark();
    this.opener?.focus({ preventScroll: true });
  }

  mark() {
    for (const opener of this.openers) opener.setAttribute("aria-expanded", String(!this.box.hidden));
  }

  /** @returns {boolean} whether there was something to close */
  escape() {
    if (this.box.hidden) return false;
    this.close();
    return true;
  }

  /** @param {State} state */
  show(state) {
    if (state.knobs === this.knobs) return;
    this.knobs = state.knobs;
    setText(this.more, say("settings.more", { n: state.knobs.filter((k) => !k.main).length }));
  }

  apply() {
    /** @type {import("./api.js").Result} */
    const result = this.paste.value.trim() === "" ? { ok: false, error: say("paste.empty") } : parse(this.lab.apply(this.paste.value));
    this.again.hidden = !result.job;
    this.tell(result, result.read ? say("paste.read", { form: result.read }) : say("paste.applied"));
  }

  // The job that was explained, as a scenario.
  rebuild() {
    /** @type {import("./api.js").Result} */
    const result = parse(this.lab.rebuild(this.paste.value));
    this.again.hidden = result.ok;
    this.tell(result, say("paste.rebuilt"));
  }

  /** @param {import("./api.js").Result} result @param {string} done what to say first if it could be used */
  tell(result, done) {
    const words = [...(result.ok ? [done] : []), ...(result.error ? [result.error] : []), ...(result.notes ?? [])];
    this.error.classList.toggle("good", result.ok);
    this.error.replaceChildren(...words.map((line) => make("span", { class: "line" }, line)));
    this.error.hidden = false;
    this.paste.setAttribute("aria-invalid", String(!result.ok));
    if (result.ok && !result.read) this.changed();
  }

  /** @param {string} text @param {Event} e */
  async copy(text, e) {
    try {
      await navigator.clipboard.writeText(text);
      setText(byId("said", HTMLElement), say("copy.done"));
      flash(e.currentTarget ?? e.target, say("copy.done"));
    } catch {
      // Without a clipboard the text goes where it can be selected; what was typed there is kept below it.
      this.paste.value = this.paste.value.trim() === "" ? text : `${text}\n${this.paste.value}`;
      this.paste.focus();
      this.paste.setSelectionRange(0, text.length);
    }
  }
}

/** @param {EventTarget | null} button @param {string} word */
function flash(button, word) {
  if (!(button instanceof HTMLElement) || button.dataset.word) return;
  button.dataset.word = button.textContent ?? "";
  button.textContent = word;
  setTimeout(() => { button.textContent = button.dataset.word ?? ""; delete button.dataset.word; }, 1500);
}
