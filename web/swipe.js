// A finger that scrolls the page may begin on a slider, which takes the value under it at once. Here it counts when the finger
// moves along the slider or is lifted; when the browser takes the gesture for scrolling, the slider stays as it was.
// @ts-check

const along = 6; // px by which a finger moves before it slides

/** @type {{ slider: HTMLInputElement, value: string, x: number, slides: boolean } | null} */
let held = null;

export function listenSwipe() {
  addEventListener("pointerdown", (e) => {
    const slider = e.target;
    held = e.pointerType === "touch" && slider instanceof HTMLInputElement && slider.type === "range" ? { slider, value: slider.value, x: e.clientX, slides: false } : null;
  }, { capture: true });
  addEventListener("input", (e) => { if (held && !held.slides && e.target === held.slider) e.stopImmediatePropagation(); }, { capture: true });
  addEventListener("pointermove", (e) => { if (held && Math.abs(e.clientX - held.x) > along) slide(); }, { capture: true });
  addEventListener("pointerup", () => { slide(); held = null; }, { capture: true });
  addEventListener("pointercancel", () => {
    if (held && !held.slides) held.slider.value = held.value;
    held = null;
  }, { capture: true });
}

// slide lets the slider tell its value, which was kept back so far.
function slide() {
  if (!held || held.slides) return;
  held.slides = true;
  if (held.slider.value !== held.value) held.slider.dispatchEvent(new Event("input", { bubbles: true }));
}
