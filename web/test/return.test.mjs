// What comes back by itself: a picture whose WebGL context was lost, and stills where none can be drawn; calls that are
// wrong change nothing; the footer tells the version and where the limits are listed.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshPage, lab, pause, pixels, session, settled, visit } from "../testkit.mjs";

const here = session();

const state71 = "#s=backpressure&t=71.2&x=1";

test("a lost context: the picture returns in the same state", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}&execution.checkpointing.interval=7+s`);
  const hash = await settled(page);
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate(() => document.querySelector("iframe")?.contentDocument?.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext()),
  ]);
  await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
  assert.equal(await settled(page), hash);
  assert.equal((await lab(page, "state")).time, 71.2);
  assert.ok((await pixels(page)).colours > 20);
  await page.close();
});

test("another size and another pixel ratio: the picture is as sharp as before, in the same state", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71}`, { width: 1280, height: 800 });
  const hash = await settled(page);
  const scene = await lab(page, "scene");
  // the ratio alone is not told under emulation
  for (const [width, deviceScaleFactor] of [[900, 1], [901, 2], [1280, 1]]) {
    await page.setViewport({ width, height: 800, deviceScaleFactor });
    const fits = `(() => { const c = document.querySelector("iframe").contentDocument.querySelector("canvas"); return Math.abs(c.width - document.querySelector("#stage").getBoundingClientRect().width * ${deviceScaleFactor}) < 2; })()`;
    await page.waitForFunction(fits);
    await settled(page);
    assert.ok((await pixels(page)).colours > 20, `${width} px at ratio ${deviceScaleFactor}`);
    assert.equal((await lab(page, "state")).time, 71.2);
  }
  assert.equal(await settled(page), hash);
  assert.equal(await lab(page, "scene"), scene, "back at the first size it is the same picture");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a tab hidden for an hour goes on playing where it was", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71.replace("x=1", "x=0.1")}`, { before: withLateClock });
  await settled(page);
  await lab(page, "even", true); // no slow motion
  await lab(page, "play");
  await pause(600);
  const other = await freshPage(here.browser);
  await other.bringToFront();
  await page.waitForFunction("document.hidden", { polling: 100 });
  await pause(500);
  const before = (await lab(page, "state")).time;
  await page.evaluate(() => Object.assign(window, { hours: 1 }));
  await page.bringToFront();
  await other.close();
  const { frames } = await lab(page, "stats");
  await page.waitForFunction(`JSON.parse(document.querySelector("iframe").contentWindow.checkpointLab.stats()).frames > ${frames} + 3`);
  const after = await lab(page, "state");
  assert.ok(after.playing, "it plays");
  assert.ok(after.time > before && after.time < before + 5, `from ${before} s to ${after.time} s`);
  assert.ok((await pixels(page)).colours > 20);
  assert.deepEqual(errors, []);
  await page.close();
});

/** Runs inside the page and its frames before them: their clocks are late by window.hours of the page. */
function withLateClock() {
  const late = () => (/** @type {any} */ (window.top).hours ?? 0) * 3_600_000;
  const now = performance.now.bind(performance), next = requestAnimationFrame.bind(window);
  performance.now = () => now() + late();
  window.requestAnimationFrame = (f) => next((t) => f(t + late()));
}

test("without WebGL 2 stills stand in, follow the state, and the rest works", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html${state71}`, { before: () => {
    const original = HTMLCanvasElement.prototype.getContext;
    // @ts-ignore the same without one kind
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : original.call(this, kind, ...rest); };
  } });
  await settled(page);
  const still = () => page.$eval("#layer img", (e) => /** @type {HTMLImageElement} */ (e).src);
  const first = await still();
  assert.ok(decodeURIComponent(first).includes("source"), "the still has the job");
  assert.match(await page.$eval("#notice-text", (e) => e.textContent ?? ""), /WebGL 2 is off/);
  await page.click("#step");
  await pause(800);
  assert.notEqual(await still(), first);
  await page.close();
});

test("calls without their values, or with wrong ones, are answered and change nothing", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71}`);
  const hash = await settled(page);
  for (const [name, ...args] of [["apply"], ["set"], ["act"], ["seek"], ["seek", "soon"], ["speed"], ["place"], ["measure", 5], ["removeLane", "x"], ["export"], ["export", "nothing", 3]]) {
    // @ts-ignore the wrong values are the point
    await lab(page, name, ...args).catch(() => undefined);
  }
  await pause(300);
  assert.equal((await lab(page, "state")).time, 71.2);
  assert.equal(await settled(page), hash);
  assert.deepEqual(errors, []);
  await page.close();
});

test("the footer names the version that acts, and links to what is not modelled", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html${state71}&flinkVersion=1.20`);
  await settled(page);
  assert.equal(await page.$eval("#model", (e) => e.textContent), "Model of Flink 1.20.");
  await Promise.all([page.waitForNavigation(), page.$eval("footer a[href*='not-modelled']", (e) => /** @type {HTMLElement} */ (e).click())]);
  assert.equal(await page.$eval("#what-is-not-modelled", (e) => e.textContent), "What is not modelled");
  await page.close();
});
