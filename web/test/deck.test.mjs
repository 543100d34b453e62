// Embeds in pages of somebody else's: the reveal.js deck and the bare page of the examples; paper; and that everybody can use them.
// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium, countDrawCalls, pause, servePage, visit } from "../testkit.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
/** @type {import("puppeteer-core").Browser} */
let browser;

before(async () => {
  server = await servePage();
  browser = await chromium();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** @param {import("puppeteer-core").Page} page @param {string} part  of an embed's address */
async function frameOf(page, part) {
  for (let i = 0; i < 900; i++) {
    const frame = page.frames().find((f) => f.url().includes(part));
    if (frame && (await frame.evaluate(() => document.documentElement.dataset.ready === "true").catch(() => false))) return frame;
    await pause(100);
  }
  throw new Error(`no embed ${part}`);
}

test("a reveal.js deck: figures live on their slides only, keys go on to the deck", async () => {
  const page = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.evaluateOnNewDocument(countDrawCalls);
  await page.setViewport({ width: 1100, height: 760 });
  await page.goto(`${server.url}examples/reveal.html`);
  await page.waitForFunction("window.Reveal?.isReady()");
  const slide = () => page.evaluate("Reveal.getIndices().h");
  await page.keyboard.press("ArrowRight");
  const first = await frameOf(page, "scenario=backpressure");
  assert.equal(await slide(), 1);
  await first.$eval("#play", (e) => { /** @type {HTMLElement} */ (e).focus(); /** @type {HTMLElement} */ (e).click(); }); // a scaled slide misleads the test's pointer
  await pause(700);
  const calls = (/** @type {import("puppeteer-core").Frame} */ f) => f.evaluate(() => /** @type {any} */ (window).drawCalls);
  const playing = await calls(first);
  await first.waitForFunction((n) => /** @type {any} */ (window).drawCalls > n, { timeout: 20_000 }, playing); // it plays on its slide

  await page.keyboard.press("ArrowRight"); // the focus is inside of the figure
  await pause(600);
  assert.equal(await slide(), 2, "an arrow goes on to the deck");
  const left = await calls(first);
  await pause(800);
  assert.equal(await calls(first), left, "nothing is drawn on a slide that was left");
  const second = await frameOf(page, "scenario=low-rate");
  await pause(800);
  assert.notEqual(await second.$eval("#clock", (e) => e.textContent), "0.000\u202fs", "autoplay begins with the slide");

  assert.deepEqual(errors, []);
  await page.close();
});

test("the bare page steers its figure by promises and hears its checkpoints", async () => {
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 800 });
  await page.goto(`${server.url}examples/bare.html`);
  await page.$eval("#figure", (e) => e.scrollIntoView());
  const frame = await frameOf(page, "scenario=backpressure");
  await page.click("#next");
  await page.waitForFunction("document.getElementById('figure').state().then((s) => s.time > 60)");
  await page.evaluate("document.getElementById('figure').speed(30)");
  await page.click("#unaligned");
  await page.waitForFunction("/^checkpoint \\d+ completed/.test(document.getElementById('said').value)", { timeout: 30_000 });
  assert.equal(await frame.$eval("#bar", (e) => getComputedStyle(e).display), "none", "controls=none");
  await page.close();
});

test("paper shows the still of the instant, light, with its source", async () => {
  const { page } = await visit(browser, `${server.url}embed.en.html?scenario=low-rate&t=5&theme=dark`, { width: 960, height: 540 });
  await page.waitForFunction("document.getElementById('paper').naturalWidth > 0", { timeout: 30_000 });
  await page.emulateMediaType("print");
  const shown = await page.evaluate(() => {
    const paper = /** @type {HTMLImageElement} */ (document.getElementById("paper"));
    return { high: paper.getBoundingClientRect().height, src: decodeURIComponent(paper.src), stage: getComputedStyle(/** @type {Element} */ (document.getElementById("stage"))).display, source: document.getElementById("source")?.textContent ?? "" };
  });
  assert.ok(shown.high > 300);
  assert.equal(shown.stage, "none");
  assert.match(shown.src, /<svg/);
  assert.match(shown.source, /[Ss]eed 1.*5\.000 s.*lab\.html#s=low-rate/);
  const pdf = await page.pdf({ width: "960px", height: "700px", printBackground: true });
  assert.ok(pdf.length > 15_000, `a PDF of ${pdf.length} bytes has a picture in it`);
  await page.close();
});

for (const lang of ["ko", "en"]) {
  for (const theme of ["light", "dark"]) {
    test(`axe finds nothing in the embed, ${lang}, ${theme}`, async () => {
      const { page } = await visit(browser, `${server.url}${lang === "en" ? "embed.en.html" : "embed.html"}?scenario=backpressure&t=20&theme=${theme}&knob=interval,debloat,mode&bad=1&controls=wide`, { width: 960, height: 540 });
      await page.setBypassCSP(true);
      await page.reload();
      await page.waitForFunction("document.documentElement.dataset.ready === 'true'", { timeout: 60_000 });
      await page.evaluate(axe);
      const found = await page.evaluate("axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')))");
      assert.deepEqual(found, []);
      await page.close();
    });
  }
}

test("every control of the embed is reached by Tab, and Tab leaves it", async () => {
  const { page } = await visit(browser, `${server.url}embed.en.html?scenario=low-rate&t=14&knob=interval`, { width: 960, height: 540 });
  await page.waitForFunction("document.documentElement.dataset.hash", { timeout: 30_000 });
  /** @type {string[]} */
  const reached = [];
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => { const e = document.activeElement; return e === document.body || !e ? "" : e.id || e.getAttribute("data-group") || e.getAttribute("aria-label") || ""; });
    if (now === "" && reached.length > 0) break;
    reached.push(now);
  }
  for (const id of ["pipeline", "plot", "back", "play", "step", "scrub", "lab"]) assert.ok(reached.includes(id), `${id} in ${reached.join(" ")}`);
  assert.ok(reached.length < 30, "no trap");
  await page.close();
});
