// The keys of the whole page. A field, a list or a dialog keeps its own keys; modifiers belong to the browser.
// @ts-check

/** @typedef {import("./api.js").Lab} Lab */

/**
 * @param {Lab} lab
 * @param {{ toggle: () => void, faster: (by: number) => void, share: () => void, compare: () => void, act: () => void, help: () => void, escape: () => boolean, letters: () => boolean }} acts
 */
export function listen(lab, acts) {
  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || document.querySelector("dialog[open]")) return;
    if (e.key === "Escape") {
      if (!acts.escape()) lab.pin("");
      return;
    }
    if (typing(e.target)) return;
    if (act(e, lab, acts)) e.preventDefault();
  });
}

/** @param {EventTarget | null} target */
function typing(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}

/**
 * @param {KeyboardEvent} e
 * @param {Lab} lab
 * @param {Parameters<typeof listen>[1]} acts
 */
function act(e, lab, acts) {
  switch (e.key) {
    case "ArrowRight": e.shiftKey ? lab.checkpoint(1) : lab.stepForward(); return true;
    case "ArrowLeft": e.shiftKey ? lab.checkpoint(-1) : lab.stepBack(); return true;
    case "Home": lab.home(); return true;
    case "End": lab.end(); return true;
  }
  if (!acts.letters()) return false;
  switch (e.key) {
    case " ":
      if (e.target instanceof HTMLElement && e.target.closest("button, a, summary")) return false; // Space presses it
      acts.toggle();
      return true;
    case "+": case "=": acts.faster(1); return true;
    case "-": case "−": case "_": acts.faster(-1); return true;
    case "i": case "I": acts.act(); return true;
    case "l": case "L": lab.repeat(); return true;
    case "z": lab.zoom(1); return true;
    case "Z": lab.zoom(-1); return true;
    case "c": case "C": acts.compare(); return true;
    case "s": case "S": acts.share(); return true;
    case "?": acts.help(); return true;
  }
  return false;
}
