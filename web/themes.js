// Light or dark: the system's, unless the reader chose.
// @ts-check
import { byId } from "./dom.js";

const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "dark" || chosen === "light") return chosen;
  return system.matches ? "dark" : "light";
}

/** @param {(name: "light" | "dark") => void} changed */
export function listenTheme(changed) {
  system.addEventListener("change", () => changed(theme()));
  byId("theme", HTMLButtonElement).addEventListener("click", () => {
    const next = theme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("theme", next);
    } catch {
      // Storage is off: the choice holds for this visit.
    }
    changed(next);
  });
}
