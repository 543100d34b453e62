// The embed's keys. A control that has the focus keeps those that it needs; in a slide deck all others are the deck's, and
// elsewhere the lab's own keys hold. Keys for turning pages are always the deck's: a presenter's clicker sends them.
// @ts-check

/** @typedef {{ toggle: () => void, step: (by: number) => void, checkpoint: (by: number) => void, home: () => void, end: () => void, unpin: () => void }} Acts */

const turning = ["PageUp", "PageDown"];

/**
 * @param {Acts} acts
 * @param {() => boolean} inDeck
 * @param {(e: KeyboardEvent) => boolean} pass  gives a key to the page around; false: nobody takes it
 */
export function listenKeys(acts, inDeck, pass) {
  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || e.isComposing || e.key === "Tab") return;
    if (needed(e)) return;
    const used = e.key === "Escape" ? (acts.unpin(), false) : !inDeck() && act(e, acts);
    if (used || pass(e)) e.preventDefault();
  });
}

/** Whether the control that has the focus does something with the key. @param {KeyboardEvent} e */
function needed(e) {
  const target = e.target instanceof HTMLElement ? e.target : null;
  if (!target || turning.includes(e.key) || e.key === "Escape") return false;
  if (target.closest("input[type=text]")) return true;
  if (target.closest("input[type=range], select")) return /^(Arrow|Home|End)/.test(e.key) || (target.tagName === "SELECT" && e.key !== "Enter");
  return (e.key === " " || e.key === "Enter") && !!target.closest("button, a");
}

/** @param {KeyboardEvent} e @param {Acts} acts */
function act(e, acts) {
  switch (e.key) {
    case " ": acts.toggle(); return true;
    case "ArrowRight": e.shiftKey ? acts.checkpoint(1) : acts.step(1); return true;
    case "ArrowLeft": e.shiftKey ? acts.checkpoint(-1) : acts.step(-1); return true;
    case "Home": acts.home(); return true;
    case "End": acts.end(); return true;
  }
  return false;
}
