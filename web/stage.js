// The picture: a frame over the stage that only shows. It is inert, so Tab, wheel and touch pass it by and go to the
// page; Ebitengine would keep them. Its document is as many CSS px as the screen has device px and is scaled back, so
// that one pixel of the picture is one of the screen, also after the pixel ratio changes.
// @ts-check
import { parse } from "./api.js";
import { compile, missing } from "./program.js";

/** @typedef {import("./api.js").Lab} Lab */

export class BootError extends Error {
  /** @param {string} key @param {Record<string, string>} [values] */
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** @returns {boolean} */
export function hasWebGL2() {
  try {
    return !!document.createElement("canvas").getContext("webgl2");
  } catch {
    return false;
  }
}

/**
 * Loads the program into a frame.
 * @param {HTMLElement} layer
 * @param {boolean} picture  false: no picture can be drawn, the rest works
 * @param {(why: string) => void} crash
 * @returns {Promise<{ lab: Lab, frame: HTMLIFrameElement }>}
 */
export function boot(layer, picture, crash) {
  if (typeof WebAssembly !== "object") return Promise.reject(new BootError("boot.noWasm"));
  const frame = document.createElement("iframe");
  frame.title = "";
  frame.tabIndex = -1;
  frame.inert = true;
  frame.setAttribute("aria-hidden", "true");
  frame.src = "stage.html";
  const program = compile(); // while the frame loads
  program.catch(() => {}); // told as missing
  return new Promise((resolve, reject) => {
    let started = false;
    window.addEventListener("message", (e) => {
      if (e.source !== frame.contentWindow || e.data !== "checkpointlab:stage") return;
      if (started) return crash("WebGL context lost"); // Ebitengine loads its document again then
      started = true;
      // @ts-ignore defined by stage-boot.js
      frame.contentWindow.start({
        picture, program, lang: document.documentElement.lang === "en" ? "en" : "ko",
        ready: (/** @type {Lab} */ lab) => resolve({ lab, frame }),
        crash,
        missing: (/** @type {string} */ file, /** @type {string} */ why) => reject(new BootError(missing(why), { file, why })),
      });
    });
    layer.append(frame);
  });
}

const mostPipe = 0.75; // of the window: what is higher leaves too little of the curve in it
const leastPlot = 116; // of a phone's curve below its pipeline, px (../cmd/wasm/picture/plot.go)

/** Keeps picture, boxes and pixel ratio together. */
export class Stage {
  /**
   * @param {Lab} lab
   * @param {HTMLIFrameElement} frame
   * @param {{ stage: HTMLElement, pipe: HTMLElement, plot: HTMLElement, gantt: HTMLElement, lanes?: () => HTMLElement[], turn?: boolean, dock?: HTMLElement }} boxes  lanes: the pipelines of a comparison, none as long as there is one run; turn: the curve may stand above pipelines that fill the window, and above a comparison's on a phone; dock: what covers the foot of a phone's window
   * @param {(places: { scrub: import("./api.js").Box, begin: number, end: number }) => void} placed
   */
  constructor(lab, frame, boxes, placed) {
    this.lab = lab;
    this.frame = frame;
    this.boxes = boxes;
    this.placed = placed;
    this.last = "";
    this.watch();
    new IntersectionObserver((seen) => lab.visible(seen[seen.length - 1].isIntersecting)).observe(boxes.stage);
    lab.onLayout(() => { this.last = ""; this.fit(); });
    this.fit();
  }

  /** The places of the picture's parts that are shown, and where they stand in it. @returns {[HTMLElement, import("./api.js").Box][]} */
  parts() {
    const { stage, pipe, plot, gantt } = this.boxes;
    const origin = stage.getBoundingClientRect();
    return [pipe, plot, gantt, ...this.boxes.lanes?.() ?? []].filter((part) => part.clientWidth > 0 && part.clientHeight > 0).map((part) => [part, inside(part, origin)]);
  }

