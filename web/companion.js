// The companion page: prose beside one live picture, which shows the run of the section that is read. It decides nothing
// about Flink; see ../cmd/wasm. The text is made by companion/ when the page is built and is whole without this script.
// @ts-check
import { parse, States } from "./api.js";
import { keepContrast } from "./contrast.js";
import { byId, sentence, setText } from "./dom.js";
import { Guide } from "./guide.js";
import { Notice } from "./notice.js";
import { Overlay } from "./overlay.js";
import { Playbar } from "./playbar.js";
import { whenLate } from "./program.js";
import { Standin } from "./standin.js";
import { BootError, boot, hasWebGL2, Stage } from "./stage.js";
import { listenSwipe } from "./swipe.js";
import * as texts from "./texts.js";
import { listenTheme, theme } from "./themes.js";

/** @typedef {import("./api.js").Lab} Lab */

/** ms in which a run may come to its instant before its still is shown, and from a section's being reached until the next ones are made ready. */
const patience = 40, settling = 120;

const lang = document.documentElement.lang;
const notice = new Notice();
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

start().catch((e) => {
  const known = e instanceof BootError;
  document.documentElement.dataset.figure = "still"; // the stills and the tables are in the page
  notice.say(!texts.loaded() ? byId("wait", HTMLElement).dataset.failed ?? "" : known ? texts.say(e.key, e.values) : texts.say("boot.crash", { why: String(e) }));
  if (!known) throw e;
});

async function start() {
  await texts.load(lang);
  whenLate((late) => late ? notice.say(texts.say("boot.late")) : notice.clear());
  if (!hasWebGL2()) throw new BootError("companion.noWebgl");
  const { lab, frame } = await boot(byId("layer", HTMLElement), true, (why) => notice.say(texts.say("boot.crash", { why })));
  lab.lang(lang);
  lab.theme(theme());
  keepContrast(lab);
  lab.motion(reduced.matches);
  reduced.addEventListener("change", () => lab.motion(reduced.matches));
  const reader = new Reader(lab, frame);
  lab.onChange(() => reader.show());
  listenTheme((name) => lab.theme(name));
  listenSwipe();
  byId("poster", HTMLElement).hidden = true;
  document.documentElement.dataset.ready = "true";
}

