// Asks for the program before anything else: it is what a reader waits for longest. Until it draws, the page shows the still of the
// scenario that its address names.
// @ts-check
import { compile } from "./program.js";

compile().catch(() => {}); // told by who needs it

const narrowBelow = 264; // a column's still without its pipeline, px: title, plot, last line (../render/still)
const root = document.documentElement;
const named = /[#&]s=([a-z0-9-]+)(?=&|$)/.exec(location.hash);
const posters = /** @type {HTMLElement | null} */ (document.querySelector(".posters"));
if (named && root.dataset.other !== undefined && posters?.dataset.of?.split(" ").includes(named[1])) showStill(named[1]);

// showStill puts another scenario's still into the place of the page's own.
/** @param {string} scenario */
function showStill(scenario) {
  for (const image of document.querySelectorAll(".posters source, .posters img")) {
    const name = image.hasAttribute("srcset") ? "srcset" : "src";
    image.setAttribute(name, image.getAttribute(name)?.replace(/^stills\/[^.]+/, `stills/${scenario}`) ?? "");
    image.addEventListener("load", () => { if (image instanceof HTMLImageElement) makeRoom(image); });
  }
  delete root.dataset.other;
}

// makeRoom gives the pipeline its height in the still, so that the panels stand below it.
/** @param {HTMLImageElement} still */
function makeRoom(still) {
  const pipe = document.getElementById("pipe"), plot = document.getElementById("plot");
  if (!pipe || !plot || !still.offsetHeight || root.dataset.ready) return;
  const below = innerWidth < 720 ? narrowBelow : plot.getBoundingClientRect().bottom - pipe.getBoundingClientRect().bottom;
  pipe.style.minHeight = `${still.offsetHeight - below}px`;
}
