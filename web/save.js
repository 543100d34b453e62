// Files of what is shown and of what was recorded. The program writes them; a PNG is its SVG, drawn by the browser.
// @ts-check
import { parse } from "./api.js";
import { Sheet } from "./sheet.js";
import { say } from "./texts.js";

/** @typedef {import("./api.js").Lab} Lab */

const kinds = { svg: "image/svg+xml", png: "image/png", csv: "text/csv", json: "application/json" };
const sharp = 2; // device px per CSS px of a PNG

export class Save extends Sheet {
  /** @param {Lab} lab */
  constructor(lab) {
    super("save");
    this.lab = lab;
    for (const button of this.box.querySelectorAll("[data-save]")) {
      if (button instanceof HTMLElement) button.addEventListener("click", () => this.save(button.dataset.save ?? ""));
    }
  }

  /** @param {string} what  svg, png, or a series and its format */
  async save(what) {
    const [series, format] = what.includes(" ") ? what.split(" ") : ["", what];
    /** @type {import("./api.js").State} */
    const state = parse(this.lab.state(-1));
    const name = `${state.file}${series ? `-${series}` : ""}.${format}`;
    const sheet = () => this.lab.sheet(theme(), say("paper.source", { title: state.title, seed: state.seed, clock: state.clock, link: location.href }));
    if (format === "png") return download(await drawn(sheet()), name);
    const text = series ? this.lab.export(series, format) : sheet();
    download(new Blob([text], { type: `${kinds[/** @type {keyof typeof kinds} */ (format)]};charset=utf-8` }), name);
  }
}

function theme() {
  const set = document.documentElement.dataset.theme;
  return set ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/**
 * An SVG document as a PNG.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function drawn(svg) {
  const image = new Image();
  image.src = `data:${kinds.svg};charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.naturalWidth * sharp, height: image.naturalHeight * sharp });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(sharp, sharp);
  context.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("PNG"))), kinds.png));
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