/** What is read, and the picture beside it. */
class Reader {
  /**
   * @param {Lab} lab
   * @param {HTMLIFrameElement} frame
   */
  constructor(lab, frame) {
    this.lab = lab;
    this.calm = false; // the reader paused: nothing plays by itself any more
    this.parts = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-run].part")]);
    /** @type {HTMLElement | null} */
    this.part = null;
    this.states = new States(() => this.lab);
    this.soon = 0;
    this.playbar = new Playbar(lab);
    this.guide = new Guide(lab, (result) => this.took(result));
    this.standin = new Standin(byId("standin", HTMLImageElement), lang);
    this.overlay = new Overlay(lab, byId("targets", HTMLElement), byId("stage", HTMLElement));
    byId("play", HTMLElement).addEventListener("click", () => { this.calm = this.playbar.playing; }, true); // before the click itself acts
    this.read(this.current());
    const boxes = { stage: byId("stage", HTMLElement), pipe: byId("pipe", HTMLElement), plot: byId("plot", HTMLElement), gantt: byId("gantt", HTMLElement) };
    this.stage = new Stage(lab, frame, boxes, (places) => {
      this.playbar.place(places.scrub);
      this.overlay.show();
    });
    this.watch();
    this.views();
    document.addEventListener("click", (e) => this.clicked(e));
    document.addEventListener("keydown", (e) => this.pressed(e));
  }

  // views: above the text the figure has room for one of its two parts, the curve or the flow.
  views() {
    const button = byId("view", HTMLButtonElement), figure = byId("figure", HTMLElement);
    const turn = (/** @type {string} */ to) => {
      figure.dataset.view = to;
      setText(button, texts.say(to === "plot" ? "companion.flow" : "companion.curve"));
    };
    button.addEventListener("click", () => {
      turn(figure.dataset.view === "plot" ? "flow" : "plot");
      this.stage.fit(); // at once: what comes into view has no height before
    });
    button.hidden = false;
    turn("plot");
  }

  // watch follows the reader, at most once a frame.
  watch() {
    let asked = false;
    addEventListener("scroll", () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        this.read(this.current());
      });
    }, { passive: true });
  }

  // current is the last section that has passed the reading line: 40 % of the window, or of what the figure leaves of it where it
  // stands above the text.
  current() {
    const above = innerWidth < 1200 ? byId("figure", HTMLElement).getBoundingClientRect().bottom : 0;
    const line = above + (innerHeight - above) * 0.4;
    return this.parts.findLast((part) => part.getBoundingClientRect().top <= line) ?? this.parts[0];
  }

  /** @param {HTMLElement} part */
  read(part) {
    if (part === this.part) return;
    const first = this.part === null;
    this.part?.removeAttribute("aria-current");
    this.part = part;
    part.setAttribute("aria-current", "true");
    this.guide.attach(part);
    this.run(part.dataset.run ?? "");
    this.expect(this.parts.indexOf(part));
    if (!first || location.hash) history.replaceState(null, "", part.id === this.parts[0].id ? location.pathname : `#${part.id}`);
    for (const a of document.querySelectorAll("a[data-lang]")) if (a instanceof HTMLAnchorElement) a.hash = part.id;
  }

  // expect has the runs and stills of the sections around at hand, those that come next first.
  /** @param {number} at */
  expect(at) {
    const around = [at + 1, at + 2, at - 1].flatMap((i) => this.parts[i]?.dataset.run ?? []);
    this.standin.expect(around[0] ?? "");
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.lab.expect(JSON.stringify(around)), settling);
  }

  /** @param {string} fragment */
  run(fragment) {
    this.fragment = fragment;
    const result = parse(this.lab.open(fragment, patience));
    if (!this.calm) this.lab.loop();
    notice.result(result);
    for (const row of document.querySelectorAll("tr[data-run]")) row.toggleAttribute("aria-current", row instanceof HTMLElement && row.dataset.run === fragment);
    for (const a of ["to-lab"]) /** @type {HTMLAnchorElement} */ (document.getElementById(a)).hash = fragment;
    this.show();
  }

  /** @param {import("./api.js").Result} result */
  took(result) {
    notice.result(result);
    this.show();
  }

  /** @param {MouseEvent} e */
  clicked(e) {
    const target = e.target instanceof Element ? e.target.closest(".run, tr[data-run]") : null;
    if (!(target instanceof HTMLElement) || e.ctrlKey || e.metaKey || e.shiftKey || !target.dataset.run) return;
    e.preventDefault();
    const part = target.closest(".part");
    if (part instanceof HTMLElement) this.read(part);
    this.run(target.dataset.run);
  }

  // pressed: J and K go from section to section, P plays and pauses; space and arrows stay the page's.
  /** @param {KeyboardEvent} e */
  pressed(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target instanceof Element && e.target.closest("input, select, textarea")) return;
    const i = this.part ? this.parts.indexOf(this.part) : 0;
    if (e.key === "j" || e.key === "k") this.parts[i + (e.key === "j" ? 1 : -1)]?.scrollIntoView();
    else if (e.key === "p") byId("play", HTMLButtonElement).click();
    else if (e.key === "Escape") this.lab.pin("");
  }

  show() {
    this.stage?.seen();
    const state = this.states.next();
    this.playbar.show(state);
    this.guide.show(state, this.fragment === this.part?.dataset.run);
    this.overlay.glance(state.playing);
    const waits = this.standin.show(state, this.fragment === this.part?.dataset.run ? this.fragment ?? "" : "");
    sentence(byId("caption", HTMLElement), waits ? [{ text: texts.say("companion.computing") }] : state.caption);
    const readout = byId("readout", HTMLElement);
    readout.hidden = state.readout === "";
    setText(readout, state.readout);
    Object.assign(readout.style, { left: `${Math.max(0, state.readoutBox.x)}px`, top: `${state.readoutBox.y}px` });
    if (!state.playing) setText(byId("twin", HTMLElement), state.said);
    document.documentElement.dataset.hash = state.hash;
    document.documentElement.dataset.scenario = state.scenario;
    document.documentElement.dataset.ahead = state.ahead.join(" ");
  }
}
