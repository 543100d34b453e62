// On paper a still of the instant stands for the picture, since a canvas prints blank. It is made whenever the show comes to
// rest, so that it is there when somebody prints the page around, of which not every browser tells a frame.
// @ts-check
import { parse } from "../api.js";
import { setText } from "../dom.js";
import { svgUrl } from "./stage.js";
import { say } from "./words.js";

const rest = 400; // ms

/**
 * @param {import("./show.js").Show} show
 * @param {HTMLImageElement} paper
 * @param {HTMLElement} source
 */
export function listenPrint(show, paper, source) {
  let drawn = "";
  const draw = () => {
    const link = `${show.link()} ${document.documentElement.lang} ${show.time}`; // the link has the instant that is asked for, computed or not
    if (link === drawn) return;
    drawn = link;
    /** @type {import("../api.js").State} */
    const state = parse(show.lab.state(-1));
    paper.src = svgUrl(show.lab.still("light"));
    paper.alt = state.said;
    setText(source, say("embed.source", { title: state.title, seed: state.seed, clock: state.clock, link: new URL(`lab.html${show.link()}`, location.href).href }));
  };
  let time = -1;
  setInterval(() => {
    if (show.time === time && !show.playing) draw();
    time = show.time;
  }, rest);
  window.addEventListener("beforeprint", draw);
}
