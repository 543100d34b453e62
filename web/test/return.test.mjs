// What comes back by itself: a picture whose WebGL context was lost, and stills where none can be drawn; calls that are
// wrong change nothing; the footer tells the version and where the limits are listed.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, pause, pixels, session, settled, visit } from "../testkit.mjs";

const here = session();

const state71 = "#s=backpressure&t=71.2&x=1";

test("a lost context: the picture returns in the same state", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}&execution.checkpointing.interval=7+s`);
  const hash = await settled(page);
  await Promise.all([
    page.waitForNavigation({ timeout: 30_000 }),
    page.evaluate(() => document.querySelector("iframe")?.contentDocument?.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext()),
  ]);
  await page.waitForFunction("document.documentElement.dataset.ready === 'true'", { timeout: 60_000 });
  assert.equal(await settled(page), hash);
  assert.equal((await lab(page, "state")).time, 71.2);
  assert.ok((await pixels(page)).colours > 20);
  await page.close();
});

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
