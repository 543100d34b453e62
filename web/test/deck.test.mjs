// Embeds in pages of somebody else's: the reveal.js deck and the bare page of the examples; paper; and that everybody can use them.
// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { countDrawCalls, foreignSite, freshPage, pause, session, visit } from "../testkit.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const here = session();

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
  const page = await freshPage(here.browser);
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.evaluateOnNewDocument(countDrawCalls);
  await page.setViewport({ width: 1100, height: 760 });
  await page.goto(`${here.url}examples/reveal.html`);
  await page.waitForFunction("window.Reveal?.isReady()");
  const slide = () => page.evaluate("Reveal.getIndices().h");
  await page.keyboard.press("ArrowRight");
  const first = await frameOf(page, "scenario=backpressure");
  assert.equal(await slide(), 1);
  await first.$eval("#play", (e) => { /** @type {HTMLElement} */ (e).focus(); /** @type {HTMLElement} */ (e).click(); }); // a scaled slide misleads the test's pointer
  await pause(700);
  const calls = (/** @type {import("puppeteer-core").Frame} */ f) => f.evaluate(() => /** @type {any} */ (window).drawCalls);
  const playing = await calls(first);
  await first.waitForFunction((n) => /** @type {any} */ (window).drawCalls > n, {}, playing); // it plays on its slide

  await page.keyboard.press("ArrowRight"); // the focus is inside of the figure
  await pause(600);
  assert.equal(await slide(), 2, "an arrow goes on to the deck");
  const left = await calls(first);
  await pause(800);
  assert.equal(await calls(first), left, "nothing is drawn on a slide that was left");
  const second = await frameOf(page, "scenario=low-rate");
  await pause(800);
  assert.notEqual(await second.$eval("#clock", (e) => e.textContent), "0.000\u202fs", "autoplay begins with the slide");
  assert.equal(await page.$$eval("section.future checkpoint-lab iframe", (all) => all.length), 0, "none is live on a slide that comes");

  await page.evaluate("Reveal.slide(3)");
  await frameOf(page, "scenario=chapter");
  const live = () => page.$$eval("section.present checkpoint-lab iframe", (all) => all.map((f) => new URL(/** @type {HTMLIFrameElement} */ (f).src).searchParams.get("scenario")));
  assert.deepEqual(await live(), ["chapter"], "the first one of two is live");
  await page.click("section.present checkpoint-lab[scenario=two-inputs]");
  await frameOf(page, "scenario=two-inputs");
  await pause(600);
  assert.deepEqual(await live(), ["two-inputs"], "a click makes the other one live instead");
  await page.evaluate("Reveal.toggleOverview(true)");
  await pause(600);
  assert.ok((await page.$$eval("checkpoint-lab iframe", (all) => all.length)) <= 2, "the overview starts none");
  assert.deepEqual(errors, []);
  await page.close();
});

// Decks of others: how they hide what is not the current slide.
const decks = {
  "display, as Slidev does": (/** @type {string} */ slides) => `<style>.slidev-page { position: absolute; inset: 0 } .slidev-page:not(.on) { display: none }</style>${slides}`,
  "display of the slide's holder, as remark does": (/** @type {string} */ slides) => `<style>.holder { position: absolute; inset: 0; display: none } .holder:has(.on) { display: block }</style>${slides.replace(/<div class="slidev-page( on)?">/g, '<div class="holder"><div class="remark-slide$1">').replace(/<!-- end -->/g, "</div>")}`,
  "opacity and visibility, with a transition": (/** @type {string} */ slides) => `<style>section { position: absolute; inset: 0; opacity: 0; visibility: hidden; transition: opacity .5s, visibility .5s } section.on { opacity: 1; visibility: visible }</style>${slides.replace(/<div class="slidev-page( on)?">/g, '<section class="s$1">').replace(/<\/div><!-- end -->/g, "</section>")}`,
};

