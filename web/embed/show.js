// What is shown, and whether it may play: only on the screen, and in a deck only while its slide is shown. It tells what
// happens to whoever listens.
// @ts-check
import { parse } from "../api.js";

/** @typedef {import("../api.js").Lab} Lab */
/** @typedef {import("../api.js").State} State */

const tellEvery = 250; // ms between two timeupdates

export class Show {
  /**
   * @param {Lab} lab
   * @param {(event: string, detail?: Record<string, unknown>) => void} tell
   * @param {(result: import("../api.js").Result) => void} took
   */
  constructor(lab, tell, took) {
    this.lab = lab;
    this.tell = tell;
    this.took = took;
    this.wants = false; // to play, whenever it may
    this.seen = true; // on the screen
    this.slideShown = true;
    this.playing = false;
    this.time = this.toldTime = 0;
    this.duration = 0;
    this.toldAt = -tellEvery;
    this.jumped = true; // the playhead was moved, not played
    this.onTheme = (/** @type {"light" | "dark"} */ _name) => {};
    this.onScale = (/** @type {number} */ _by) => {};
    this.onLang = (/** @type {"ko" | "en"} */ _name) => {};
  }

  /** Another program goes on where the one before was. @param {Lab} lab @param {string} link */
  replace(lab, link) {
    this.lab = lab;
    parse(lab.open(link));
    this.jumped = true;
    const wanted = this.wants;
    this.wants = false;
    lab.visible(this.may);
    if (wanted) this.play();
  }

  get may() {
    return this.seen && this.slideShown;
  }

  play() {
    this.wants = true;
    if (!this.may) return;
    if (this.time >= this.duration) this.jumped = true; // it begins again
    this.lab.play();
    this.notice();
  }

  pause() {
    this.wants = false;
    this.lab.pause();
    this.notice();
  }

  toggle() {
    this.wants ? this.pause() : this.play();
  }

  /** @param {boolean} shown @param {number} [scale]  by which the deck transforms the frame */
  slide(shown, scale) {
    this.slideShown = shown;
    if (scale) this.onScale(scale);
    this.allow();
  }

  /** @param {boolean} seen */
  visible(seen) {
    this.seen = seen;
    this.allow();
  }

  allow() {
    this.lab.visible(this.may);
    if (!this.may && this.playing) this.lab.pause();
    if (this.may && this.wants) this.lab.play();
    this.notice();
  }

  /** @param {() => void} move */
  jump(move) {
    this.jumped = true;
    move();
    this.notice();
    this.tell("seeked", { time: this.time });
  }

  /** @param {number} t */
  seek(t) {
    this.jump(() => this.lab.seek(t));
  }

  /** @param {number} by */
  step(by) {
    this.wants = false;
    this.jump(() => { for (let i = 0; i < Math.abs(by); i++) by < 0 ? this.lab.stepBack() : this.lab.stepForward(); });
  }

  /** @param {number} by */
  checkpoint(by) {
    this.wants = false;
    this.jump(() => { for (let i = 0; i < Math.abs(by); i++) this.lab.checkpoint(Math.sign(by)); });
  }

  home() {
    this.wants = false;
    this.jump(() => this.lab.home());
  }

  end() {
    this.wants = false;
    this.jump(() => this.lab.end());
  }

  /** @param {number} factor */
  speed(factor) {
    this.lab.speed(factor);
    this.notice();
  }

  /** @param {string} text */
  load(text) {
    return this.changed(() => this.lab.load(text));
  }

  /** @param {string} link */
  open(link) {
    this.wants = false;
    return this.changed(() => this.lab.open(link.startsWith("#") ? link : `#${link}`));
  }

  /** @param {string} key @param {string} value */
  set(key, value) {
    return this.changed(() => this.lab.set(this.lab.key(key), value));
  }

  /** @param {string} text */
  apply(text) {
    return this.changed(() => this.lab.apply(text));
  }

  /** @param {() => string} change @returns {import("../api.js").Result} */
  changed(change) {
    /** @type {import("../api.js").Result} */
    const result = parse(change());
    this.jumped = true;
    this.took(result);
    this.notice();
    if (result.ok) this.tell("change", { link: this.lab.link() });
    return result;
  }

  /** @param {"light" | "dark"} name */
  theme(name) {
    this.onTheme(name);
  }

  /** @param {"ko" | "en"} name */
  lang(name) {
    this.onLang(name);
  }

  /** @param {"full" | "reduced"} name */
  motion(name) {
    this.lab.motion(name === "reduced");
  }

  link() {
    return this.lab.link();
  }

  /** What a page around may know. */
  state() {
    /** @type {State} */
    const s = parse(this.lab.state());
    const { scenario, title, seed, time, duration, computed, playing, speed, hash, twin, findings } = s;
    return {
      scenario, title, seed, time, duration, computed, playing, speed, hash, scene: this.lab.scene(), caption: twin[0] ?? "", twin, findings,
      settings: Object.fromEntries(s.knobs.filter((k) => k.changed).map((k) => [k.key, k.value])),
    };
  }

  // notice looks at what has become of the program and tells what is new.
  /** @param {State} [state] */
  notice(state = parse(this.lab.state(-1))) {
    const before = { playing: this.playing, time: this.time };
    this.playing = state.playing;
    this.time = state.time;
    this.duration = state.duration;
    if (this.playing !== before.playing) this.tell(this.playing ? "play" : "pause", { time: this.time });
    const played = !this.jumped && (this.playing || before.playing) && this.time > before.time;
    this.jumped = false;
    if (played) for (const c of parse(this.lab.passed(before.time, this.time))) this.tell("checkpoint", c);
    if (before.playing && !this.playing && this.time >= this.duration) {
      this.wants = false;
      this.tell("ended", { time: this.time });
    } else if (before.playing && !this.playing && this.may) this.wants = false;
    this.update();
  }

  // update tells the time at most four times a second, the last one always.
  update() {
    clearTimeout(this.later);
    if (this.time === this.toldTime) return;
    const wait = this.toldAt + tellEvery - performance.now();
    if (wait > 0) {
      this.later = setTimeout(() => this.update(), wait);
      return;
    }
    this.toldAt = performance.now();
    this.toldTime = this.time;
    this.tell("timeupdate", { time: this.time, duration: this.duration });
  }
}
