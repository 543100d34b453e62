// Inside the picture's frame: runs the program and its clock. The page around it calls start().
// @ts-check

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {{ picture: boolean, lang: string, program: Promise<WebAssembly.Module>, ready: (lab: Lab) => void, crash: (why: string) => void, missing: (file: string, why: string) => void }} Start */

import { Frames } from "./frames.js";
import { startHeap } from "./program.js";

const program = "checkpointlab.wasm";

/** @param {Start} how */
async function start(how) {
  keepPixels();
  // @ts-ignore wasm_exec.js defines it
  if (typeof Go === "undefined") return how.missing("wasm_exec.js", "404");
  // @ts-ignore
  const go = new Go();
  Object.assign(go.env, startHeap);
  const instance = await load(go.importObject, how);
  if (!instance) return;
  Object.assign(globalThis, {
    checkpointLabStart: {
      picture: how.picture,
      lang: how.lang,
      /** @param {Lab & { tick(now: number): number }} lab */
      ready(lab) {
        Object.assign(globalThis, { checkpointLab: lab });
        how.ready(lab);
      },
      wake: () => frames.wake(),
      draw: () => frames.draw(),
      crash: how.crash,
    },
  });
  go.run(instance).then(() => how.crash("exit"), (/** @type {Error} */ e) => how.crash(e.message));
}

/**
 * @param {WebAssembly.Imports} imports
 * @param {Start} how
 */
async function load(imports, how) {
  try {
    return await WebAssembly.instantiate(await how.program, imports);
  } catch (e) {
    how.missing(program, e instanceof Error ? e.message : String(e));
    return null;
  }
}

// Every box of the picture lies on whole pixels, so smoothing of the whole canvas would cost much and show nothing. A frame draws
// only what has changed: the canvas keeps the rest.
function keepPixels() {
  const original = HTMLCanvasElement.prototype.getContext;
  /** @this {HTMLCanvasElement} @param {string} kind @param {object} [options] */
  function plain(kind, options) {
    return original.call(this, kind, { ...options, antialias: false, depth: false, stencil: false, preserveDrawingBuffer: true });
  }
  Object.assign(HTMLCanvasElement.prototype, { getContext: plain });
}

// fits says whether the canvas is as large as the frame.
function fits() {
  const canvas = document.querySelector("canvas");
  return canvas?.width === document.body.clientWidth && canvas.height === document.body.clientHeight;
}

// @ts-ignore set in start
const frames = new Frames((now) => globalThis.checkpointLab?.tick(now), fits);
Object.assign(globalThis, { requestAnimationFrame: (/** @type {FrameRequestCallback} */ f) => frames.ask(f) });

Object.assign(globalThis, { start });
parent.postMessage("checkpointlab:stage", location.origin);
