// The lab page: wires the controls to the program. It decides nothing about Flink; see ../cmd/wasm.
// @ts-check
import { Act } from "./act.js";
import { parse, States } from "./api.js";
import { keepContrast } from "./contrast.js";
import { byId, make, sentence, setText } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Costs } from "./costs.js";
import { Findings } from "./findings.js";
import { listen } from "./keys.js";
import { Knobs } from "./knobs.js";
import { Lanes } from "./lanes.js";
import { store, stored } from "./memory.js";
import { Notice } from "./notice.js";
import { Overlay } from "./overlay.js";
import { listenPrint, Still } from "./paper.js";
import { Predict } from "./predict.js";
import { whenLate } from "./program.js";
import { BootError, boot, hasWebGL2, Stage } from "./stage.js";
import { Save } from "./save.js";
import { Story } from "./story.js";
import { Sweep } from "./sweep.js";
import { listenSwipe } from "./swipe.js";
import { Transport } from "./transport.js";
import * as texts from "./texts.js";
import { listenTheme, theme } from "./themes.js";

/** @typedef {import("./api.js").Lab} Lab */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Result} Result */

let lang = document.documentElement.lang;
const notice = new Notice();
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

currentLanguage();
start().catch((e) => {
  const wait = byId("wait", HTMLElement);
  const known = e instanceof BootError;
  if (!texts.loaded()) setText(wait, wait.dataset.failed ?? "");
  else setText(wait, known ? texts.say(e.key, e.values) : texts.say("boot.crash", { why: String(e) }));
  wait.setAttribute("role", "alert");
  if (!known) throw e;
});

async function start() {
  await texts.load(lang);
  whenLate((late) => setText(byId("wait", HTMLElement), texts.say(late ? "boot.late" : "page.loading")));
  const picture = hasWebGL2();
  const { lab, frame } = await boot(byId("layer", HTMLElement), picture, (why) => stopped(why));
  lab.lang(lang);
  lab.theme(theme());
  keepContrast(lab);
  lab.motion(reduced.matches);
  reduced.addEventListener("change", () => lab.motion(reduced.matches));
  notice.result(parse(lab.open(location.hash)));
  const shown = page = new Page(lab, frame, picture);
  lab.onChange(() => shown.show());
  page.show();
  if (!picture) notice.say(texts.say("boot.noWebgl"));
  document.documentElement.dataset.ready = "true";
}

// stopped brings a page back whose program or whose picture's context is gone, in the state that it had: once, so that what
// happens again at once is told instead.
/** @param {string} why */
function stopped(why) {
  const again = Date.now() - Number(sessionStore("again") ?? 0) < 10_000;
  if (again || !page) return notice.say(texts.say("boot.crash", { why }));
  sessionStore("again", String(Date.now()));
  history.replaceState(null, "", page.lastSeen());
  location.reload();
}

/** @type {Page | null} */
let page = null;

/** @param {string} key @param {string} [value] */
function sessionStore(key, value) {
  try {
    if (value !== undefined) sessionStorage.setItem(key, value);
    return sessionStorage.getItem(key);
  } catch {
    return null; // as in memory.js
  }
}

class Page {
  /**
   * @param {Lab} lab
   * @param {HTMLIFrameElement} frame
   * @param {boolean} picture
   */
  constructor(lab, frame, picture) {
    this.lab = lab;
    this.states = new States(() => lab);
    this.scenario = byId("scenario", HTMLSelectElement);
    this.seed = byId("seed", HTMLInputElement);
    this.transport = new Transport(lab);
    this.knobs = new Knobs(lab, byId("knobs", HTMLElement), byId("fields", HTMLElement));
    this.drawer = new Drawer(lab, () => this.show());
    this.overlay = new Overlay(lab, byId("targets", HTMLElement), byId("stage", HTMLElement));
    this.act = new Act(lab);
    this.save = new Save(lab);
    this.sweep = new Sweep(lab, () => this.stage?.fit());
    /** @type {HTMLButtonElement[]} */
    this.faces = [...document.querySelectorAll("button[data-face]")].filter((b) => b instanceof HTMLButtonElement);
    for (const b of this.faces) b.addEventListener("click", () => lab.face(b.dataset.face ?? ""));
    this.predict = new Predict(lab);
    this.story = new Story(lab, (result) => this.took(result));
    this.findings = new Findings();
    this.costs = new Costs();
    this.lanes = new Lanes(lab, () => this.stage?.fit());
    this.lastLink = "";
    this.twinAt = 0;
    byId("wait", HTMLElement).hidden = true;
    document.querySelector(".posters")?.remove();
    this.still = picture ? null : new Still(lab, byId("layer", HTMLElement));
    this.seenAt = 0;
    const boxes = { stage: byId("stage", HTMLElement), pipe: byId("pipe", HTMLElement), plot: byId("plot", HTMLElement), gantt: byId("gantt", HTMLElement), lanes: () => this.lanes.places(), turn: true, dock: byId("transport", HTMLElement) };
    this.stage = new Stage(lab, frame, boxes, (places) => {
      this.transport.place(places.scrub);
      this.overlay.show();
    });
    this.listen();
  }

