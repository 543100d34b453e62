// The faces of the plot's panel: space and time, a sweep with progress and cancel; and files of what is shown.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, pause, pixels, session, settled, visit } from "../testkit.mjs";

const here = session();

const state71 = "#s=backpressure&t=71.2&x=1";

test("space and time: rows, barriers, a read-out, and the link", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html${state71}`);
  await settled(page);
  const before = (await pixels(page)).hash;
  await page.click("[data-face='space']");
  await pause(400);
  assert.notEqual((await pixels(page)).hash, before);
  assert.match(await page.evaluate(() => location.hash), /v=space/);
  const { axis } = await lab(page, "state");
  assert.ok(axis[0] > 69 && axis[1] < 72, `the axis holds checkpoint 8: ${axis}`);
  const rows = await page.$$eval("#targets [data-id^='phases-']", (all) => all.map((e) => e.textContent ?? ""));
  assert.ok(rows.some((t) => t.includes("sink 0")), rows.join("; "));
  const again = await visit(here.browser, `${here.url}lab.en.html${await page.evaluate(() => location.hash)}`);
  await settled(again.page);
  assert.equal((await lab(again.page, "state")).face, "space");
  assert.deepEqual([...errors, ...again.errors], []);
  await again.page.close();
  await page.close();
});

test("a sweep computes a run for each value, with progress, and can be cancelled", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html#s=chapter`);
  const hash = await settled(page);
  await page.click("[data-face='sweep']");
  await page.waitForFunction("!document.getElementById('sweep').hidden");
  await page.select("#sweep-key", "execution.checkpointing.interval");
  await page.type("#sweep-values", "10 s, 30 s, 60 s");
  await page.click("#sweep-start");
  await page.waitForFunction("document.getElementById('sweep-progress').textContent.startsWith('3 of 3')");
  const points = await page.$$eval("#targets [data-id^='sweep-']", (all) => all.map((e) => e.textContent ?? ""));
  assert.equal(points.length, 12, points.join("; "));
  assert.ok(points.some((t) => /60 s: p99 visibility latency/.test(t)));
  assert.equal(await settled(page), hash, "the run in view stays");
  await page.$eval("#sweep-values", (e) => { /** @type {HTMLInputElement} */ (e).value = "1 s, soon"; });
  await page.click("#sweep-start");
  await pause(200);
  assert.match(await page.$eval("#sweep-error", (e) => e.textContent ?? ""), /soon/);
  await page.$eval("#sweep-values", (e) => { /** @type {HTMLInputElement} */ (e).value = ""; });
  await page.click("#sweep-start");
  await pause(300);
  await page.click("#sweep-cancel");
  await pause(300);
  const sweep = (await lab(page, "state")).sweep;
  assert.equal(sweep.running, false);
  assert.ok(sweep.done < sweep.all, `${sweep.done} of ${sweep.all}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("files: picture as SVG and PNG, series as CSV and JSON, the trace", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  await page.evaluate(() => {
    Object.assign(window, { saved: [] });
    /** @type {Map<string, Blob>} */
    const blobs = new Map();
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      const url = create(blob);
      blobs.set(url, /** @type {Blob} */ (blob));
      return url;
    };
    HTMLAnchorElement.prototype.click = function () {
      const blob = /** @type {Blob} */ (blobs.get(this.href));
      // @ts-ignore above
      window.saved.push(blob.text().then((text) => ({ name: this.download, type: blob.type, bytes: blob.size, text: text.slice(0, 200) })));
    };
  });
  await page.click("#save-open");
  for (const what of ["svg", "png", "samples csv", "checkpoints json", "trace json"]) {
    await page.click(`[data-save='${what}']`);
    await pause(what === "png" ? 1500 : 200);
  }
  // @ts-ignore above
  const saved = await page.evaluate(() => Promise.all(window.saved));
  const by = (/** @type {string} */ end) => saved.find((/** @type {any} */ s) => s.name.endsWith(end));
  assert.match(by("71_2s.svg").text, /<svg/);
  assert.ok(by(".png").bytes > 20_000 && by(".png").type === "image/png", JSON.stringify(by(".png")));
  assert.match(by("samples.csv").text, /^time_s,oldest_invisible_ms/);
  assert.match(by("checkpoints.json").text, /^\{"name":"checkpoints"/);
  assert.match(by("trace.json").text, /displayTimeUnit|traceEvents/);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "save-open");
  assert.deepEqual(errors, []);
  await page.close();
});
