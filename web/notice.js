// The one place for a sentence about something that was not understood. It stays until it is closed or things are well.
// @ts-check
import { byId, setText } from "./dom.js";

export class Notice {
  constructor() {
    this.box = byId("notice", HTMLElement);
    this.text = byId("notice-text", HTMLElement);
    byId("notice-close", HTMLButtonElement).addEventListener("click", () => this.clear());
  }

  /** @param {string} sentence */
  say(sentence) {
    this.box.classList.remove("good");
    setText(this.text, sentence);
    this.box.hidden = false;
  }

  /** @param {string} sentence */
  note(sentence) {
    this.say(sentence);
    this.box.classList.add("good");
    setTimeout(() => { if (this.text.textContent === sentence) this.clear(); }, 4000);
  }

  /** @param {import("./api.js").Result} result */
  result(result) {
    const words = [...(result.error ? [result.error] : []), ...(result.notes ?? [])];
    if (words.length > 0) this.say(words.join(" "));
    else this.clear();
  }

  clear() {
    this.box.hidden = true;
    setText(this.text, "");
  }
}
