// The lab page in Chromium: it boots, every control changes the run, the page keeps its keys and its scrolling, and
// nothing is drawn while nothing changes.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { countDrawCalls, inTime, lab, pause, pixels, session, settled, visit } from "../testkit.mjs";

const here = session();

const state71 = "#s=backpressure&t=71.2&x=1";

test("the page boots within 4 s, shows a picture and complains about nothing", async () => {
  await inTime(async () => {
    const { page, errors, boot } = await visit(here.browser, `${here.url}lab.html${state71}`);
    await settled(page);
    const all = await pixels(page);
    assert.ok(all.colours > 20, `the picture has ${all.colours} colours`);
    assert.equal(await page.$eval("#clock-value", (e) => e.textContent), "71.200");
    assert.deepEqual(errors, []);
    await page.close();
    return { said: `booted in ${Math.round(boot)} ms`, slow: boot / 4000 };
  });
});

test("nothing is drawn while nothing changes, nor off the screen", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`, { before: countDrawCalls });
  await settled(page);
  const calls = () => page.evaluate(() => /** @type {any} */ (document.querySelector("iframe")?.contentWindow).drawCalls);
  const before = await calls();
  assert.ok(before > 0, "the first picture was drawn with WebGL");
  await pause(1500);
  assert.equal(await calls(), before, "paused");
  await lab(page, "stepForward");
  await pause(500);
  const stepped = await calls();
  assert.ok(stepped > before, "a step is drawn");
  await page.evaluate(() => { document.body.style.paddingTop = "3000px"; });
  await pause(300);
  await lab(page, "play");
  await pause(300);
  const hidden = await calls();
  await pause(1000);
  assert.equal(await calls(), hidden, "playing off the screen");
  await page.close();
});

test("each control changes the run or the playhead", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71}`);
  let hash = await settled(page);
  const clock = () => page.$eval("#clock-value", (e) => e.textContent ?? "");
  /** @param {string} what @param {() => Promise<unknown>} act */
  const changesRun = async (what, act) => {
    await act();
    const now = await settled(page);
    assert.notEqual(now, hash, what);
    assert.equal(await clock(), "71.200", `${what} keeps the playhead`);
    hash = now;
  };
  await changesRun("interval", () => page.$eval("[data-key='execution.checkpointing.interval'] .slide", move));
  await changesRun("interval, typed", () => type(page, "[data-key='execution.checkpointing.interval'] .val", "7 s"));
  await changesRun("buffer timeout", () => page.$eval("[data-key='execution.buffer-timeout.interval'] .slide", move));
  await changesRun("debloating", () => page.click("[data-key='taskmanager.network.memory.buffer-debloat.enabled'] .sw"));
  await changesRun("seed", () => type(page, "#seed", "7"));
  await changesRun("reroll", () => page.click("#reroll"));
  await page.click("#more");
  await changesRun("unaligned, in the drawer", () => page.select("#fields [data-key='execution.checkpointing.unaligned.enabled'] select", "true"));
  await changesRun("pasted block", async () => {
    await page.$eval("#paste", (e) => { /** @type {HTMLTextAreaElement} */ (e).value = "flink:\n  execution.checkpointing.interval: 4 s\n"; });
    await page.click("#apply");
  });
  await page.keyboard.press("Escape");
  assert.equal(await page.$eval("#drawer", (e) => /** @type {HTMLElement} */ (e).hidden), true, "Escape closes the drawer");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "more", "and gives the focus back");

  await page.click("#step");
  await pause(200);
  const stepped = Number(await clock());
  assert.ok(stepped > 71.2, `a step on: ${stepped}`);
  await page.click("#back");
  await page.click("#back");
  await pause(200);
  assert.ok(Number(await clock()) < stepped, "a step back");
  await page.$eval("#scrub", (e) => { Object.assign(e, { value: "5000" }); e.dispatchEvent(new Event("input")); });
  await pause(300);
  assert.equal(await clock(), "45.000", "scrubbed to the middle");
  await page.click("#play");
  await pause(600);
  await page.click("#play");
  await pause(200);
  assert.ok(Number(await clock()) > 45.1, "played");
  await page.click("#home");
  await pause(200);
  assert.equal(await clock(), "0.000");
  await page.select("#scenario", "chapter");
  await settled(page);
  assert.match(await page.evaluate(() => location.hash), /s=chapter/);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a change leaves the former curve as a ghost", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  assert.equal((await lab(page, "state")).ghost, false);
  await lab(page, "set", "execution.checkpointing.interval", "3 s");
  for (let i = 0; i < 50 && !(await lab(page, "state")).ghost; i++) await pause(200); // the new run is computed past the playhead first
  assert.equal((await lab(page, "state")).ghost, true);
  await page.close();
});

