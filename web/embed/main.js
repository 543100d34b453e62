// The embed: the same program as the lab page's, in a frame of somebody else's page. It decides nothing about Flink.
// @ts-check
import { parse, States } from "../api.js";
import { keepContrast } from "../contrast.js";
import { byId, make, sentence, setText } from "../dom.js";
import { Overlay } from "../overlay.js";
import { missing, whenLate } from "../program.js";
import { listenSwipe } from "../swipe.js";
import { Controls } from "./controls.js";
import { listenKeys } from "./keys.js";
import { Messages } from "./messages.js";
import { methodNames } from "./own.js";
import { read, themeOf } from "./params.js";
import { listenPrint } from "./print.js";
import { Room } from "./room.js";
import { Show } from "./show.js";
import { Stage } from "./stage.js";
import { fill, say, speak } from "./words.js";

/** @typedef {import("../api.js").Lab} Lab */
/** @typedef {import("../api.js").State} State */

const root = document.documentElement;
const pageLang = root.dataset.lang ?? "ko";
const params = read(location.search, pageLang);
const messages = new Messages(params);
const hush = 2000; // ms between two sentences that are said aloud

speak(params.lang);
if (params.lang !== pageLang) fill();

class Embed {
  constructor() {
    this.picture = false; // known once the poster stands
    this.ready = false; // from then on what can be reached in the picture follows it: the first one comes before that
    this.notices = /** @type {string[]} */ ([]);
    /** @type {string[]} */
    this.knobs = [];
    this.themeName = themeOf(params);
    this.losses = 0;
    this.saidAt = -hush;
    this.computed = 0;
    this.states = new States(() => /** @type {Show} */ (this.show).lab, () => this.knobs.length > 0);
    byId("notice-close", HTMLButtonElement).addEventListener("click", () => this.tellUser([]));
  }

  async start() {
    await posterShown();
    this.picture = hasWebGL2();
    const room = await this.open();
    this.show = new Show(room.lab, (event, detail) => messages.tell(event, detail), (r) => this.took(r));
    this.arrive(room.lab);
    this.stage = new Stage(byId("stage", HTMLElement), byId("room", HTMLElement), byId("targets", HTMLElement), params.view, () => { if (this.ready) this.overlay?.show(); });
    this.controls = new Controls({
      play: () => this.show?.play(), pause: () => this.show?.pause(), seek: (t) => this.show?.seek(t), step: (by) => this.show?.step(by),
      set: (key, value) => this.show?.set(key, value),
    });
    this.use(room);
    this.listen();
    listenSwipe();
    this.controls.enable();
    this.update();
    this.ready = true;
    root.dataset.ready = "true";
    if (messages.framed) messages.tell("ready", { ...this.show.state(), methods: methodNames });
    if (params.autoplay && !(this.calm() && params.motion !== "full")) this.show.play();
    messages.open(this.show);
  }

  /** @returns {Promise<Room>} */
  open() {
    return Room.open(byId("room", HTMLElement), { picture: this.picture, lost: () => this.again(), crash: (why) => this.crashed(why) });
  }

  // arrive opens what the address says.
  /** @param {Lab} lab */
  arrive(lab) {
    this.dress(lab);
    /** @type {import("../api.js").Result & { unknown: string[], knobs: string[] }} */
    const opened = parse(location.hash.length > 1 ? lab.open(location.hash) : lab.address(location.search));
    const wrong = params.wrong.map((w) => say("embed.wrong", { name: w.name, value: w.value.slice(0, 80), words: w.words }));
    for (const name of opened.unknown ?? []) console.info(`Checkpoint Lab: the parameter ${JSON.stringify(name)} is not known and is ignored`);
    this.knobs = opened.knobs ?? [];
    this.turn(lab);
    this.tellUser([...wrong, ...(opened.error ? [opened.error] : []), ...(opened.notes ?? [])]);
  }

  // turn shows the panel that the address asks for; a sweep runs over the first of its settings.
  /** @param {Lab} lab */
  turn(lab) {
    if (params.view !== "space" && params.view !== "sweep") return;
    lab.face(params.view);
    if (params.view === "sweep") lab.sweep(this.knobs[0] ?? lab.key("interval"), "");
  }

  /** @param {Lab} lab */
  dress(lab) {
    lab.lang(root.lang);
    lab.theme(this.themeName);
    keepContrast(lab);
    lab.motion(this.calm());
  }

