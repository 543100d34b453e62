// Runs before the first paint: language, theme, the still of the scenario, and a place for messages that come early. Then it asks
// for the program, which is what a reader waits for longest.
// @ts-check
import { compile } from "../program.js";
import { read, themeOf } from "./params.js";
import { upright } from "./upright.js";

const root = document.documentElement;
const params = read(location.search, root.lang);
root.lang = params.lang;
if (params.theme !== "auto") root.dataset.theme = params.theme;
root.dataset.controls = params.controls;

/** @type {MessageEvent[]} */
const early = [];
const keep = (/** @type {MessageEvent} */ e) => void (early.length < 200 && early.push(e));
window.addEventListener("message", keep);
Object.assign(window, { checkpointLabEarly: () => { window.removeEventListener("message", keep); return early; } });

const poster = document.getElementById("poster");
if (poster instanceof HTMLImageElement) {
  const first = poster.dataset.scenario ?? "";
  const named = /^[a-z0-9-]{1,60}$/.test(params.scenario) ? params.scenario : first;
  /** @param {string} name */
  const still = (name) => `stills/${name}.${params.lang}.${themeOf(params)}${upright(innerWidth, innerHeight) ? ".narrow" : ""}.png`;
  poster.addEventListener("error", () => { if (!poster.src.endsWith(still(first))) poster.src = still(first); }, { once: true });
  poster.src = still(named);
  poster.hidden = false;
}

compile().catch(() => {}); // told by who needs it