  listen() {
    const { lab } = this;
    this.scenario.addEventListener("change", () => this.took(parse(lab.load(this.scenario.value)), this.seed));
    this.seed.addEventListener("change", () => this.took(parse(lab.set("seed", this.seed.value)), this.seed));
    byId("reroll", HTMLButtonElement).addEventListener("click", () => this.took(parse(lab.set("seed", String(crypto.getRandomValues(new Uint16Array(1))[0])))));
    byId("reset", HTMLButtonElement).addEventListener("click", () => this.took(parse(lab.resetAll())));
    byId("share", HTMLButtonElement).addEventListener("click", () => this.share());
    byId("open-keys", HTMLButtonElement).addEventListener("click", () => byId("keys", HTMLDialogElement).showModal());
    byId("open-twin", HTMLButtonElement).addEventListener("click", () => toggleTwin());
    byId("menu", HTMLButtonElement).addEventListener("click", () => toggleMenu());
    for (const close of document.querySelectorAll("[data-close]")) close.addEventListener("click", () => close.closest("dialog")?.close());
    for (const link of document.querySelectorAll("a[data-lang]")) link.addEventListener("click", (e) => this.changeLanguage(e, link));
    window.addEventListener("hashchange", () => { if (location.hash !== this.lastLink) this.took(parse(lab.open(location.hash))); });
    listenTheme((name) => lab.theme(name));
    listenSwipe();
    listenPrint(lab, this.stage);
    const letters = byId("letters", HTMLInputElement);
    letters.checked = stored("letters") !== "off";
    letters.addEventListener("change", () => store("letters", letters.checked ? "on" : "off"));
    listen(lab, {
      toggle: () => this.transport.toggle(), faster: (by) => this.transport.faster(by), share: () => this.share(), compare: () => lab.compare(), act: () => this.act.toggle(),
      help: () => byId("keys", HTMLDialogElement).showModal(), escape: () => this.act.escape() || this.save.escape() || this.drawer.escape(), letters: () => letters.checked,
    });
  }

  /**
   * @param {Result} result
   * @param {HTMLInputElement} [field]  where a refused value stays to be mended
   */
  took(result, field) {
    notice.result(result);
    if (field) field.setAttribute("aria-invalid", String(!result.ok));
    this.show();
  }

  show() {
    this.stage?.seen();
    const state = this.states.next();
    this.showScenarios(state);
    if (document.activeElement !== this.seed && this.seed.getAttribute("aria-invalid") !== "true") this.seed.value = state.seed;
    this.seed.style.width = `${this.seed.value.length + 2}ch`;
    this.transport.show(state);
    this.knobs.show(state);
    this.drawer.show(state);
    sentence(byId("caption", HTMLElement), state.caption);
    this.predict.show(state.lanes.length > 0 ? null : state.predict);
    this.lanes.show(state);
    this.story.show(state);
    this.findings.show(state);
    this.costs.show(state);
    this.act.show(state);
    this.sweep.show(state);
    for (const b of this.faces) {
      b.disabled = false;
      b.setAttribute("aria-pressed", String(b.dataset.face === state.face));
    }
    setText(byId("model", HTMLElement), texts.say("footer.modelOf", { version: state.version }));
    this.showReadout(state);
    this.showTwin(state);
    this.overlay.glance(state.playing);
    this.still?.show(byId("stage", HTMLElement));
    this.seenAt = state.time;
    if (!state.playing) this.showLink();
    document.documentElement.dataset.hash = state.hash;
    for (const id of ["scenario", "seed", "reroll", "share", "more", "settings", "reset"]) /** @type {HTMLButtonElement} */ (document.getElementById(id)).disabled = false;
  }

