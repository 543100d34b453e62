// Starts the service worker once the page has what it needs, so that it takes nothing from the first picture.
(() => {
  if (!("serviceWorker" in navigator) || location.origin === "null") return;
  const start = () => navigator.serviceWorker.register("sw.js").catch(() => {}); // a host or a browser may forbid it
  const root = document.documentElement;
  const wait = new MutationObserver(() => { if ("ready" in root.dataset) { wait.disconnect(); start(); } });
  wait.observe(root, { attributes: true, attributeFilter: ["data-ready"] });
  if ("ready" in root.dataset) { wait.disconnect(); start(); }
})();
