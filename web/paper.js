// A page that is printed shows a still of the picture, since a canvas prints blank.
// @ts-check
import { byId } from "./dom.js";

/**
 * @param {import("./api.js").Lab} lab
 * @param {import("./stage.js").Stage} stage
 */
export function listenPrint(lab, stage) {
  /** @type {HTMLImageElement | null} */
  let still = null;
  const layer = byId("layer", HTMLElement);
  window.addEventListener("beforeprint", () => {
    lab.pause();
    const url = stage.still();
    if (!url) return;
    still = new Image();
    still.src = url;
    still.alt = "";
    const box = byId("stage", HTMLElement).getBoundingClientRect();
    Object.assign(still.style, { width: `${box.width}px`, height: `${box.height}px` });
    layer.append(still);
  });
  window.addEventListener("afterprint", () => {
    still?.remove();
    still = null;
  });
}