test("slow motion shows a barrier on its way that takes milliseconds", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html#s=backpressure&t=10&x=0.001`);
  await settled(page);
  const wanted = () => lab(page, "state").then((s) => s.time);
  const from = await wanted();
  await lab(page, "play");
  await pause(2000);
  await lab(page, "pause");
  const played = (await wanted()) - from;
  assert.ok(played > 0.0012 && played < 0.0026, `2 s at 0.001× played ${played * 1000} ms`);
  await page.close();
});

test("keys: space, arrows, Home, End, speed and help; not while typing; letters can be switched off", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  const get = () => lab(page, "state");
  await page.keyboard.press("ArrowRight");
  await pause(150);
  const on = await get();
  assert.ok(on.time > 71.2);
  await page.keyboard.press("ArrowLeft");
  await pause(150);
  assert.ok((await get()).time < on.time);
  await page.keyboard.down("Shift");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.up("Shift");
  await pause(150);
  assert.equal(Math.round((await get()).time), 80, "the next checkpoint starts at 80 s");
  await page.keyboard.press("End");
  await pause(150);
  assert.equal((await get()).time, 90);
  await page.keyboard.press("Home");
  await pause(150);
  assert.equal((await get()).time, 0);
  await page.keyboard.press("Space");
  await pause(150);
  assert.equal((await get()).playing, true);
  await page.keyboard.press("Space");
  await pause(150);
  assert.equal((await get()).playing, false);
  await page.keyboard.press("+");
  assert.equal((await get()).speed, 2);
  await page.keyboard.press("-");
  assert.equal((await get()).speed, 1);
  await page.focus("#seed");
  await page.keyboard.press("Space");
  await pause(150);
  assert.equal((await get()).playing, false, "a space typed into a field does not play");
  await page.$eval("#seed", (e) => /** @type {HTMLElement} */ (e).blur());
  await page.keyboard.press("?");
  assert.equal(await page.$eval("#keys", (e) => /** @type {HTMLDialogElement} */ (e).open), true);
  await page.click("#letters");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Space");
  await pause(150);
  assert.equal((await get()).playing, false, "letters are off");
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test("Tab passes through the picture in a stop per group, arrows move inside, Enter pins", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  const seen = [];
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const e = /** @type {HTMLElement} */ (document.activeElement);
      return e.dataset.group ? `group ${e.dataset.group}` : e.id || e.tagName;
    });
    seen.push(now);
    if (now === "open-keys") break;
  }
  assert.ok(seen.includes("open-keys"), `Tab reaches the end of the page: ${seen.join(", ")}`);
  assert.ok(!seen.includes("IFRAME"), "the picture's frame takes no Tab");
  const groups = seen.filter((s) => s.startsWith("group "));
  assert.deepEqual([...new Set(groups)], groups, `one stop per group: ${groups.join(", ")}`);
  assert.ok(groups.includes("group pipeline"));

  const id = () => page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).dataset.id ?? "");
  await page.focus("#targets [data-group='pipeline'][tabindex='0']");
  const first = await id();
  await page.keyboard.press("ArrowRight");
  const second = await id();
  assert.notEqual(second, first, "an arrow moves inside the group");
  await pause(200);
  const readout = await page.$eval("#readout", (e) => e.textContent);
  assert.ok(readout && readout.length > 5, `what has the focus is read: ${readout}`);
  await page.keyboard.press("Enter");
  await page.focus("#play");
  await pause(300);
  assert.equal(await page.$eval("#readout", (e) => /** @type {HTMLElement} */ (e).hidden), false, "pinned: it stays");
  await page.keyboard.press("Escape");
  await pause(300);
  assert.equal(await page.$eval("#readout", (e) => /** @type {HTMLElement} */ (e).hidden), true, "Escape unpins");
  await page.close();
});

