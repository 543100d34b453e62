// The scenario's question, answered before the run shows it.
// @ts-check
import { byId, make } from "./dom.js";
import { say } from "./texts.js";

export class Predict {
  /** @param {import("./api.js").Lab} lab */
  constructor(lab) {
    this.lab = lab;
    this.box = byId("predict", HTMLElement);
    this.shown = "";
  }

  /** @param {import("./api.js").Predict | null} question */
  show(question) {
    const now = JSON.stringify(question);
    if (now === this.shown) return;
    this.shown = now;
    this.box.hidden = !question;
    if (!question) return;
    const focused = this.box.contains(document.activeElement) ? this.buttonIndex() : -1;
    const buttons = question.choices.map((choice, i) => this.button(question, choice, i));
    const why = question.chosen < 0 ? [] : [make("p", { class: "why", role: "status" },
      make("b", {}, say(question.chosen === question.right ? "predict.right" : "predict.wrong")), " ", question.why)];
    this.box.replaceChildren(make("p", {}, make("b", {}, say("predict.first")), " ", make("span", { class: "mut2" }, question.ask)),
      make("div", { class: "row wrap" }, ...buttons), ...why);
    buttons[focused]?.focus();
  }

  buttonIndex() {
    return [...this.box.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  }

  /**
   * @param {import("./api.js").Predict} question
   * @param {string} choice
   * @param {number} i
   */
  button(question, choice, i) {
    const button = make("button", { type: "button", class: i === question.right ? "btn right" : "btn", "aria-pressed": String(i === question.chosen) }, choice);
    button.addEventListener("click", () => this.lab.answer(i === question.chosen ? -1 : i));
    return button;
  }
}
