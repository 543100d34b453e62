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

/**
 * On paper each part of the picture is a still in its own place, among the words that belong to it, and narrow enough to be read.
 * @param {import("./api.js").Lab} lab
 * @param {import("./stage.js").Stage} stage
 */
export function listenPrint(lab, stage) {
  const root = document.documentElement;
  /** @type {HTMLImageElement[]} */
  let stills = [];
  const clear = () => {
    for (const still of stills) still.remove();
    stills = [];
    delete root.dataset.paper;
    stage.fit();
  };
  window.addEventListener("beforeprint", () => {
    clear(); // where the end of the printing before was not told
    lab.pause();
    root.dataset.paper = ""; // the page is as narrow as paper now
    stage.fit();
    const svg = lab.still();
    stills = stage.parts().map(([part, box]) => {
      const still = new Image();
      still.decoding = "sync";
      still.className = "paper-still";
      still.alt = "";
      still.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(cut(svg, box))}`;
      part.append(still);
      return still;
    });
    /** @type {import("./api.js").State} */
    const state = parse(lab.state(-1));
    setText(byId("source", HTMLElement), say("paper.source", { title: state.title, seed: state.seed, clock: state.clock, link: location.href }));
  });
  window.addEventListener("afterprint", clear);
}

/**
 * A part of a still, on the paper's own ground.
 * @param {string} svg
 * @param {import("./api.js").Box} box  CSS px
 */
function cut(svg, { x, y, w, h }) {
  return svg.replace(/ width="[^"]*" height="[^"]*" viewBox="[^"]*"/, ` width="${w}" height="${h}" viewBox="${x} ${y} ${w} ${h}"`).replace(/<rect width="100%" height="100%"[^>]*>/, "");
}
