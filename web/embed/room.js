// The program's room: an element that it takes for its whole window. Ebitengine takes the size of a body, styles it, keeps
// Tab, wheel and touch, and loads its document anew when its drawing context is lost; here all of this ends at the element,
// which is inert. A sandbox without an origin allows no frame inside that could do the same.
// @ts-check
// @ts-ignore made by cmd/lab/serve
import { glue } from "go:glue";
import { Frames } from "../frames.js";
import { compile, startHeap } from "../program.js";

/** @typedef {import("../api.js").Lab} Lab */
/** @typedef {{ picture: boolean, lost: () => void, crash: (why: string) => void }} How  lost: the drawing context is gone, and this room with it */

export class Room {
  /**
   * Starts the program in an element.
   * @param {HTMLElement} host
   * @param {How} how
   * @returns {Promise<Room>}
   */
  static async open(host, how) {
    const module = await compile();
    return new Promise((resolve, reject) => {
      const room = new Room(host, how, resolve);
      room.run(module).catch(reject);
    });
  }

  /** @param {HTMLElement} host @param {How} how @param {(room: Room) => void} ready */
  constructor(host, how, ready) {
    this.how = how;
    this.ready = ready;
    this.open = true;
    // @ts-ignore the clock of the program, which is nobody else's
    this.frames = new Frames((now) => this.lab.tick(now));
    /** @type {Set<() => void>} */
    this.resizes = new Set();
    this.body = document.createElement("div");
    this.body.className = "body";
    host.replaceChildren(this.body);
    /** @type {Lab} */
    this.lab;
  }

  /** @param {WebAssembly.Module} module */
  async run(module) {
    const scope = this.scope();
    glue(scope, (/** @type {() => void} */ f, /** @type {number} */ ms) => setTimeout(() => { if (this.open) f(); }, ms), clearTimeout);
    const go = new scope.Go();
    Object.assign(go.env, startHeap);
    const instance = await WebAssembly.instantiate(module, go.importObject);
    go.run(instance).then(() => this.ended("exit"), (/** @type {Error} */ e) => this.ended(e.message));
  }

  /** @param {string} why */
  ended(why) {
    if (this.open) this.how.crash(why);
    this.open = false;
    this.frames.close();
  }

  // scope is the program's globalThis: everything of the window but what concerns the whole document.
  scope() {
    const own = /** @type {Record<PropertyKey, any>} */ ({
      document: this.document(),
      location: { reload: () => this.lose() },
      Document: { prototype: Object.defineProperty({}, "hidden", { get: () => document.hidden }) },
      addEventListener: (/** @type {string} */ kind, /** @type {() => void} */ f) => { if (kind === "resize") this.resizes.add(f); },
      removeEventListener() {},
      requestAnimationFrame: (/** @type {FrameRequestCallback} */ f) => this.frames.ask(f),
      checkpointLabStart: {
        picture: this.how.picture, lang: document.documentElement.lang === "en" ? "en" : "ko",
        ready: (/** @type {Lab} */ lab) => { this.lab = lab; this.ready(this); },
        wake: () => this.frames.wake(), draw: () => this.frames.draw(), crash: (/** @type {string} */ why) => this.ended(why),
      },
    });
    const scope = new Proxy(own, {
      get(_, key) {
        if (key in own) return own[key];
        const value = /** @type {any} */ (globalThis)[key];
        // A function of the window works on the window only; what has a prototype is a class and stays as it is.
        if (typeof value === "function" && !value.prototype) return (own[key] = value.bind(globalThis));
        return value;
      },
    });
    own.window = own.self = own.parent = scope;
    return scope;
  }

  document() {
    const aside = document.createElement("div"); // for the styles of a root and the contents of a head
    return {
      body: this.body, documentElement: aside, head: aside,
      hasFocus: () => document.hasFocus(),
      createElement: (/** @type {string} */ tag) => (tag === "canvas" ? canvas() : document.createElement(tag)),
      addEventListener() {}, removeEventListener() {},
    };
  }

  /** Tells the program that its element has another size. */
  resized() {
    for (const f of this.resizes) f();
  }

  lose() {
    if (!this.open) return;
    this.close();
    this.how.lost();
  }

  /** Ends the program: nothing wakes it any more. */
  close() {
    this.open = false;
    this.frames.close();
    this.body.remove();
  }
}

// Every box of the picture lies on whole pixels, so smoothing of the whole canvas would cost much and show nothing. A frame draws
// only what has changed: the canvas keeps the rest.
function canvas() {
  const element = document.createElement("canvas");
  const original = element.getContext.bind(element);
  // @ts-ignore the same with some options set
  element.getContext = (kind, options) => original(kind, { ...options, antialias: false, depth: false, stencil: false, preserveDrawingBuffer: true });
  return element;
}