  /** @param {State} state */
  showScenarios(state) {
    const shape = `${lang} ${state.scenario === "own" ? state.title : ""}`;
    if (this.scenario.dataset.shape !== shape) {
      this.scenario.dataset.shape = shape;
      /** @type {{ id: string, title: string }[]} */
      const all = parse(this.lab.scenarios());
      this.scenario.replaceChildren(...all.map((s) => make("option", { value: s.id }, s.title)));
    }
    this.scenario.value = state.scenario;
    setText(byId("scenario-short", HTMLElement), state.title);
  }

  /** @param {State} state */
  showReadout(state) {
    const readout = byId("readout", HTMLElement);
    readout.hidden = state.readout === "";
    if (readout.hidden) return;
    setText(readout, state.readout);
    const { x, y } = state.readoutBox;
    const room = byId("stage", HTMLElement).clientWidth - readout.offsetWidth;
    Object.assign(readout.style, { left: `${Math.max(0, Math.min(x, room))}px`, top: `${y}px` });
  }

  // The twin of the picture: always there to be read, said aloud at most once in two seconds.
  /** @param {State} state */
  showTwin(state) {
    const text = byId("twin-text", HTMLElement);
    const lines = state.twin.map((line) => make("p", {}, line));
    if (text.textContent !== state.twin.join("")) text.replaceChildren(...lines);
    const said = byId("twin", HTMLElement);
    if (said.textContent === state.said || performance.now() - this.twinAt < 2000) return;
    this.twinAt = performance.now();
    said.textContent = state.said;
  }

  // The address follows the state, so that a reload or a copied address brings it back.
  showLink() {
    const link = this.lab.link();
    if (link === this.lastLink) return;
    this.lastLink = link;
    history.replaceState(null, "", link);
    for (const a of document.querySelectorAll("a[data-lang]")) if (a instanceof HTMLAnchorElement) a.hash = link;
  }

  /** The address of what was seen last, also while it plays. */
  lastSeen() {
    const fragment = this.lastLink.replace(/([#&])t=[^&]*/, "$1").replace(/&&/, "&");
    return `${fragment || "#"}&t=${this.seenAt}`.replace("#&", "#");
  }

  async share() {
    this.showLink();
    const url = location.href;
    try {
      await navigator.clipboard.writeText(url);
      setText(byId("said", HTMLElement), texts.say("share.copied"));
      notice.note(texts.say("share.copied"));
    } catch {
      byId("link-text", HTMLTextAreaElement).value = url;
      byId("link", HTMLDialogElement).showModal();
      byId("link-text", HTMLTextAreaElement).select();
    }
  }

  /**
   * Changes the language in place: nothing that is typed or running is lost.
   * @param {Event} e
   * @param {Element} link
   */
  async changeLanguage(e, link) {
    if (!(link instanceof HTMLAnchorElement) || !(e instanceof MouseEvent) || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    lang = link.dataset.lang ?? lang;
    await texts.load(lang);
    document.documentElement.lang = lang;
    texts.fillPage();
    currentLanguage();
    history.replaceState(null, "", link.href);
    this.lab.lang(lang);
    this.show();
  }
}

function currentLanguage() {
  for (const a of document.querySelectorAll("a[data-lang]")) {
    if (a instanceof HTMLElement && a.dataset.lang === lang) a.setAttribute("aria-current", "true");
    else a.removeAttribute("aria-current");
  }
}

function toggleTwin() {
  const twin = byId("twin-details", HTMLDetailsElement);
  twin.open = !twin.open;
  if (twin.open) twin.scrollIntoView({ block: "nearest" });
}

function toggleMenu() {
  const open = byId("top", HTMLElement).classList.toggle("open");
  byId("menu", HTMLButtonElement).setAttribute("aria-expanded", String(open));
}
