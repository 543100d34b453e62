// The companion page: prose beside one live picture. It decides nothing about Flink; see ../cmd/wasm.
// @ts-check
import { parse } from "./api.js";
import { byId, sentence, setText } from "./dom.js";
import { Notice } from "./notice.js";
import { Overlay } from "./overlay.js";
import { BootError, boot, hasWebGL2, Stage } from "./stage.js";
import * as texts from "./texts.js";
import { listenTheme, theme } from "./themes.js";
import { Transport } from "./transport.js";

const lang = document.documentElement.lang;
const notice = new Notice();
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

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
  const picture = hasWebGL2();
  const { lab, frame } = await boot(byId("layer", HTMLElement), picture, (why) => notice.say(texts.say("boot.crash", { why })));
  lab.lang(lang);
  lab.theme(theme());
  lab.motion(reduced.matches);
  reduced.addEventListener("change", () => lab.motion(reduced.matches));
  parse(lab.open(""));
  const figure = new Figure(lab, frame);
  lab.onChange(() => figure.show());
  figure.show();
  listenTheme((name) => lab.theme(name));
  const wait = byId("wait", HTMLElement);
  if (picture) wait.hidden = true;
  else setText(wait, texts.say("boot.noWebgl"));
  document.documentElement.dataset.ready = "true";
}

/** The picture with its caption and its transport. */
class Figure {
  /**
   * @param {import("./api.js").Lab} lab
   * @param {HTMLIFrameElement} frame
   */
  constructor(lab, frame) {
    this.lab = lab;
    this.transport = new Transport(lab);
    this.overlay = new Overlay(lab, byId("targets", HTMLElement), byId("stage", HTMLElement));
    const boxes = { stage: byId("stage", HTMLElement), pipe: byId("pipe", HTMLElement), plot: byId("plot", HTMLElement), gantt: byId("gantt", HTMLElement) };
    this.stage = new Stage(lab, frame, boxes, (places) => {
      this.transport.place(places.scrub);
      this.overlay.show();
    });
  }

  show() {
    /** @type {import("./api.js").State} */
    const state = parse(this.lab.state());
    this.transport.show(state);
    sentence(byId("caption", HTMLElement), state.caption);
    this.overlay.glance(state.playing);
    document.documentElement.dataset.hash = state.hash;
  }
}