for (const [way, deck] of Object.entries(decks)) {
  test(`a deck that hides its slides by ${way}`, async () => {
    const figure = (/** @type {string} */ name) => `<checkpoint-lab lang="en" scenario="${name}" autoplay="1" style="width: 480px"><img alt="still"></checkpoint-lab>`;
    const slide = (/** @type {string} */ on, /** @type {string} */ inside) => `<div class="slidev-page${on}">${inside}</div><!-- end -->`;
    const html = `<!doctype html><meta charset="utf-8"><script src="${here.url}checkpoint-lab.js" defer></script>${deck([
      slide(" on", "<p>none</p>"), slide("", figure("low-rate") + figure("barrier")), slide("", figure("credits")), slide("", figure("skew"))].join(""))}`;
    const site = await foreignSite({ "/": html });
    const page = await freshPage(here.browser);
    await page.evaluateOnNewDocument(countDrawCalls);
    await page.setViewport({ width: 1100, height: 760 });
    await page.goto(site.url);
    const live = () => page.$$eval("checkpoint-lab", (all) => all.filter((e) => e.querySelector("iframe")).map((e) => e.getAttribute("scenario")));
    const turn = (/** @type {number} */ to) => page.evaluate((n) => document.querySelectorAll(".slidev-page, .remark-slide, [data-slide], section").forEach((e, i) => e.classList.toggle("on", i === n)), to);
    await pause(700);
    assert.deepEqual(await live(), [], "all figures are hidden");
    await turn(1);
    const first = await frameOf(page, "scenario=low-rate");
    assert.deepEqual(await live(), ["low-rate"]);
    await first.waitForFunction("checkpointLab && JSON.parse(checkpointLab.state()).playing");
    await turn(2);
    await frameOf(page, "scenario=credits");
    await pause(1200);
    const calls = () => first.evaluate(() => /** @type {any} */ (window).drawCalls);
    const left = await calls();
    await pause(700);
    assert.equal(await calls(), left, "a slide that was left draws nothing");
    await turn(1);
    await first.waitForFunction((n) => /** @type {any} */ (window).drawCalls > n, {}, left); // it goes on
    await pause(700); // until then a slide that fades away may lie above
    await page.click("checkpoint-lab[scenario=barrier]");
    await frameOf(page, "scenario=barrier");
    assert.deepEqual((await live()).filter((name) => name !== "credits"), ["barrier"], "a click makes the other one live instead");
    await turn(3);
    await frameOf(page, "scenario=skew");
    await pause(500);
    const all = await live();
    assert.ok(all.includes("skew") && all.length <= 3, `of the slides that were left the latest stay live: ${all}`);
    assert.ok(!all.includes("low-rate"));
    await page.close();
    await site.stop();
  });
}

test("in a page that is no deck every figure near the screen is live, and stays stopped when it is told to", async () => {
  const html = `<!doctype html><meta charset="utf-8"><script src="${here.url}checkpoint-lab.js" defer></script>
    <checkpoint-lab lang="en" scenario="low-rate" style="width: 480px"></checkpoint-lab><checkpoint-lab lang="en" scenario="barrier" style="width: 480px"></checkpoint-lab>
    <p style="height: 3000px"></p><checkpoint-lab lang="en" scenario="credits" style="width: 480px"></checkpoint-lab>`;
  const site = await foreignSite({ "/": html });
  const page = await freshPage(here.browser);
  await page.setViewport({ width: 1000, height: 800 });
  await page.goto(site.url);
  await frameOf(page, "scenario=low-rate");
  await frameOf(page, "scenario=barrier");
  const live = () => page.$$eval("checkpoint-lab", (all) => all.filter((e) => e.querySelector("iframe")).map((e) => e.getAttribute("scenario")));
  assert.deepEqual(await live(), ["low-rate", "barrier"]);
  await page.evaluate("document.querySelector('checkpoint-lab').stop()");
  await pause(600);
  assert.deepEqual(await live(), ["barrier"]);
  assert.ok(await page.$eval("checkpoint-lab img", (e) => /** @type {HTMLImageElement} */ (e).naturalWidth > 0), "its still is back");
  await page.close();
  await site.stop();
});

