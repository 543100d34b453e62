// <checkpoint-lab scenario="backpressure" t="71.2">: a live figure in a frame. What it holds is shown until it is live, and
// where no script runs; without contents it shows the scenario's still. It goes live when it is near the screen and not hidden,
// as the slides of a deck are that are not their turn; in a slide at most one is live.
// @ts-check

const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const own = /^(class|id|style|slot|title|poster|loading|keys|hidden|role|tabindex|(data|aria)-.*)$/;
const spoken = { context: "checkpointlab", version: 1 };

/** The live figure whose slide was left last. @type {CheckpointLab | undefined} */
let left;

/** What has been asked for: how it is answered, and of whom. @type {Map<number, [(value: any) => void, (why: Error) => void, CheckpointLab]>} */
const waiting = new Map();
let asked = 0;

/** Figures near the screen, in the order of the page. @type {Set<CheckpointLab>} */
const near = new Set();

// Geometry alone does not tell what is shown: a deck lays out the slides beside the current one, and hides them.
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of /** @type {any[]} */ (seen)) {
    near[isIntersecting ? "add" : "delete"](target);
    look(target);
  }
}, { rootMargin: "20%" });
setInterval(() => near.forEach(look), 200);

/** A figure that comes to be shown goes live, or on; one that goes stops. @param {CheckpointLab} figure */
function look(figure) {
  const scale = figure.getBoundingClientRect().width / figure.offsetWidth || 1; // a deck transforms its slides
  const shown = near.has(figure) && figure.checkVisibility?.({ checkOpacity: true, checkVisibilityCSS: true }) !== false && !figure.closest("section:is(.past,.future)");
  if (!shown === !figure.shown && scale === figure.scale) return;
  figure.scale = scale;
  if (shown && !rival(figure)) figure.start();
  turn(figure, shown);
}

/** Tells a frame whether its slide is shown, and how large. @param {CheckpointLab} figure @param {boolean} [shown] */
function turn(figure, shown) {
  figure.shown = shown;
  if (!shown && figure.frame) left = figure;
  post(figure, 0, "slide", [!!shown, figure.scale, figure.matches(".reveal *")]);
}

/** Another figure of the slide that is live. @param {CheckpointLab} figure */
function rival(figure) {
  return figures(figure.closest("section,.slidev-page,.remark-slide,[data-slide]") ?? figure).find((other) => other.frame && other !== figure);
}

/** @param {ParentNode} place @returns {CheckpointLab[]} */
function figures(place) {
  return /** @type {any[]} */ ([...place.querySelectorAll("checkpoint-lab")]);
}

/** @param {CheckpointLab} figure @param {number} id @param {string} method @param {unknown[]} args */
function post(figure, id, method, args) {
  figure.frame?.contentWindow?.postMessage({ ...spoken, id, method, args }, "*");
}

/** @param {Element} figure @param {string} name */
function attribute(figure, name) {
  return figure.getAttribute(name);
}

/**
 * Adds an element that fills the figure.
 * @template {"img" | "iframe"} K
 * @param {CheckpointLab} figure
 * @param {K} tag
 * @param {object} properties
 */
function add(figure, tag, properties) {
  return figure.appendChild(Object.assign(document.createElement(tag), properties, { style: "position:absolute;inset:0;width:100%;height:100%;border:0;object-fit:contain" }));
}

class CheckpointLab extends HTMLElement {
  /** @type {HTMLIFrameElement | undefined} */
  frame;
  /** Undefined until it is shown for the first time. @type {boolean | undefined} */
  shown;
  /** By how much its place in the page is transformed. */
  scale = 1;

  connectedCallback() {
    this.style.cssText = `display:block;position:relative;aspect-ratio:16/9;${this.style.cssText}`;
    addEventListener("message", this);
    if (!this.firstElementChild) add(this, "img", { src: attribute(this, "poster") || /** @type {any} */ (new URL(`stills/${attribute(this, "scenario") || "backpressure"}.${this.matches(":lang(en)") ? "en" : "ko"}.${/dark/.exec(/** @type {any} */ (attribute(this, "theme"))) ?? "light"}.svg`, here)), alt: this.title });
    this.onclick = (e) => { if (!this.frame) { e.preventDefault(); this.start(); } };
    if (attribute(this, "loading") === "eager") this.start();
    watch.observe(this);
  }

  disconnectedCallback() {
    removeEventListener("message", this);
    this.shown = /** @type {undefined} */ (this.stop()); // it may be back before anybody looks
  }

  /** Makes the figure live; another one of the slide goes back to its still. */
  start() {
    if (this.frame) return;
    rival(this)?.stop();
    // A deck of many figures would fill the memory: of the slides that were left one stays live.
    for (const figure of figures(document)) if (figure.shown === false && figure !== left) figure.stop();
    const url = new URL(`embed${this.matches(":lang(en)") ? ".en" : ""}.html`, here);
    for (const { name, value } of this.attributes) if (!own.test(name)) url.searchParams.set(name, value);
    this.loaded = new Promise((resolve) => {
      this.frame = add(this, "iframe", { src: /** @type {any} */ (url), title: this.title || "Checkpoint Lab", onload: resolve });
    });
    if (attribute(this, "keys") !== null) this.call("keys", true);
  }

  /** Goes back to the still. */
  stop() {
    this.frame = /** @type {undefined} */ (this.frame?.remove());
    for (const [id, [, refuse, figure]] of waiting) if (figure === this) { waiting.delete(id); refuse(Error("left")); }
  }

  /**
   * Calls a method of the figure, which is made live for it.
   * @param {string} method
   * @param {...unknown} args
   * @returns {Promise<any>}
   */
  call(method, ...args) {
    this.start();
    const id = ++asked;
    return new Promise((resolve, reject) => {
      waiting.set(id, [resolve, reject, this]);
      /** @type {Promise<any>} */ (this.loaded).then(() => post(this, id, method, args));
    });
  }

  /** @param {MessageEvent} e */
  handleEvent({ data, source }) {
    if (source !== this.frame?.contentWindow || data.context !== spoken.context) return;
    const { event, detail, error, id } = data;
    const [resolve, reject] = waiting.get(id) ?? [];
    waiting.delete(id);
    if (error) return reject?.(Object.assign(Error(error.message), error));
    if (!event) return resolve?.(data.result);
    if (event === "ready") turn(this, this.shown); // its slide came before it
    this.dispatchEvent(event === "key" ? new KeyboardEvent("keydown", { ...detail, bubbles: true }) : new CustomEvent(event, { detail }));
  }
}

for (const method of "play pause toggle seek step checkpoint speed load open set reset state link".split(" ")) {
  // @ts-ignore one method each, of the same name
  CheckpointLab.prototype[method] = function (...args) { return this.call(method, ...args); };
}
customElements.define("checkpoint-lab", CheckpointLab);
