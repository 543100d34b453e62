// The stage: keeps picture, element and pixel ratio together, and shows stills where no picture can be drawn.
// @ts-check
import { parse } from "../api.js";
import { make, setText } from "../dom.js";
import { layout } from "./place.js";

/** @typedef {import("../api.js").Lab} Lab */

const mostDots = 3; // of the picture per CSS px, unless the screen has more
const stillEvery = 250; // ms between two stills that stand for a picture

export class Stage {
  /**
   * @param {HTMLElement} stage
   * @param {HTMLElement} host     gets the program
   * @param {HTMLElement} targets  lies over it
   * @param {import("./params.js").Params["view"]} view
   * @param {() => void} placed
   */
  constructor(stage, host, targets, view, placed) {
    this.stage = stage;
    this.host = host;
    this.targets = targets;
    this.view = view;
    this.placed = placed;
    this.last = "";
    this.scale = 1;
    this.around = 1; // by how much the page around transforms the frame, which the frame itself cannot see
    /** @type {HTMLElement[]} */
    this.tags = [];
    /** @type {import("./room.js").Room | null} */
    this.room = null;
    /** @type {HTMLImageElement | null} */
    this.still = null;
    this.stillAt = -stillEvery;
    const fit = () => this.fit();
    new ResizeObserver(fit).observe(stage);
    window.addEventListener("resize", fit);
    const onRatio = () => {
      this.fit();
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", onRatio, { once: true });
    };
    onRatio();
  }

  /**
   * Shows another room's program.
   * @param {import("./room.js").Room} room
   */
  take(room) {
    this.room = room;
    this.last = "";
    room.lab.onLayout(() => { this.last = ""; this.fit(); });
    this.fit();
  }

  fit() {
    const { room } = this;
    if (!room) return;
    const width = this.stage.clientWidth, height = this.stage.clientHeight, dots = devicePixelRatio || 1;
    const ratio = Math.max(dots, Math.min(dots * this.around, mostDots));
    if (width < 40 || height < 40) return; // not laid out, such as in a slide that is not shown
    const ask = (/** @type {object} */ widths) => parse(room.lab.measure(JSON.stringify({ gantt: 0, plot: 0, pipe: 0, lanes: [], ...widths })));
    const at = layout({
      pipe: (mode, pipe, most) => ask({ mode, pipe, room: most }).pipe,
      lanes: (lane, most, below = {}) => (this.tags.length > 1 ? ask({ mode: "embed", lanes: this.tags.map(() => lane), room: most, ...below }).lanes : []),
    }, width, height, this.view);
    const sharp = ratio * at.scale;
    const place = {
      mode: at.mode, ratio: sharp, w: at.w, h: at.h, width: Math.round(at.w * sharp), height: Math.round(at.h * sharp),
      pipe: at.pipe, plot: at.plot, gantt: { x: 0, y: 0, w: 0, h: 0 }, room: at.room, lanes: at.lanes, details: at.details ?? false, strips: at.strips ?? false,
    };
    const now = JSON.stringify(place);
    if (now === this.last) return;
    this.last = now;
    this.scale = at.scale;
    Object.assign(this.host.style, { width: `${place.width}px`, height: `${place.height}px`, transform: `scale(${1 / ratio})` });
    Object.assign(this.targets.style, { transform: `scale(${at.scale})` });
    this.stage.classList.toggle("scrolls", at.h * at.scale > height + 1);
    this.tags.forEach((tag, i) => Object.assign(tag.style, { left: `${at.lanes[i]?.x * at.scale}px`, top: `${(at.lanes[i]?.y - 30) * at.scale}px`, width: `${at.lanes[i]?.w * at.scale}px` }));
    room.lab.place(now);
    room.resized();
    this.placed();
  }

  /**
   * Has the picture as many dots as the screen has where a deck makes the frame larger.
   * @param {number} by
   */
  enlarged(by) {
    this.around = by;
    this.fit();
  }

  /**
   * The names of the lanes of a comparison: the letter, and the settings by which they differ.
   * @param {import("../api.js").Lane[]} lanes
   */
  name(lanes) {
    if (this.tags.length !== (lanes.length > 1 ? lanes.length : 0)) {
      for (const tag of this.tags) tag.remove();
      this.tags = lanes.length > 1 ? lanes.map(() => make("div", { class: "lane" }, make("b"), make("span"))) : [];
      this.stage.append(...this.tags);
      this.last = "";
      this.fit();
    }
    this.tags.forEach((tag, i) => {
      setText(/** @type {HTMLElement} */ (tag.firstElementChild), lanes[i].tag);
      setText(/** @type {HTMLElement} */ (tag.lastElementChild), lanes[i].settings.map((s) => `${s.name}: ${s.value}`).join(", ") || lanes[i].title);
    });
  }

  /**
   * Where no picture can be drawn, a still of the instant stands for it.
   * @param {string} theme
   */
  showStill(theme) {
    const { room } = this;
    if (!room) return;
    const wait = this.stillAt + stillEvery - performance.now();
    clearTimeout(this.later);
    if (wait > 0) {
      this.later = setTimeout(() => this.showStill(theme), wait);
      return;
    }
    this.stillAt = performance.now();
    if (!this.still) {
      this.still = new Image();
      this.still.alt = "";
      this.still.className = "twin-still";
      this.stage.prepend(this.still);
    }
    this.still.src = svgUrl(room.lab.still(theme));
    const at = JSON.parse(this.last || "{}");
    if (at.w) Object.assign(this.still.style, { width: `${at.w * this.scale}px`, height: `${at.h * this.scale}px` });
  }
}

/** @param {string} svg */
export function svgUrl(svg) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