test("a picture has as many dots as the screen gives it, also where a deck makes its slides larger", async () => {
  const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="${here.url}checkpoint-lab.js" defer></script>
    <div style="width: 800px; transform-origin: 0 0; transform: scale(1.25)"><checkpoint-lab lang="en" scenario="low-rate" t="5"></checkpoint-lab></div>`;
  const site = await foreignSite({ "/": html });
  const page = await freshPage(here.browser);
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(site.url);
  const frame = await frameOf(page, "scenario=low-rate");
  for (const scale of [1.25, 1.7, 1]) {
    await page.evaluate((by) => { /** @type {HTMLElement} */ (document.querySelector("div")).style.transform = `scale(${by})`; }, scale);
    await frame.waitForFunction((by) => {
      const canvas = document.querySelector("canvas");
      return canvas && Math.abs(canvas.width - by * canvas.getBoundingClientRect().width) < 2;
    }, { timeout: 20_000 }, scale);
  }
  await page.close();
  await site.stop();
});

test("a figure that is moved in its page, or taken out and put back, is live again, once", async () => {
  const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="${here.url}checkpoint-lab.js" defer></script><div></div>
    <checkpoint-lab lang="en" scenario="low-rate" t="5" style="width: 480px"></checkpoint-lab>`;
  const site = await foreignSite({ "/": html });
  const page = await freshPage(here.browser);
  await page.setViewport({ width: 1000, height: 800 });
  await page.goto(site.url);
  await frameOf(page, "scenario=low-rate");
  for (const apart of [0, 700]) {
    await page.evaluate(async (ms) => {
      const figure = /** @type {HTMLElement} */ (document.querySelector("checkpoint-lab"));
      const parent = figure.parentElement === document.body ? document.querySelector("div") : document.body;
      if (ms > 0) figure.remove();
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      parent?.append(figure);
    }, apart);
    await page.waitForSelector("checkpoint-lab iframe");
    assert.equal(await page.evaluate("document.querySelector('checkpoint-lab').state().then((s) => s.time)"), 5, `apart for ${apart} ms`);
    assert.equal((await page.$$("checkpoint-lab iframe")).length, 1);
  }
  await page.close();
  await site.stop();
});

test("the bare page steers its figure by promises and hears its checkpoints", async () => {
  const page = await freshPage(here.browser);
  await page.setViewport({ width: 1000, height: 800 });
  await page.goto(`${here.url}examples/bare.html`);
  await page.$eval("#figure", (e) => e.scrollIntoView());
  const frame = await frameOf(page, "scenario=backpressure");
  await page.click("#next");
  await page.waitForFunction("document.getElementById('figure').state().then((s) => s.time > 60)");
  await page.evaluate("document.getElementById('figure').speed(30)");
  await page.click("#unaligned");
  await page.waitForFunction("/^checkpoint \\d+ completed/.test(document.getElementById('said').value)");
  assert.equal(await frame.$eval("#bar", (e) => getComputedStyle(e).display), "none", "controls=none");
  await page.close();
});

test("paper shows the still of the instant, light, with its source", async () => {
  const { page } = await visit(here.browser, `${here.url}embed.en.html?scenario=low-rate&t=5&theme=dark`, { width: 960, height: 540 });
  await page.waitForFunction("document.getElementById('paper').naturalWidth > 0");
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
      const { page } = await visit(here.browser, `${here.url}${lang === "en" ? "embed.en.html" : "embed.html"}?scenario=backpressure&t=20&theme=${theme}&knob=interval,debloat,mode&bad=1&controls=wide`, { width: 960, height: 540 });
      await page.setBypassCSP(true);
      await page.reload();
      await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
      await page.evaluate(axe);
      const found = await page.evaluate("axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')))");
      assert.deepEqual(found, []);
      await page.close();
    });
  }
}

test("every control of the embed is reached by Tab, and Tab leaves it", async () => {
  const { page } = await visit(here.browser, `${here.url}embed.en.html?scenario=low-rate&t=14&knob=interval`, { width: 960, height: 540 });
  await page.waitForFunction("document.documentElement.dataset.hash");
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
