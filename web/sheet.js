// A sheet that a button opens: Escape closes it, and the focus goes back to the button.
// @ts-check
import { byId } from "./dom.js";

export class Sheet {
  /**
   * @param {string} id  of the sheet; its opener is #ID-open, what closes it #ID-close
   * @param {() => void} [opened]
   */
  constructor(id, opened = () => {}) {
    this.box = byId(id, HTMLElement);
    this.button = byId(`${id}-open`, HTMLButtonElement);
    this.opened = opened;
    this.button.addEventListener("click", () => this.toggle());
    byId(`${id}-close`, HTMLButtonElement).addEventListener("click", () => this.close());
    this.box.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      e.stopPropagation();
      this.close();
    });
    this.button.disabled = false;
  }

  toggle() {
    this.box.hidden ? this.open() : this.close();
  }

  open() {
    this.box.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.opened();
    /** @type {HTMLElement | null} */ (this.box.querySelector("select, input, [data-save], button:not([id$='-close'])"))?.focus({ preventScroll: true });
  }

  close() {
    this.box.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.button.focus({ preventScroll: true });
  }

  /** @returns {boolean} whether there was something to close */
  escape() {
    if (this.box.hidden) return false;
    this.close();
    return true;
  }
}
