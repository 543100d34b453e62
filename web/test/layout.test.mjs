// The layouts: nothing sticks out, touch targets are large enough, the phone has its sheet, paper its still.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { pause, session, settled, visit } from "../testkit.mjs";

const here = session();

const state = "#s=backpressure&t=71.2&x=1";

for (const [width, height] of [[1440, 900], [960, 540], [390, 844], [320, 640]]) {
  for (const path of ["lab.html", "lab.en.html"]) {
    test(`${width} px${path === "lab.en.html" ? ", in English" : ""}: nothing sticks out and the picture fits its place`, async () => {
      const { page, errors } = await visit(here.browser, here.url + path + state, { width, height, touch: width < 720, lean: true });
      await settled(page);
      const found = await page.evaluate(() => {
        const frame = /** @type {HTMLElement} */ (document.querySelector("iframe")).getBoundingClientRect();
        const stage = /** @type {HTMLElement} */ (document.getElementById("stage")).getBoundingClientRect();
        return {
          wide: document.documentElement.scrollWidth - innerWidth,
          off: Math.max(...["left", "top", "right", "bottom"].map((side) => Math.abs(/** @type {any} */ (frame)[side] - /** @type {any} */ (stage)[side]))),
          lines: Math.round(/** @type {HTMLElement} */ (document.getElementById("caption")).clientHeight / 23),
        };
      });
      assert.ok(found.wide <= 0, `the page is ${found.wide} px too wide`);
      assert.ok(found.off <= 1.5, `the picture is ${found.off} px off its place`);
      if (width === 1440) assert.equal(found.lines, 1, "the caption stays one line");
      assert.deepEqual(errors, []);
      await page.close();
    });
  }
}

test("a caption's line does not end between a number and its unit", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure&t=30.5&x=1`, { lean: true });
  await settled(page);
  assert.match(await page.$eval("#caption", (e) => e.textContent ?? ""), /^A record now takes the sinks 200\u202fµs\. /);
  await page.close();
});

test("on a phone every control is at least 44 px high, and the sheet holds the settings", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state}`, { width: 390, height: 844, touch: true, lean: true });
  await settled(page);
  await page.click("#menu");
  await page.click("#settings");
  await pause(300);
  const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, a.btn")].filter((e) => {
    const r = e.getBoundingClientRect();
    if (r.width === 0 || getComputedStyle(e).visibility === "hidden" || e.closest(".sr")) return false;
    const reach = parseFloat(getComputedStyle(e, "::before").inset) || 0; // a switch reaches beyond its edge
    return r.height - 2 * Math.min(0, reach) < 44 - 0.5;
  }).map((e) => `${e.tagName} ${e.id || e.className}: ${e.getBoundingClientRect().height}`));
  assert.deepEqual(small, []);
  const sheet = await page.evaluate(() => {
    const r = /** @type {HTMLElement} */ (document.getElementById("drawer")).getBoundingClientRect();
    return { bottom: r.bottom, knobs: document.querySelectorAll("#drawer .knob").length };
  });
  assert.equal(Math.round(sheet.bottom), 844, "the sheet stands at the bottom");
  assert.equal(sheet.knobs, 3, "the three main settings are in it");
  await page.close();
});

test("on a phone a finger scrolls the page over the picture", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state}`, { width: 390, height: 844, touch: true, lean: true });
  await settled(page);
  await page.touchscreen.touchStart(190, 500);
  for (let y = 480; y >= 300; y -= 20) {
    await page.touchscreen.touchMove(190, y);
    await pause(30);
  }
  await page.touchscreen.touchEnd();
  await pause(500);
  assert.ok((await page.evaluate(() => scrollY)) > 100);
  await page.close();
});

test("on a phone the curve of two subtasks a vertex is seen above what is docked", async () => {
  for (const [width, height] of [[390, 844], [390, 664], [430, 932]]) {
    const { page } = await visit(here.browser, `${here.url}lab.html${state}`, { width, height, touch: true, lean: true });
    await settled(page);
    const seen = await page.evaluate(() => [document.getElementById("plot"), document.getElementById("transport")].map((e) => e?.getBoundingClientRect().toJSON()));
    assert.ok((seen[0]?.height ?? 0) >= (height === 664 ? 116 : 132) && (seen[0]?.bottom ?? 1e9) <= (seen[1]?.top ?? 0) + 1, `${width} × ${height}: the curve ends at ${seen[0]?.bottom}, what is docked begins at ${seen[1]?.top}`);
    await page.close();
  }
});

test("a finger that scrolls leaves the slider as it was on which it began, and one that slides moves it", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state}`, { width: 390, height: 844, touch: true, lean: true });
  await settled(page);
  const clock = () => page.$eval("#clock-value", (e) => e.textContent);
  const swipe = async (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const box = /** @type {DOMRect} */ (await page.$eval("#scrub", (e) => e.getBoundingClientRect().toJSON()));
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    await page.touchscreen.touchStart(x, y);
    for (let i = 1; i <= 10; i++) {
      await page.touchscreen.touchMove(x + (dx * i) / 10, y + (dy * i) / 10);
      await pause(30);
    }
    await page.touchscreen.touchEnd();
    await pause(500);
  };
  const before = await clock();
  await swipe(0, -160);
  assert.ok((await page.evaluate(() => scrollY)) > 60, "the page scrolls");
  assert.equal(await clock(), before);
  await swipe(60, 0);
  assert.notEqual(await clock(), before);
  await page.close();
});

test("paper shows the caption, a still and where it came from, in light colours", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state}`, { media: [{ name: "prefers-color-scheme", value: "dark" }] });
  await settled(page);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.setViewport({ width: 794, height: 1123 });
  await page.emulateMediaType("print");
  await pause(300);
  const seen = await page.evaluate(() => {
    const stills = /** @type {HTMLImageElement[]} */ ([...document.querySelectorAll(".paper-still")]);
    return {
      in: stills.map((e) => e.parentElement?.id), widths: stills.map((e) => [e.naturalWidth, e.getBoundingClientRect().width]), right: Math.max(...stills.map((e) => e.getBoundingClientRect().right - innerWidth)), source: document.getElementById("source")?.textContent ?? "",
      controls: getComputedStyle(/** @type {Element} */ (document.querySelector(".ctl"))).display,
      frame: document.querySelector("iframe")?.getClientRects().length,
    };
  });
  assert.deepEqual(seen.in, ["pipe", "plot", "gantt"]);
  for (const [own, shown] of seen.widths) assert.ok(shown >= 0.8 * own, `a still of ${own} px is ${shown} px wide: its words are small`);
  assert.ok(seen.right <= 0, `a still ends ${seen.right} px behind the paper`);
  assert.match(seen.source, /42.*71\.200.*http.*s=backpressure/);
  assert.equal(seen.controls, "none");
  assert.equal(seen.frame, 0, "the live picture is not printed");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.$(".paper-still"), null);
  await page.close();
});

test("reduced motion plays at most four pictures a second, and nothing by itself", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html`, { lean: true, media: [{ name: "prefers-reduced-motion", value: "reduce" }] });
  await settled(page);
  const get = (/** @type {string} */ name) => page.evaluate((n) => JSON.parse(/** @type {any} */ (document.querySelector("iframe")?.contentWindow).checkpointLab[n]()), name);
  assert.equal((await get("state")).playing, false, "the first visit does not play by itself");
  await page.click("#play");
  await pause(500);
  const from = (await get("stats")).frames;
  await pause(3000);
  const shown = (await get("stats")).frames - from;
  assert.ok(shown >= 1 && shown <= 13, `${shown} pictures in three seconds`);
  await page.close();
});
