// Small words for the document.
// @ts-check

/**
 * The element with this id; the page has it, or it is a mistake in the page.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The space between a number and its unit. */
const unit = /(\d) (?=(?:[mµn]?s|min|h|d|[kKMG]i?B|%)(?![A-Za-z]))/g;

/**
 * Shows a sentence of the program: plain, strong, or the flag of a checkpoint.
 * @param {HTMLElement} into
 * @param {import("./api.js").Piece[]} pieces
 */
export function sentence(into, pieces) {
  into.replaceChildren(...pieces.map((p) => {
    if (p.checkpoint) return make("span", { class: `flag hue-${p.hue ?? 0}` }, String(p.checkpoint));
    const text = (p.text ?? "").replace(unit, "$1\u202f"); // a line ends behind a unit, not before it
    return p.strong ? make("b", {}, text) : text;
  }));
}

/**
 * Sets a text only when it differs, so that a reader's selection and screen readers are left in peace.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
