// Steers the element of the example page: every method answers with a promise, events come as on any element.
// @ts-check
const figure = /** @type {any} */ (document.getElementById("figure"));
const said = /** @type {HTMLOutputElement} */ (document.getElementById("said"));

document.getElementById("next")?.addEventListener("click", () => figure.checkpoint(1));
document.getElementById("unaligned")?.addEventListener("click", async () => {
  try {
    await figure.set("unaligned", true);
    await figure.play();
  } catch (e) {
    said.value = e instanceof Error ? e.message : String(e);
  }
});
figure.addEventListener("checkpoint", (/** @type {CustomEvent} */ e) => {
  const { id, status, at, duration } = e.detail;
  said.value = status === "COMPLETED" ? `checkpoint ${id} completed at ${at.toFixed(1)} s after ${duration.toFixed(2)} s` : `checkpoint ${id}: ${status}`;
});