test("the wheel over the picture scrolls the page", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`, { height: 500 });
  await settled(page);
  await page.mouse.move(500, 400);
  await page.mouse.wheel({ deltaY: 200 });
  await pause(400);
  assert.ok((await page.evaluate(() => scrollY)) > 100);
  await page.close();
});

test("the pointer reads a card and a click pins it", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html${state71}`);
  await settled(page);
  const card = (await lab(page, "targets").then((t) => JSON.parse(t))).find((/** @type {any} */ t) => t.id.startsWith("card-"));
  const origin = await page.$eval("#stage", (e) => { const r = e.getBoundingClientRect(); return { x: r.x, y: r.y }; });
  await page.mouse.move(origin.x + card.box.x + 20, origin.y + card.box.y + 30);
  await pause(300);
  assert.match((await page.$eval("#readout", (e) => e.textContent)) ?? "", /source 0/);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(5, 5);
  await pause(300);
  assert.match((await page.$eval("#readout", (e) => e.textContent)) ?? "", /source 0/);
  await page.close();
});

test("the trace hash is the native one", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html#s=chapter`);
  const hash = await settled(page);
  assert.equal(hash, await nativeHash("chapter"));
  await page.close();
});

test("language changes in place, theme follows and stays", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  await page.click("#more");
  await page.type("#paste", "not yet applied");
  const light = await pixels(page);
  await page.$eval("a[data-lang='en']", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForFunction("document.documentElement.lang === 'en'");
  await pause(300);
  assert.match(await page.evaluate(() => location.pathname), /en\.html$/);
  assert.equal(await page.$eval(".brand", (e) => e.textContent), "Checkpoint Lab");
  assert.equal(await page.$eval("#paste", (e) => /** @type {HTMLTextAreaElement} */ (e).value), "not yet applied", "nothing typed is lost");
  assert.notEqual((await pixels(page)).hash, light.hash, "the picture speaks English");
  await page.$eval("#theme", (e) => /** @type {HTMLElement} */ (e).click());
  await pause(300);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.reload();
  await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test("a change of the pixel ratio sharpens the picture without a reload", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  const width = () => page.evaluate(() => document.querySelector("iframe")?.contentDocument?.querySelector("canvas")?.width ?? 0);
  const one = await width();
  await page.setViewport({ width: 1441, height: 900, deviceScaleFactor: 2 }); // the ratio alone is not told under emulation
  await pause(800);
  assert.equal(await width(), 2 * (one + 1));
  assert.ok((await pixels(page)).colours > 20);
  await page.close();
});

/** @param {Element} e */
function move(e) {
  const slide = /** @type {HTMLInputElement} */ (e);
  slide.value = String(Number(slide.value) - 2);
  slide.dispatchEvent(new Event("input"));
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} selector
 * @param {string} value
 */
async function type(page, selector, value) {
  await page.click(selector, { count: 3 });
  await page.keyboard.type(value);
  await page.keyboard.press("Tab");
}

/** @param {string} scenario */
async function nativeHash(scenario) {
  const { execFileSync } = await import("node:child_process");
  const out = execFileSync("go", ["run", "./cmd/lab", "run", scenario, "--json"], { cwd: new URL("../..", import.meta.url).pathname, maxBuffer: 1 << 26 });
  return JSON.parse(String(out)).trace_hash;
}