  // watch looks for changes of size and of the pixel ratio. Browsers differ in which of these they tell.
  watch() {
    const sizes = new ResizeObserver(() => this.fit());
    try {
      sizes.observe(this.boxes.stage, { box: "device-pixel-content-box" });
    } catch {
      sizes.observe(this.boxes.stage); // an older browser: the query below tells the ratio
    }
    const onRatio = () => {
      this.fit();
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", onRatio, { once: true });
    };
    onRatio();
    window.addEventListener("resize", () => this.fit());
    window.addEventListener("scroll", () => this.seen(), { passive: true, capture: true });
  }

  // seen tells which part of the stage is in the window: while a run plays the rest is not painted.
  seen() {
    const at = this.boxes.stage.getBoundingClientRect();
    this.lab.window(Math.max(0, -at.top), Math.max(0, Math.min(at.height, innerHeight - at.top)));
  }

  // room is how high a phone's pipeline may be, so that its curve is seen below it: above what is docked, in a window with its bars.
  room() {
    const { stage, pipe, plot, dock } = this.boxes;
    if (!dock) return 0;
    const below = plot.getBoundingClientRect().top - pipe.getBoundingClientRect().bottom + leastPlot + dock.offsetHeight;
    return Math.max(1, document.documentElement.clientHeight - (stage.getBoundingClientRect().top + scrollY) - below);
  }

  fit() {
    const { stage, pipe, plot, gantt } = this.boxes;
    const lanes = this.boxes.lanes?.() ?? [];
    const phone = matchMedia("(max-width: 719px)").matches;
    const medium = matchMedia("(max-width: 1199px)").matches || pipe.clientWidth > 0 && pipe.clientWidth < 1000; // beside a text it is narrower than the window
    const widths = { mode: phone ? "phone" : medium ? "medium" : "wide", pipe: pipe.clientWidth, plot: plot.clientWidth, gantt: gantt.clientWidth, lanes: lanes.map((l) => l.clientWidth), room: phone && lanes.length === 0 ? this.room() : 0 };
    const heights = parse(this.lab.measure(JSON.stringify(widths)));
    grow(pipe, heights.pipe);
    grow(plot, heights.plot);
    grow(gantt, heights.gantt);
    lanes.forEach((lane, i) => grow(lane, heights.lanes[i] ?? 0));
    const high = lanes.length > 0 ? heights.lanes.reduce((/** @type {number} */ sum, /** @type {number} */ h) => sum + h, 0) : heights.pipe;
    stage.classList.toggle("tall", this.boxes.turn === true && (phone ? lanes.length > 0 : high > mostPipe * innerHeight));
    this.seen();
    const origin = stage.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    const place = {
      mode: widths.mode, room: widths.room, ratio, w: origin.width, h: origin.height,
      width: Math.floor(origin.width * ratio), height: Math.floor(origin.height * ratio),
      pipe: inside(pipe, origin), plot: inside(plot, origin), gantt: inside(gantt, origin), lanes: lanes.map((l) => inside(l, origin)),
    };
    const now = JSON.stringify(place);
    if (now === this.last) return;
    this.last = now;
    Object.assign(this.frame.style, {
      width: `${place.width}px`, height: `${place.height}px`, transform: `scale(${1 / ratio})`,
      left: `${snap(origin.left + scrollX, ratio)}px`, top: `${snap(origin.top + scrollY, ratio)}px`,
    });
    this.placed(parse(this.lab.place(now)));
  }
}

/** @param {HTMLElement} box @param {number} content  least height without edges, CSS px */
function grow(box, content) {
  box.style.minHeight = `${content + box.offsetHeight - box.clientHeight}px`;
}

/**
 * What moves a position to the nearest device px.
 * @param {number} position
 * @param {number} ratio
 */
function snap(position, ratio) {
  return Math.round(position * ratio) / ratio - position;
}

/**
 * The content box of an element, relative to the stage.
 * @param {HTMLElement} element
 * @param {DOMRect} origin
 */
function inside(element, origin) {
  const r = element.getBoundingClientRect();
  return { x: r.left - origin.left + element.clientLeft, y: r.top - origin.top + element.clientTop, w: element.clientWidth, h: element.clientHeight };
}
