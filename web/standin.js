// The still of a section's run at its instant, shown in the picture's place until the run is computed so far.
// @ts-check
import { theme } from "./themes.js";

export class Standin {
  /**
   * @param {HTMLImageElement} image
   * @param {string} lang
   */
  constructor(image, lang) {
    this.image = image;
    this.lang = lang;
  }

  /**
   * @param {import("./api.js").State} state
   * @param {string} fragment  of the section; "" where another run is shown
   * @returns {boolean} whether the still is shown
   */
  show(state, fragment) {
    const { scenario, at } = instant(fragment);
    const waits = scenario === state.scenario && state.computed < Math.min(at, state.duration);
    this.image.hidden = !waits;
    document.documentElement.dataset.shows = waits ? "still" : "run";
    if (waits) this.draw(this.image, scenario);
    return waits;
  }

  // expect has the still of the section that comes next at hand.
  /** @param {string} fragment */
  expect(fragment) {
    const { scenario } = instant(fragment);
    if (scenario) setTimeout(() => this.draw(new Image(), scenario), 500);
  }

  /**
   * @param {HTMLImageElement} image
   * @param {string} scenario
   */
  draw(image, scenario) {
    const source = `stills/${scenario}.${this.lang}.${theme()}.${innerWidth < 720 ? "narrow" : "beside"}.svg`;
    if (image.getAttribute("src") !== source) image.src = source;
  }
}

/**
 * What a run's address names: its scenario, and the instant in s.
 * @param {string} fragment
 */
function instant(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  return { scenario: values.get("s") ?? "", at: Number(values.get("t") ?? 0) };
}
