// Runs before the first paint, so that a chosen theme does not flash, nor the still of another scenario than a link's. A classic
// script: a module would come too late.
// @ts-check
"use strict";
if (/[#&]s=(?!backpressure(&|$))/.test(location.hash)) document.documentElement.dataset.other = "";
// A module that does not arrive, or one that it imports, is told where the page says that it waits: nothing else could.
addEventListener("error", (e) => {
  const wait = document.getElementById("wait");
  if (!wait || !(e.target instanceof HTMLScriptElement && e.target.type === "module")) return;
  wait.textContent = wait.dataset.failed ?? "";
  wait.setAttribute("role", "alert");
}, true);
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is off: the theme of the system holds.
}
