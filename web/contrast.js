// The picture has as much contrast as the reader's system asks for.
// @ts-check

const more = matchMedia("(prefers-contrast: more)");

/** @param {import("./api.js").Lab} lab */
export function keepContrast(lab) {
  const tell = () => lab.contrast(more.matches);
  tell();
  more.addEventListener("change", tell);
}
