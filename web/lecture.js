// The lecture: reveal.js shows the slides, the custom element their figures. With ?print-pdf, and on paper, slides stand one
// below the other with stills; with ?speaker the page is the speaker's window, which follows the slides of another one.
// @ts-check
import { byId } from "./dom.js";

/** @typedef {HTMLElement & { call: (method: string, ...args: unknown[]) => Promise<any> }} Figure */

const asked = new URLSearchParams(location.search);
const channel = openChannel();
const slides = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".slides > section")]);

/** @type {any} */
const reveal = /** @type {any} */ (window).Reveal;

if (asked.has("speaker")) speaker();
else if (asked.has("print-pdf") || !reveal) paper();
else show();

// paper needs neither reveal.js nor a figure: a style sheet puts slide under slide.
function paper() {
  /** @type {HTMLLinkElement} */ (document.getElementById("paper")).media = "all";
  if (asked.has("notes")) document.documentElement.dataset.notes = "";
  document.documentElement.dataset.ready = "true";
}

/**
 * Colours the slides and their figures. Light is what paper has, and what reads best on a projector in a lit room.
 * @param {string} theme
 */
function paint(theme) {
  document.documentElement.dataset.theme = theme;
  for (const figure of /** @type {NodeListOf<Figure>} */ (document.querySelectorAll("checkpoint-lab"))) {
    figure.setAttribute("theme", theme);
    if (figure.querySelector("iframe")) figure.call("theme", theme).catch(() => {}); // it was left meanwhile
  }
}

async function show() {
  if (asked.get("theme") === "dark") paint("dark");
  let chosen = document.documentElement.dataset.theme ?? "light";
  addEventListener("beforeprint", () => { chosen = document.documentElement.dataset.theme ?? "light"; paint("light"); });
  addEventListener("afterprint", () => paint(chosen));
  const script = document.createElement("script");
  script.src = "checkpoint-lab.js";
  document.head.append(script);
  await reveal.initialize({ width: 1280, height: 720, margin: 0, maxScale: 4, center: false, hash: true, history: true, transition: "none", backgroundTransition: "none", slideNumber: "c/t", pdfSeparateFragments: false });
  reveal.addKeyBinding({ keyCode: 80, key: "P", description: "Play the figure" }, () => figureOf(reveal.getCurrentSlide())?.call("toggle"));
  reveal.addKeyBinding({ keyCode: 84, key: "T", description: "Light or dark" }, () => paint(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  reveal.addKeyBinding({ keyCode: 83, key: "S", description: "Speaker's window" }, () => open(`?speaker&theme=${document.documentElement.dataset.theme}${location.hash}`, "checkpointlab-speaker", "width=900,height=700"));
  reveal.on("slidechanged", tell);
  channel.onmessage = ({ data }) => { if (data === "where") tell(); else if (typeof data?.turn === "number") data.turn > 0 ? reveal.next() : reveal.prev(); };
  tell();
  document.addEventListener("click", runs);
  keepStills();
  byId("keys", HTMLElement).hidden = false;
  setTimeout(() => { byId("keys", HTMLElement).hidden = true; }, 8000);
  document.documentElement.dataset.ready = "true";
}

/** The other windows of the lecture; where storage is denied there is none. @returns {Pick<BroadcastChannel, "postMessage" | "onmessage">} */
function openChannel() {
  try {
    return new BroadcastChannel(`checkpointlab lecture ${location.pathname}`);
  } catch {
    return { postMessage() {}, onmessage: null };
  }
}

// keepStills has the worker keep all stills, for when there is no network. A sandbox has none.
function keepStills() {
  try {
    navigator.serviceWorker?.ready.then(() => { for (const image of document.images) fetch(image.src).catch(() => {}); });
  } catch {
    // The slides are shown all the same.
  }
}

function tell() {
  channel.postMessage({ at: slides.indexOf(reveal.getCurrentSlide()) });
}

/** @param {Element} slide @returns {Figure | null} */
function figureOf(slide) {
  return slide.querySelector("checkpoint-lab");
}

// A row of a table, or a sentence that runs, opens in the slide's figure.
/** @param {MouseEvent} e */
function runs(e) {
  const target = e.target instanceof Element ? e.target.closest(".run, tr[data-run]") : null;
  const slide = target?.closest("section");
  if (!(target instanceof HTMLElement) || !slide || e.ctrlKey || e.metaKey || e.shiftKey || !target.dataset.run) return;
  e.preventDefault();
  for (const row of slide.querySelectorAll("tr[data-run]")) row.toggleAttribute("aria-current", row instanceof HTMLElement && row.dataset.run === target.dataset.run);
  const figure = figureOf(slide);
  figure?.call("open", target.dataset.run).then(() => figure.call("play"), (why) => console.warn(String(why)));
}

// speaker shows the notes of the slide that is shown in the other window; its arrows turn that one's slides.
function speaker() {
  document.documentElement.dataset.speaker = "";
  document.documentElement.dataset.theme = asked.get("theme") === "dark" ? "dark" : "light";
  const box = byId("speaker", HTMLElement);
  const clock = byId("clock", HTMLOutputElement);
  const from = Date.now();
  box.hidden = false;
  setInterval(() => {
    const s = Math.floor((Date.now() - from) / 1000);
    clock.value = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  }, 1000);
  const at = (/** @type {number} */ i) => {
    byId("place", HTMLElement).textContent = `${i + 1} / ${slides.length}`;
    byId("now", HTMLElement).textContent = title(slides[i]);
    byId("next", HTMLElement).textContent = title(slides[i + 1]);
    byId("said", HTMLElement).replaceChildren(...[...slides[i]?.querySelector(".notes")?.children ?? []].map((e) => e.cloneNode(true)));
  };
  channel.onmessage = ({ data }) => { if (typeof data?.at === "number") at(data.at); };
  addEventListener("keydown", (e) => {
    const turn = /^(ArrowRight|PageDown| )$/.test(e.key) ? 1 : /^(ArrowLeft|PageUp)$/.test(e.key) ? -1 : 0;
    if (turn) { e.preventDefault(); channel.postMessage({ turn }); }
  });
  at(Math.max(0, slides.findIndex((s) => `#/${s.id}` === location.hash)));
  channel.postMessage("where");
  document.documentElement.dataset.ready = "true";
}

/** @param {HTMLElement | undefined} slide */
function title(slide) {
  return slide?.querySelector("h2")?.textContent ?? "";
}
