// The companion page in Chromium: it boots at the section its address names, scrolling on runs the next one, and it
// complains about nothing, in both languages.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { contention, freshPage, mainThread, pixels, session, settled, slack, visit } from "../testkit.mjs";

const here = session();

/** Waits for a section's run. @param {import("puppeteer-core").Page} page @param {string} section @param {string} scenario */
async function reads(page, section, scenario) {
  await page.waitForFunction((s) => document.documentElement.dataset.scenario === s, {}, scenario);
  assert.equal(await page.$eval(".part[aria-current]", (e) => e.id), section);
  assert.equal(await page.evaluate(() => location.hash), `#${section}`, "the address names the section");
  return settled(page);
}

/** @param {import("puppeteer-core").Page} page @param {string} section */
const scrollTo = (page, section) => page.$eval(`#${section}`, (e) => e.scrollIntoView());

for (const [lang, file, heading] of [["ko", "", "간격 하나가 두 가지를 정한다"], ["en", "en.html", "One interval sets two things"]]) {
  test(`an address names a section and scrolling on changes the run (${lang})`, async () => {
    const { page, errors } = await visit(here.browser, `${here.url}${file}#a5`);
    assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
    assert.ok((await page.$eval("#a5 h2", (e) => e.textContent ?? "")).includes(heading));
    const chapter = await reads(page, "a5", "chapter");
    const drawn = await pixels(page);
    assert.ok(drawn.colours > 20, `the picture has ${drawn.colours} colours`);
    const caption = await page.$eval("#caption", (e) => e.textContent);
    assert.ok(caption);

    await scrollTo(page, "a14");
    const low = await reads(page, "a14", "low-rate");
    assert.notEqual(low, chapter, "another run");
    assert.notEqual(await page.$eval("#caption", (e) => e.textContent), caption, "of which the caption speaks");
    assert.match(await page.$eval("#to-lab", (e) => /** @type {HTMLAnchorElement} */ (e).hash), /s=low-rate/, "the lab opens the same run");

    await scrollTo(page, "a5");
    assert.equal(await reads(page, "a5", "chapter"), chapter, "back to the first");
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("a row of a section's table runs its variant", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}#a5`);
  const chapter = await reads(page, "a5", "chapter");
  await page.$eval("#a5 tr[data-run]", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForFunction((before) => !["", before].includes(document.documentElement.dataset.hash ?? ""), {}, chapter);
  assert.equal(await page.$$eval("#a5 tr[aria-current]", (rows) => rows.length), 1, "one row is marked");
  assert.deepEqual(errors, []);
  await page.close();
});

// While the program is on its way the figure is a still in the figure's own layout, in all of its place.
for (const [width, height, still] of /** @type {const} */ ([[1440, 900, "light.beside"], [960, 800, "light.beside"], [390, 844, "light.narrow"]])) {
  test(`until the program is up a still fills the figure, ${width} px`, async () => {
    const page = await freshPage(here.browser);
    await page.setViewport({ width, height });
    await page.setRequestInterception(true);
    page.on("request", (r) => { if (!r.url().includes(".wasm")) void r.continue(); }); // it never comes
    await page.goto(`${here.url}en.html`, { waitUntil: "domcontentloaded" });
    await page.waitForFunction(() => /** @type {HTMLImageElement} */ (document.querySelector("#poster img")).complete);
    const found = await page.evaluate(() => {
      const img = /** @type {HTMLImageElement} */ (document.querySelector("#poster img"));
      const stage = /** @type {HTMLElement} */ (document.getElementById("stage")).getBoundingClientRect(), box = img.getBoundingClientRect();
      return { source: img.currentSrc, natural: img.naturalWidth, covered: box.width * box.height / (stage.width * stage.height), told: document.getElementById("caption")?.innerText ?? "" };
    });
    assert.ok(found.source.endsWith(`backpressure.en.${still}.png`) && found.natural > 0, found.source);
    assert.ok(found.covered > 0.85, `the still has ${Math.round(found.covered * 100)} % of the figure's place`);
    assert.match(found.told, /Loading/);
    await page.close();
  });
}

// From opening the page to a changed interval and another curve, with what is in sight alone.
for (const [width, height] of [[1440, 900], [960, 700], [390, 844]]) {
  test(`a newcomer changes the interval on the first screen and sees the curve change, ${width} px`, async () => {
    const { page, errors } = await visit(here.browser, `${here.url}en.html`, { width, height, touch: width < 500 });
    const before = await settled(page);
    const control = await page.$("#own select");
    const box = await control?.boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height < height, `the interval is in sight: ${JSON.stringify(box)}`);
    assert.ok(await page.$eval("#plot", (e) => { const r = e.getBoundingClientRect(); return r.height > 80 && r.top < innerHeight; }), "and so is the curve");
    await page.select("#own select", "30 s");
    await page.waitForFunction((b) => !["", b].includes(document.documentElement.dataset.hash ?? ""), {}, before);
    assert.equal(await page.$eval("#own select", (e) => /** @type {HTMLSelectElement} */ (e).value), "30 s");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing stands out of the page");
    if (width < 1200) {
      await page.click("#view");
      assert.ok(await page.$eval("#pipe", (e) => e.getBoundingClientRect().height > 100), "the flow is a press away");
    }
    assert.deepEqual(errors, []);
    await page.close();
  });
}

// Once a section is reached, its run stands there at its instant: it was made ready while the reader was at the section before. What
// counts is the page's own processor time until the picture is there, which other work on this machine does not stretch much.
test("every section that is reached shows its run within 300 ms", async () => {
  const { page, errors } = await visit(here.browser, here.url, { lean: true });
  await settled(page);
  const busy = await mainThread(page);
  const sections = await page.$$eval(".part[data-run]:not(#start)", (all) => all.map((e) => e.id));
  assert.equal(sections.length, 27);
  /** @type {Map<string, number>} the least of up to three visits */
  const least = new Map();
  const told = [];
  const late = () => sections.filter((section) => !(Number(least.get(section)) <= 300 * slack));
  for (let round = 0; round < 3 && late().length > 0; round++) {
    await scrollTo(page, "start");
    for (const section of sections) {
      await page.waitForFunction((id) => (document.documentElement.dataset.ahead ?? "").split(" ").includes(document.getElementById(id)?.dataset.run ?? ""), { polling: 100 }, section);
      const before = await busy(), load = contention();
      const seen = await page.evaluate(reach, section);
      const took = 1000 * (await busy() - before);
      least.set(section, Math.min(took, least.get(section) ?? Infinity));
      if (round === 0) told.push(`${section} ${took.toFixed(0)} (${(seen.took / load).toFixed(0)} by the clock)`);
      assert.equal(seen.shows, "run", `${section} is shown as its still`);
    }
  }
  console.log(`  ms of processor time until a section's run is shown: ${told.join(", ")}`);
  assert.deepEqual(late().map((section) => `${section}: ${least.get(section)?.toFixed(0)} ms`), []);
  assert.deepEqual(errors, []);
  await page.close();
});

// Whoever jumps over sections sees the still at once and the run as soon as it is computed so far.
test("a section that nobody expected shows its still or its run within 300 ms", async () => {
  const { page, errors } = await visit(here.browser, here.url, { lean: true });
  await settled(page);
  const busy = await mainThread(page);
  const told = [];
  for (const section of ["b7", "a16", "a23", "a9", "a21"]) {
    const before = await busy();
    const seen = await page.evaluate(reach, section);
    const took = 1000 * (await busy() - before);
    told.push(`${section} ${took.toFixed(0)} (${seen.shows})`);
    assert.ok(took <= 300 * slack, `${section}: ${took.toFixed(0)} ms`);
    await page.waitForFunction("document.documentElement.dataset.shows === 'run'");
  }
  console.log(`  ms of processor time until a section is shown that was jumped to: ${told.join(", ")}`);
  assert.deepEqual(errors, []);
  await page.close();
});

/** Runs inside the page: scrolls to a section and waits until it is shown, its run or its still. @param {string} id */
async function reach(id) {
  const part = /** @type {HTMLElement} */ (document.getElementById(id)), root = document.documentElement;
  const wanted = /s=([a-z0-9-]+)/.exec(part.dataset.run ?? "")?.[1];
  const still = /** @type {HTMLImageElement} */ (document.getElementById("standin"));
  const from = performance.now();
  part.scrollIntoView({ behavior: "instant" });
  while (root.dataset.scenario !== wanted || root.dataset.shows === "still" && !(still.complete && still.naturalWidth > 0)) await new Promise((r) => requestAnimationFrame(r));
  await new Promise((r) => requestAnimationFrame(r));
  return { took: performance.now() - from, shows: root.dataset.shows };
}

// Answering, seeing the reason and what the run has shown, and doing the first task: with the page's own buttons alone.
test("a reader guesses, sees why and what the run has shown, and a task ticks itself off", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}en.html#a14`, { lean: true });
  await settled(page);
  const from = performance.now();
  assert.ok(await page.$eval("#a14 .said", (e) => e instanceof HTMLElement && e.hidden), "what the run has shown waits for the guess");
  await page.$eval("#a14 .ask .btn:nth-of-type(3)", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForSelector("#a14 .ask .btn.right");
  assert.ok((await page.$eval("#a14 .ask .why", (e) => e.textContent ?? "")).length > 40);
  assert.match(await page.$eval("#a14 .explain", (e) => /** @type {HTMLElement} */ (e).innerText), /at the sink after .*ms/);
  await page.$eval('#a14 [data-key="execution.buffer-timeout.interval"] :is(select, input)', (e) => {
    const control = /** @type {HTMLSelectElement} */ (e);
    if (control instanceof HTMLSelectElement) control.value = [...control.options].map((o) => o.value).find((v) => v.startsWith("5 ms") || v.startsWith("1 ms")) ?? "";
    else /** @type {HTMLInputElement} */ (e).value = "5 ms";
    control.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.waitForSelector("#a14 .tasks li.done");
  const took = performance.now() - from;
  assert.ok(took < 90_000 * contention(), `${(took / 1000).toFixed(1)} s`);
  assert.deepEqual(errors, []);
  await page.close();
});

// Without a picture or without the program the text has its stills, its tables and its numbers, and one sentence that says why.
for (const [what, take, why] of /** @type {[string, () => void, RegExp][]} */ ([
  ["WebGL2", () => { HTMLCanvasElement.prototype.getContext = () => null; }, /WebGL/],
  ["WebAssembly", () => { Object.defineProperty(window, "WebAssembly", { value: undefined }); }, /WebAssembly/],
])) {
  test(`without ${what} stills and tables are there`, async () => {
    const { page } = await visit(here.browser, `${here.url}en.html`, { before: take, ready: "document.documentElement.dataset.figure === 'still'" });
    assert.match(await page.$eval("#notice", (e) => (e instanceof HTMLElement && !e.hidden ? e.innerText : "")), why);
    assert.equal(await page.$eval("#figure", (e) => getComputedStyle(e).display), "none", "no empty picture stands beside the text");
    for (const id of [...Array.from({ length: 25 }, (_, i) => `a${i + 1}`), "b7", "b11"]) {
      const seen = await page.$eval(`#${id}`, (e) => ({ still: (e.querySelector(".paper-still")?.getBoundingClientRect().width ?? 0) > 100, said: (e.querySelector(".explain")?.getBoundingClientRect().height ?? 0) > 10 }));
      assert.ok(seen.still && seen.said, `${id}: ${JSON.stringify(seen)}`);
    }
    assert.ok((await page.$$("table.runs tbody tr")).length > 40);
    await page.close();
  });
}

test("without scripts stills and tables are there, at the anchors that books point to", async () => {
  const page = await freshPage(here.browser);
  await page.setJavaScriptEnabled(false);
  await page.goto(here.url);
  for (const id of [...Array.from({ length: 25 }, (_, i) => `a${i + 1}`), "b7", "b11"]) {
    const seen = await page.$eval(`#${id}`, (e) => ({ still: (e.querySelector(".paper-still")?.getBoundingClientRect().width ?? 0) > 100, said: (e.querySelector(".explain")?.textContent ?? "").length }));
    assert.ok(seen.still && seen.said > 10, id);
  }
  assert.ok((await page.$$("table.runs tbody tr")).length > 40);
  await page.close();
});
