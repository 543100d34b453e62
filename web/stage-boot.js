// Inside the picture's frame: runs the program and its clock. The page around it calls start().
// @ts-check

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {{ picture: boolean, lang: string, program: Promise<WebAssembly.Module>, ready: (lab: Lab) => void, crash: (why: string) => void, missing: (file: string, why: string) => void }} Start */

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
      wake,
      draw,
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

const nextFrame = requestAnimationFrame.bind(globalThis);

/** @type {FrameRequestCallback | null} */
let turn = null;
let wanted = false;

// Ebitengine asks for every frame of the screen, also when it has nothing to draw. It gets one when a picture is wanted.
Object.assign(globalThis, {
  /** @param {FrameRequestCallback} f */
  requestAnimationFrame(f) {
    turn = f;
    if (wanted) nextFrame(draw);
    return 0;
  },
});

// draw gives Ebitengine its next frame now, and the screen shows it with its own next one. In a tab that is not shown it waits for
// that, and so it does as long as the canvas has not followed the frame's size: Firefox tells of a resize only then, and setting
// the canvas' size loses what was drawn. If Ebitengine does not ask for a frame yet, it gets it after it has.
function draw() {
  const f = turn;
  wanted = !f;
  turn = null;
  if (f && (document.hidden || !fits())) nextFrame(f);
  else f?.(performance.now());
}

// fits says whether the canvas is as large as the frame.
function fits() {
  const canvas = document.querySelector("canvas");
  return canvas?.width === document.body.clientWidth && canvas.height === document.body.clientHeight;
}

let asked = false;

// A tick that only computes need not wait for a frame, but lets in whatever else has happened.
const atOnce = 2;
const computing = new MessageChannel();
computing.port1.onmessage = () => tick(performance.now());

// wake asks for one tick; ticks ask for the next as long as there is something to do, so an idle lab costs nothing.
function wake(when = 1) {
  if (asked) return;
  asked = true;
  if (when === atOnce) computing.port2.postMessage(null);
  else nextFrame(tick);
}

/** @param {number} now */
function tick(now) {
  asked = false;
  // @ts-ignore set in start
  const next = globalThis.checkpointLab?.tick(now);
  if (next) wake(next);
}

Object.assign(globalThis, { start });
parent.postMessage("checkpointlab:stage", location.origin);
