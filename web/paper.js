// A page that is printed shows a still of the picture, since a canvas prints blank.
// @ts-check
import { parse } from "./api.js";
import { byId, setText } from "./dom.js";
import { say } from "./texts.js";

/** @param {import("./api.js").Lab} lab */
export function listenPrint(lab) {
  /** @type {HTMLImageElement | null} */
  let still = null;
  const layer = byId("layer", HTMLElement);
  window.addEventListener("beforeprint", () => {
    lab.pause();
    still = new Image();
    still.decoding = "sync";
    still.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(lab.still())}`;
    still.alt = "";
    const box = byId("stage", HTMLElement).getBoundingClientRect();
    Object.assign(still.style, { width: `${box.width}px`, height: `${box.height}px` });
    layer.append(still);
    /** @type {import("./api.js").State} */
    const state = parse(lab.state());
    setText(byId("source", HTMLElement), say("paper.source", { title: state.title, seed: state.seed, clock: state.clock, link: location.href }));
  });
  window.addEventListener("afterprint", () => {
    still?.remove();
    still = null;
  });
}
