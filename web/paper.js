// A page that is printed shows a still of the picture, since a canvas prints blank.
// @ts-check
import { parse } from "./api.js";
import { byId, setText } from "./dom.js";
import { say } from "./texts.js";

const stillEvery = 250; // ms between two stills that stand for a picture

/** Stills in the place of a picture that cannot be drawn. */
export class Still {
  /** @param {import("./api.js").Lab} lab @param {HTMLElement} layer */
  constructor(lab, layer) {
    this.lab = lab;
    this.at = -stillEvery;
    this.image = new Image();
    this.image.alt = "";
    layer.append(this.image);
    this.later = 0;
  }

  /** @param {HTMLElement} stage */
  show(stage) {
    clearTimeout(this.later);
    const wait = this.at + stillEvery - performance.now();
    if (wait > 0) {
      this.later = setTimeout(() => this.show(stage), wait);
      return;
    }
    this.at = performance.now();
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.lab.still(dark))}`;
    Object.assign(this.image.style, { width: `${stage.clientWidth}px`, height: `${stage.clientHeight}px` });
  }
}

/** @param {import("./api.js").Lab} lab */
export function listenPrint(lab) {
  /** @type {HTMLImageElement | null} */
  let still = null;
  const layer = byId("layer", HTMLElement);
  window.addEventListener("beforeprint", () => {
    lab.pause();
    still = new Image();
    still.decoding = "sync";
    still.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(lab.still())}`;
    still.alt = "";
    const box = byId("stage", HTMLElement).getBoundingClientRect();
    Object.assign(still.style, { width: `${box.width}px`, height: `${box.height}px` });
    layer.append(still);
    /** @type {import("./api.js").State} */
    const state = parse(lab.state(-1));
    setText(byId("source", HTMLElement), say("paper.source", { title: state.title, seed: state.seed, clock: state.clock, link: location.href }));
  });
  window.addEventListener("afterprint", () => {
    still?.remove();
    still = null;
  });
}
