// <checkpoint-lab scenario="backpressure" t="71.2">: a live figure in a frame. What it holds is shown until it is live, and
// where no script runs; without contents it shows the scenario's still. In a slide at most one is live.
// @ts-check

const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const own = /^(class|id|style|slot|title|poster|loading|keys|hidden|data-.*|aria-.*|role|tabindex)$/;
const slides = "section, .slidev-page, .remark-slide, [data-slide]";

/** The live figure of each slide. @type {WeakMap<Element, CheckpointLab>} */
const live = new WeakMap();

class CheckpointLab extends HTMLElement {
  constructor() {
    super();
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    /** @type {Map<number, [(value: any) => void, (why: Error) => void]>} */
    this.waiting = new Map();
    this.next = 0;
    this.hear = (/** @type {MessageEvent} */ e) => this.heard(e);
  }

  connectedCallback() {
    Object.assign(this.style, { display: "block", position: "relative", aspectRatio: this.style.aspectRatio || "16 / 9" });
    window.addEventListener("message", this.hear);
    if (!this.firstElementChild) this.append(this.still());
    this.onclick = (e) => { if (!this.frame) { e.preventDefault(); this.start(); } };
    if (this.getAttribute("loading") === "eager") return this.start();
    this.watch = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting) && !this.rival()) this.start(); }, { rootMargin: "200px" });
    this.watch.observe(this);
  }

  disconnectedCallback() {
    window.removeEventListener("message", this.hear);
    this.stop();
  }

  slide() {
    return this.closest(slides);
  }

  // rival is another figure of the slide that is live.
  rival() {
    const slide = this.slide();
    const other = slide && live.get(slide);
    return other && other !== this && other.frame ? other : null;
  }

  url() {
    const lang = this.lang || document.documentElement.lang.slice(0, 2);
    const url = new URL(lang === "en" ? "embed.en.html" : "embed.html", here);
    for (const { name, value } of this.attributes) if (!own.test(name)) url.searchParams.set(name, value);
    return url.href;
  }

  still() {
    const image = new Image();
    const dark = this.getAttribute("theme") === "dark" ? "dark" : "light", lang = /embed\.en/.test(this.url()) ? "en" : "ko";
    image.src = this.getAttribute("poster") || new URL(`stills/${this.getAttribute("scenario") || "backpressure"}.${lang}.${dark}.svg`, here).href;
    image.alt = this.title;
    image.style.cssText = "width:100%;height:100%;object-fit:contain";
    return image;
  }

  /** Makes the figure live; another one of the slide goes back to its still. */
  start() {
    if (this.frame) return;
    this.rival()?.stop();
    const slide = this.slide();
    if (slide) live.set(slide, this);
    this.watch?.disconnect();
    const frame = document.createElement("iframe");
    frame.src = this.url();
    frame.title = this.title || "Checkpoint Lab";
    frame.style.cssText = "position:absolute;inset:0;width:100%;height:100%;border:0";
    this.frame = frame;
    this.ready = new Promise((resolve) => { this.up = resolve; });
    this.append(frame);
    if (this.hasAttribute("keys")) this.call("keys", true);
  }

  /** Goes back to the still. */
  stop() {
    this.frame?.remove();
    this.frame = null;
    for (const [, refuse] of this.waiting.values()) refuse(Error("stopped"));
    this.waiting.clear();
  }

  /**
   * Calls a method of the figure, which is made live for it.
   * @param {string} method
   * @param {...unknown} args
   * @returns {Promise<any>}
   */
  call(method, ...args) {
    this.start();
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, [resolve, reject]);
      this.ready?.then(() => this.post({ context: "checkpointlab", version: 1, id, method, args }));
    });
  }

  /** @param {unknown} message */
  post(message) {
    this.frame?.contentWindow?.postMessage(message, "*");
  }

  /** @param {MessageEvent} e */
  heard(e) {
    const { data } = e;
    if (!this.frame || e.source !== this.frame.contentWindow || data?.context !== "checkpointlab") return;
    const { event, detail, error } = data;
    const [resolve, reject] = this.waiting.get(data.id) ?? [];
    this.waiting.delete(data.id);
    if (error) return reject?.(Object.assign(Error(error.message), error));
    if (!event) return resolve?.(data.result);
    if (event === "ready") {
      this.up?.(undefined);
      if (this.closest(".reveal")) this.post("slide:start"); // its slide came before it
    }
    this.dispatchEvent(event === "key" ? new KeyboardEvent("keydown", { ...detail, bubbles: true }) : new CustomEvent(event, { detail }));
  }
}

for (const method of ["play", "pause", "toggle", "seek", "step", "checkpoint", "speed", "load", "open", "set", "reset", "state", "link"]) {
  // @ts-ignore one method each, of the same name
  CheckpointLab.prototype[method] = function (...args) { return this.call(method, ...args); };
}
customElements.define("checkpoint-lab", CheckpointLab);
