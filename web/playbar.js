// Controls of time: play, steps, speed, clock and the scrubber over the drawn one. The lab page has more (transport.js).
// @ts-check
import { byId, make, setText } from "./dom.js";
import { say } from "./texts.js";

const steps = 10000; // of the scrubber

export class Playbar {
  /** @param {import("./api.js").Lab} lab */
  constructor(lab) {
    this.lab = lab;
    this.play = byId("play", HTMLButtonElement);
    this.speed = byId("speed", HTMLSelectElement);
    this.scrub = byId("scrub", HTMLInputElement);
    this.axis = [0, 1];
    this.playing = false;
    const acts = { home: () => lab.home(), back: () => lab.stepBack(), play: () => this.toggle(), step: () => lab.stepForward() };
    for (const [id, act] of Object.entries(acts)) {
      const button = byId(id, HTMLButtonElement);
      button.addEventListener("click", act);
      button.disabled = false;
    }
    this.speed.addEventListener("change", () => lab.speed(Number(this.speed.value)));
    this.scrub.max = String(steps);
    this.scrub.addEventListener("input", () => lab.seek(this.axis[0] + (Number(this.scrub.value) / steps) * (this.axis[1] - this.axis[0])));
    this.speed.disabled = this.scrub.disabled = false;
  }

  toggle() {
    this.playing ? this.lab.pause() : this.lab.play();
  }

  /** @param {import("./api.js").State} state */
  show(state) {
    this.axis = state.axis;
    this.playing = state.playing;
    this.play.setAttribute("aria-pressed", String(state.playing));
    this.play.setAttribute("aria-label", say(state.playing ? "controls.pause" : "controls.play"));
    setText(byId("clock-value", HTMLElement), state.clock);
    if (this.speed.options.length !== state.speeds.length) {
      this.speed.replaceChildren(...state.speeds.map((s) => make("option", { value: String(s.value) }, s.label)));
    }
    this.speed.value = String(state.speed);
    const [from, to] = state.axis;
    if (!this.scrub.matches(":active")) this.scrub.value = String(Math.round(((state.time - from) / (to - from)) * steps));
    this.scrub.setAttribute("aria-valuetext", state.timeText);
  }

  /**
   * Lays the scrubber over the drawn one; a box with a height is the area to grasp it in.
   * @param {import("./api.js").Box} box
   */
  place(box) {
    const height = box.h || (matchMedia("(pointer: coarse), (max-width: 719px)").matches ? 44 : 28);
    const top = box.h ? box.y : box.y - height / 2;
    // The thumb's middle runs from half its width to half before the end: widen, so that it lies over the drawn cursor.
    Object.assign(this.scrub.style, { left: `${box.x - 7}px`, width: `${box.w + 14}px`, top: `${top}px`, height: `${height}px` });
  }
}
