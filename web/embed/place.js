// Where the picture's parts stand in a frame of any size. Whole numbers and no fonts, so that the same frame gives the same
// picture in every browser.
// @ts-check
import { least, upright } from "./upright.js";

/** @typedef {import("../api.js").Lab} Lab */
/** @typedef {import("../api.js").Box} Box */
/** @typedef {{ scale: number, mode: "embed" | "phone", w: number, h: number, pipe: Box, plot: Box, room: number, lanes: Box[], details?: boolean, strips?: boolean }} Layout  boxes in px of the picture, scale of them in CSS px; lanes: of a comparison; details: each with its checkpoint strip and a Gantt; strips: with a low strip alone */
/** @typedef {{ pipe: (mode: string, width: number, room: number) => number, lanes: (width: number, room: number, below?: { details?: boolean, strips?: boolean }) => number[] }} Measure  heights of the pipelines; of none in lanes as long as there is one run */

const between = 12; // pipeline and plot
const leastPlot = 176;
const lowPlot = 120; // where the picture of a phone has no room for more
const readable = 0.75; // the least scale at which a part is kept
const apart = 32; // lanes side by side
const name = 30; // above a lane
const none = { x: 0, y: 0, w: 0, h: 0 };

/**
 * @param {Measure} measures
 * @param {number} width   of the stage in CSS px
 * @param {number} height
 * @param {"picture" | "pipeline" | "plot" | "space" | "sweep"} view  of which the last three fill the frame with one panel
 * @returns {Layout}
 */
export function layout(measures, width, height, view) {
  const { pipe: measure } = measures;
  const lanes = measures.lanes(least, 0).length;
  if (lanes > 1) return compared(measures, lanes, width, height, view);
  if (panel(view)) return alone("plot", width, height, 0);
  if (upright(width, height)) return lanesDown(measure, width, height);
  const across = Math.min(1, width / least);
  const pipe = measure("embed", Math.round(width / across), 0);
  if (view === "picture") {
    const scale = Math.min(across, height / (pipe + between + leastPlot));
    if (scale >= readable) return both(width, height, scale, pipe, 0);
    const room = height / across - between - leastPlot;
    const fitted = room > 120 ? measure("embed", Math.round(width / across), room) : Infinity;
    if (fitted <= room) return both(width, height, across, fitted, room);
  }
  const scale = Math.min(across, height / pipe);
  if (scale >= readable / 1.5) return alone("pipe", width, height, 0, scale, pipe);
  return alone("pipe", width, height, height / across, across, measure("embed", Math.round(width / across), height / across));
}

/** @param {string} view */
const panel = (view) => view === "plot" || view === "space" || view === "sweep";

/** @param {number} width @param {number} height @param {number} scale @param {number} pipe @param {number} room @returns {Layout} */
function both(width, height, scale, pipe, room) {
  const w = Math.floor(width / scale), h = Math.floor(height / scale), top = Math.ceil(pipe) + between;
  return { scale, mode: "embed", w, h, room, lanes: [], pipe: { x: 0, y: 0, w, h: Math.ceil(pipe) }, plot: { x: 0, y: top, w, h: h - top } };
}

/** @param {"pipe" | "plot"} part @param {number} width @param {number} height @param {number} room @returns {Layout} */
function alone(part, width, height, room, scale = Math.min(1, height / leastPlot), pipe = 0) {
  const w = Math.floor(width / scale), h = Math.floor(height / scale);
  const all = { x: 0, y: 0, w, h };
  if (part === "plot") return { scale, mode: "embed", w, h, room, lanes: [], pipe: none, plot: all };
  return { scale, mode: "embed", w, h, room, lanes: [], pipe: { ...all, h: Math.ceil(pipe) }, plot: none };
}

/**
 * The lanes of a phone, one below the other; as high as they need where even low ones do not fit.
 * @param {(mode: string, width: number, room: number) => number} measure
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
function lanesDown(measure, width, height) {
  const room = Math.max(1, height - between - lowPlot);
  const pipe = Math.ceil(measure("phone", width, room));
  const rest = pipe <= room ? height - pipe - between : leastPlot;
  return {
    scale: 1, mode: "phone", w: width, h: pipe + between + rest, room, lanes: [],
    pipe: { x: 0, y: 0, w: width, h: pipe }, plot: { x: 0, y: pipe + between, w: width, h: rest },
  };
}

/**
 * Lanes two by two above one plot; each has a line for its name.
 * @param {Measure} measures
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {"picture" | "pipeline" | "plot" | "space" | "sweep"} view  of which the last three fill the frame with one panel
 * @returns {Layout}
 */
function compared(measures, count, width, height, view) {
  if (panel(view)) return { ...alone("plot", width, height, 0), lanes: Array(count).fill(none) };
  const rows = Math.ceil(count / 2), plot = view === "picture" ? between + leastPlot : 0;
  const across = Math.min(1, width / (2 * least + apart));
  // Strip and Gantt stand below each lane where they make nothing smaller.
  const detailed = Math.ceil(Math.max(...measures.lanes(least, 0, { details: true })));
  const details = rows * (detailed + name) + plot <= height / across;
  const strips = !details; // they are low
  const high = details ? detailed : Math.ceil(Math.max(...measures.lanes(least, 0, { strips })));
  const scale = Math.min(across, height / (rows * (high + name) + plot));
  const w = Math.floor(width / scale), h = Math.floor(height / scale), each = Math.floor((w - apart) / 2);
  const lanes = Array.from({ length: count }, (_, i) => ({ x: (i % 2) * (each + apart), y: Math.floor(i / 2) * (high + name) + name, w: each, h: high }));
  const top = rows * (high + name) + between;
  return { scale, mode: "embed", w, h, room: 0, lanes, details, strips, pipe: none, plot: plot ? { x: 0, y: top, w, h: h - top } : none };
}