  calm() {
    return params.motion === "reduced" || (params.motion === "auto" && matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  // use shows a program: the first one, or one after a lost drawing context.
  /** @param {Room} room */
  use(room) {
    const { lab } = room;
    this.overlay = new Overlay(this.scaled(lab), byId("targets", HTMLElement), byId("stage", HTMLElement));
    this.stage?.take(room);
    lab.onChange(() => this.update());
    Object.assign(window, { checkpointLab: lab }); // to look at while developing
  }

  // The overlay's pointer is in px of the page, the picture may be smaller.
  /** @param {Lab} lab @returns {Lab} */
  scaled(lab) {
    const hover = (/** @type {number} */ x, /** @type {number} */ y) => lab.hover(x < 0 ? x : x / (this.stage?.scale ?? 1), y < 0 ? y : y / (this.stage?.scale ?? 1));
    return { ...lab, hover };
  }

  // again starts another program where the one before was, since its drawing context is lost.
  async again() {
    const { show } = this;
    if (!show) return;
    if (++this.losses > 3) this.picture = false;
    const link = show.link();
    const room = await this.open();
    this.dress(room.lab);
    show.replace(room.lab, link); // first of all: a program without a run cannot be laid out
    this.turn(room.lab);
    this.use(room);
    this.update();
  }

  listen() {
    const { show } = this;
    if (!show) return;
    new IntersectionObserver((seen) => show.visible(seen[seen.length - 1].isIntersecting)).observe(byId("stage", HTMLElement));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (params.theme === "auto") this.changeTheme(themeOf(params)); });
    matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => show.lab.motion(this.calm()));
    show.onTheme = (name) => this.changeTheme(name);
    show.onLang = (name) => this.changeLang(name);
    show.onScale = (by) => this.stage?.enlarged(by);
    listenKeys({
      toggle: () => show.toggle(), step: (by) => show.step(by), checkpoint: (by) => show.checkpoint(by), home: () => show.home(), end: () => show.end(),
      unpin: () => show.lab.pin(""),
    }, () => messages.deck || messages.keysClaimed, (e) => messages.passKey(e));
    listenPrint(show, byId("paper", HTMLImageElement), byId("source", HTMLElement));
  }

  /** @param {"light" | "dark"} name */
  changeTheme(name) {
    this.themeName = name;
    root.dataset.theme = name;
    this.show?.lab.theme(name);
    this.update();
  }

  /** @param {"ko" | "en"} name */
  changeLang(name) {
    root.lang = name;
    speak(name);
    fill();
    this.show?.lab.lang(name);
    this.update();
  }

  update() {
    const { show, controls } = this;
    if (!show || !controls) return;
    const state = this.states.next();
    show.notice(state);
    if (!state.playing || state.computed < this.computed) this.stage?.fit(); // another run may be another job
    this.computed = state.computed;
    controls.show(state, this.knobs, `${root.lang === "en" ? "lab.en.html" : "lab.html"}${show.link()}`);
    this.caption(state);
    this.stage?.name(state.lanes ?? []);
    this.readout(state);
    if (this.ready) this.overlay?.glance(state.playing);
    this.say(state);
    if (!this.picture) this.stage?.showStill(this.themeName);
    root.dataset.hash = state.hash;
  }

  /** @param {State} state */
  caption(state) {
    const caption = byId("caption", HTMLElement);
    const text = state.twin[0] ?? "";
    if (caption.title === text) return;
    caption.title = text;
    sentence(caption, state.caption);
    caption.classList.remove("long", "longer");
    if (caption.scrollWidth > caption.clientWidth) caption.classList.add("long");
    if (caption.scrollWidth > caption.clientWidth) caption.classList.add("longer");
  }

  /** @param {State} state */
  readout(state) {
    const box = byId("readout", HTMLElement);
    box.hidden = state.readout === "";
    if (box.hidden) return;
    setText(box, state.readout);
    const scale = this.stage?.scale ?? 1;
    const room = byId("stage", HTMLElement).clientWidth - box.offsetWidth;
    Object.assign(box.style, { left: `${Math.max(0, Math.min(state.readoutBox.x * scale, room))}px`, top: `${Math.max(box.offsetHeight, state.readoutBox.y * scale)}px` });
  }

  // The picture in words: always there to be read, said aloud at most once in two seconds.
  /** @param {State} state */
  say(state) {
    const twin = byId("twin", HTMLElement);
    if (twin.textContent !== state.twin.join("")) twin.replaceChildren(...state.twin.map((line) => make("p", {}, line)));
    const said = byId("said", HTMLElement);
    if (said.textContent === state.said || performance.now() - this.saidAt < hush) return;
    this.saidAt = performance.now();
    said.textContent = state.said;
  }

  /** @param {import("../api.js").Result} result */
  took(result) {
    this.tellUser([...(result.error ? [result.error] : []), ...(result.notes ?? [])]);
    if (!result.ok) messages.tell("error", { code: "refused", message: result.error });
    this.update();
  }

  /** @param {string[]} sentences */
  tellUser(sentences) {
    byId("notice", HTMLElement).hidden = sentences.length === 0;
    setText(byId("notice-text", HTMLElement), sentences.join(" "));
  }

  /** @param {string} why */
  crashed(why) {
    this.tellUser([say("boot.crash", { why })]);
    messages.tell("error", { code: "crashed", message: why });
  }
}

// posterShown leaves the screen to the poster before the program takes the processor; a tab that is not shown paints nothing.
function posterShown() {
  const poster = byId("poster", HTMLImageElement);
  const painted = poster.decode().then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  return Promise.race([painted, new Promise((done) => setTimeout(done, document.hidden ? 0 : 2000))]).catch(() => {});
}

/** @returns {boolean} */
function hasWebGL2() {
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext(); // a browser has few of them
    return !!context;
  } catch {
    return false;
  }
}

const embed = new Embed();
whenLate((late) => embed.tellUser(late ? [say("boot.late")] : []));
embed.start().catch((e) => {
  const said = String(e.message ?? e);
  const why = typeof WebAssembly !== "object" ? say("boot.noWasm") : say(missing(said), { file: "checkpointlab.wasm", why: said });
  embed.tellUser([why]);
  root.dataset.failed = "true";
  messages.fail(why);
});
