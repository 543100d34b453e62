// Playing: slow motion, loops, zoom, interventions, and the way back.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, pause, pixels, session, settled, visit } from "../testkit.mjs";

const here = session();

test("slow motion where something is worth seeing, told beside the clock, and off by a button", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html#s=backpressure&t=39.5&x=60`);
  await settled(page);
  await page.click("#play");
  await pause(1200);
  const slow = await lab(page, "state");
  assert.ok(slow.time < 45, `60× for a second went to ${slow.time} s, over the first alignment at 40 s`);
  assert.match(await page.$eval("#pace", (e) => e.textContent ?? ""), /×$/);
  await page.click("#slow");
  await pause(1500);
  assert.ok((await lab(page, "state")).time > 60, "at one speed");
  assert.equal(await page.$eval("#slow", (e) => e.getAttribute("aria-pressed")), "false");
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test("a loop and a zoomed axis travel in the link; the scrubber runs over what is shown", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html#s=backpressure&t=60&x=1`);
  await settled(page);
  await page.keyboard.press("l");
  await lab(page, "seek", 61);
  await page.keyboard.press("l");
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  await pause(300);
  assert.match(await page.evaluate(() => location.hash), /l=60-61/);
  const { axis } = await lab(page, "state");
  assert.ok(axis[1] - axis[0] < 23 && axis[0] <= 61 && axis[1] >= 61, `axis ${axis}`);
  await page.$eval("#scrub", (e) => { Object.assign(e, { value: "5000" }); e.dispatchEvent(new Event("input")); });
  await pause(200);
  assert.ok(Math.abs((await lab(page, "state")).time - (axis[0] + axis[1]) / 2) < 0.01);
  await lab(page, "seek", 60.5);
  await page.keyboard.press("Space");
  await pause(2500);
  const { time } = await lab(page, "state");
  assert.ok(time >= 60 && time <= 61, `loops at ${time}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("interventions at the playhead: kill, savepoint, slow, rate; the link carries them, reset takes them back", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure&t=50&x=1`);
  const before = await settled(page);
  await page.keyboard.press("i");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "act-kill");
  await page.select("#act-kill", "map\n1");
  await page.click("#act-do-kill");
  const killed = await settled(page);
  assert.notEqual(killed, before);
  await page.click("#act-do-savepoint");
  await settled(page);
  await page.$eval("#act-cost", (e) => { /** @type {HTMLInputElement} */ (e).value = "soon"; });
  await page.click("#act-do-slow");
  await pause(200);
  assert.match(await page.$eval("#act-result", (e) => e.textContent ?? ""), /soon/, "a mistake is told where it is made");
  const state = await lab(page, "state");
  assert.equal(state.acting.actions.length, 3);
  assert.equal(state.time, 50, "the playhead stays");
  const hash = await settled(page);
  const again = await visit(here.browser, `${here.url}lab.en.html${await page.evaluate(() => location.hash)}`);
  assert.equal(await settled(again.page), hash);
  await again.page.close();
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "act-open");
  await page.click("#reset");
  assert.equal(await settled(page), before);
  assert.equal((await lab(page, "state")).time, 0);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a frame paints what has changed, and that leaves the picture that painting all of it makes", async () => {
  for (const [page, ratio] of /** @type {[string, number][]} */ ([["lab.html#s=backpressure&t=39&x=1", 1], ["lab.en.html#s=skew&t=20&x=1", 1.5]])) {
    const { page: tab } = await visit(here.browser, here.url + page, { ratio, height: 400 }); // so that some of it is below the window
    await settled(tab);
    await lab(tab, "play");
    await pause(1500);
    await lab(tab, "pause");
    await rested(tab, 0);
    const kept = await pixels(tab), { frames } = await lab(tab, "stats");
    assert.ok(kept.colours > 20, `${page}: ${kept.colours} colours`);
    await tab.evaluate(() => document.querySelector("iframe")?.contentWindow?.dispatchEvent(new Event("resize"))); // clears the canvas
    await rested(tab, frames + 1);
    assert.deepEqual(await pixels(tab), kept, page);
    await tab.close();
  }
});

/**
 * Waits until at least so many frames were drawn and no other one comes.
 * @param {import("puppeteer-core").Page} page
 * @param {number} least
 */
async function rested(page, least) {
  for (let before = -1, now = -2; now < least || now !== before;) {
    await pause(700);
    before = now;
    now = (await lab(page, "stats")).frames;
  }
}
