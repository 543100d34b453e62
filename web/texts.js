// The page's sentences: the same tables as the program's, see texts/texts.go.
// @ts-check

/** @type {Record<string, string>} */
let table = {};

/** @type {Record<string, string>} */
const files = { ko: "texts/ko.json", en: "texts/en.json" };

/** @param {string} lang */
export async function load(lang) {
  const answer = await fetch(files[lang]);
  if (!answer.ok) throw new Error(`${files[lang]}: HTTP ${answer.status}`);
  table = await answer.json();
}

/** Whether there are sentences to say. */
export function loaded() {
  return Object.keys(table).length > 0;
}

/**
 * A sentence with its placeholders filled. A particle after a placeholder belongs to sentences that the program says.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  return (table[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

const attributes = { tLabel: "aria-label", tTitle: "title", tContent: "content", tPlaceholder: "placeholder", tFailed: "data-failed", tHref: "href" };

/** Writes every marked sentence of the page anew, after a change of language. */
export function fillPage() {
  for (const element of document.querySelectorAll("[data-t],[data-t-label],[data-t-title],[data-t-content],[data-t-placeholder],[data-t-failed],[data-t-href]")) {
    if (!(element instanceof HTMLElement)) continue;
    const key = element.dataset.t;
    if (key !== undefined) element.textContent = say(key);
    for (const [mark, attribute] of Object.entries(attributes)) {
      const marked = element.dataset[mark];
      if (marked !== undefined) element.setAttribute(attribute, say(marked));
    }
  }
}
