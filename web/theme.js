// Runs before the first paint, so that a chosen theme does not flash. A classic script: a module would come too late.
// @ts-check
"use strict";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is off: the theme of the system holds.
}
