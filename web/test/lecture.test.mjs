// The lecture: every slide shows what it should in both languages, its keys work, its rows run, and paper is not blank.
// @ts-check
import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { test } from "node:test";
import { freshPage, session, visit } from "../testkit.mjs";

const here = session();

/**
 * Waits until the figure of the current slide is up, and returns its state.
 * @param {import("puppeteer-core").Page} page
 */
function figure(page) {
  return page.evaluate(() => /** @type {any} */ (document.querySelector("section.present checkpoint-lab"))?.call("state"));
}

for (const [lang, name] of [["ko", "lecture.html"], ["en", "lecture.en.html"]]) {
  test(`every slide, ${lang}`, async () => {
    const { page, errors } = await visit(here.browser, `${here.url}${name}`, { width: 1280, height: 720 });
    const slides = await page.$$eval(".slides > section", (all) => all.map((s) => ({
      id: s.id, title: s.querySelector("h2")?.textContent ?? "", lead: s.querySelector(".lead")?.textContent ?? "", notes: s.querySelector(".notes")?.textContent ?? "",
      scenario: s.querySelector("checkpoint-lab")?.getAttribute("scenario"), hidden: !!s.querySelector(".fragment checkpoint-lab"),
      cells: [...s.querySelectorAll("tbody td")].map((c) => c.textContent), still: s.querySelector("img")?.getAttribute("src"),
    })));
    assert.ok(slides.length >= 24 && slides.length <= 30, `${slides.length} slides`);
    for (const [i, s] of slides.entries()) {
      const where = `${i + 1} ${s.id}`;
      assert.ok(s.title.length > 3 && s.lead.length > 20, `${where}: no title or text`);
      assert.equal(/[가-힣]/.test(s.title + s.lead), lang === "ko", `${where}: ${s.title} ${s.lead}`);
      assert.match(s.notes, /\d/, `${where}: notes without a number`);
      assert.doesNotMatch(s.title + s.lead + s.notes, /[{}]|undefined|NaN/, where);
      assert.equal(await page.evaluate("Reveal.getCurrentSlide().id"), s.id, "the arrow turns slides one by one");
      const fits = await page.$eval("section.present .slide", (e) => [...e.querySelectorAll(".left, .left *")].every((c) => c.getBoundingClientRect().bottom <= e.getBoundingClientRect().bottom + 1));
      assert.ok(fits, `${where}: text below the slide`);
      if (s.hidden) {
        assert.equal(await page.$eval("section.present", (e) => e.querySelectorAll("iframe").length), 0, `${where}: the answer's figure waits`);
        await page.keyboard.press("ArrowRight");
      }
      if (i % (lang === "ko" ? 4 : 9) === 0) { // a figure takes seconds to come up where nothing but a processor draws
        await page.waitForSelector("section.present checkpoint-lab iframe");
        const state = await figure(page);
        assert.equal(state.scenario, s.scenario, where);
        await page.waitForFunction(async () => (await /** @type {any} */ (document.querySelector("section.present checkpoint-lab")).call("state")).time > 0); // its instant
        assert.ok((await page.$$("checkpoint-lab iframe")).length <= 3, `${where}: figures of slides that were left are gone`);
      }
      await page.keyboard.press("ArrowRight");
    }
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("T makes slides and figures dark and light again, and paper stays light", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lecture.en.html?theme=dark#/lost`, { width: 1280, height: 720 });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number)[0] ?? NaN);
  const framed = (/** @type {string} */ theme) => page.waitForFunction((t) => /** @type {HTMLIFrameElement | null} */ (document.querySelector("section.present checkpoint-lab iframe"))?.contentDocument?.documentElement.dataset.theme === t, {}, theme);
  const stills = () => page.$$eval("checkpoint-lab img", (all) => [...new Set(all.filter((i) => getComputedStyle(i).display !== "none").map((i) => i.className))].join());
  assert.ok(await ground() < 60, "dark from the start");
  assert.equal(await stills(), "dark");
  await framed("dark");
  await page.keyboard.press("t");
  assert.ok(await ground() > 200);
  assert.equal(await stills(), "light");
  await framed("light");
  await page.keyboard.press("t");
  await framed("dark");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await ground() > 200, "paper is light");
  assert.equal(await stills(), "light");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.ok(await ground() < 60);
  assert.deepEqual(errors, []);
  await page.close();
});

test("rows run in the figure, P plays it, and the speaker's window follows", async () => {
  const { page } = await visit(here.browser, `${here.url}lecture.en.html#/transactions`, { width: 1280, height: 720 });
  await page.waitForSelector("section.present checkpoint-lab iframe");
  const link = () => page.evaluate(() => /** @type {any} */ (document.querySelector("section.present checkpoint-lab")).call("link"));
  assert.match(await link(), /transactionTimeout=5/, "the slide's own setting");
  await page.$eval("section.present tbody tr:nth-child(2) a", (a) => /** @type {HTMLElement} */ (a).click());
  await page.waitForFunction(async () => (await /** @type {any} */ (document.querySelector("section.present checkpoint-lab")).call("state")).playing);
  assert.match(await link(), /transactionTimeout=20/);
  assert.equal(await page.$eval("section.present tr[aria-current] a", (e) => e.textContent), "20 s");
  await page.keyboard.press("p");
  await page.waitForFunction(async () => !(await /** @type {any} */ (document.querySelector("section.present checkpoint-lab")).call("state")).playing);

  const { page: speaker } = await visit(here.browser, `${here.url}lecture.en.html?speaker`, { width: 900, height: 700 });
  const title = () => speaker.$eval("#now", (e) => e.textContent);
  await speaker.waitForFunction("document.getElementById('now').textContent.startsWith('A transaction')");
  assert.match(await speaker.$eval("#said", (e) => e.textContent ?? ""), /The figure at/);
  await speaker.keyboard.press("ArrowRight");
  await speaker.waitForFunction("!document.getElementById('now').textContent.startsWith('A transaction')");
  assert.equal(await page.evaluate("Reveal.getCurrentSlide().querySelector('h2').textContent"), await title());
  await speaker.close();
  await page.close();
});

/** Pages of a PDF, and how many drawing operators each of its content streams has. @param {Uint8Array} pdf */
function drawn(pdf) {
  const text = Buffer.from(pdf).toString("latin1");
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  let strokes = 0;
  for (const m of text.matchAll(/stream\r?\n/g)) {
    const from = m.index + m[0].length;
    try {
      strokes += inflateSync(Buffer.from(text.slice(from, text.indexOf("endstream", from)), "latin1")).toString("latin1").match(/\b(re|l|m|c|Tj|TJ)\b/g)?.length ?? 0;
    } catch { /* a font or a picture in another coding */ }
  }
  return { pages, strokes };
}

for (const [way, query] of [["with ?print-pdf", "?print-pdf"], ["of the deck as it is shown", ""]]) {
  test(`paper ${way} has a page a slide with its still`, async () => {
    const { page, errors } = await visit(here.browser, `${here.url}lecture.html${query}`, { width: 1280, height: 720 });
    const count = (await page.$$(".slides > section")).length;
    await page.waitForFunction("[...document.querySelectorAll('.slides img.light')].every((i) => i.complete && i.naturalWidth > 0)");
    if (query) assert.equal((await page.$$("iframe")).length, 0, "no program runs for paper");
    const pdf = await page.pdf({ width: "1280px", height: "720px", printBackground: true, preferCSSPageSize: true });
    const { pages, strokes } = drawn(pdf);
    assert.ok(pdf.length > 20_000 * count, `a PDF of ${pdf.length} bytes has its stills`);
    assert.equal(pages, count);
    assert.ok(strokes > 20 * count, `${strokes} strokes on ${count} pages`);
    await page.emulateMediaType("print");
    const bad = await page.$$eval(".slides > section", (all) => all.filter((s) => {
      const image = /** @type {HTMLImageElement} */ (s.querySelector("img"));
      const box = image.getBoundingClientRect();
      return box.width < 300 || box.height < 200 || getComputedStyle(image).visibility !== "visible" || /** @type {HTMLElement} */ (s).innerText.trim().length < 20;
    }).map((s) => s.id));
    assert.deepEqual(bad, []);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("where storage, workers and channels are denied the slides turn all the same", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lecture.en.html`, { width: 1280, height: 720, before: () => {
    const denied = () => { throw new DOMException("denied", "SecurityError"); };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: denied });
    Object.defineProperty(navigator, "serviceWorker", { get: denied });
    Object.assign(window, { BroadcastChannel: denied });
  } });
  const first = await page.evaluate("Reveal.getCurrentSlide().id");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((id) => /** @type {any} */ (window).Reveal.getCurrentSlide().id !== id, {}, first);
  await page.waitForSelector("section.present checkpoint-lab iframe");
  assert.equal((await figure(page)).playing, false);
  assert.deepEqual(errors, []);
  await page.close();
});

test("without scripts the slides stand one below the other", async () => {
  const page = await freshPage(here.browser);
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(`${here.url}lecture.en.html`);
  const tops = await page.$$eval(".slides > section", (all) => all.map((s) => Math.round(s.getBoundingClientRect().top)));
  assert.ok(tops.every((top, i) => i === 0 || top >= tops[i - 1] + 700), `${tops}`);
  assert.ok(await page.$eval("#lanes img", (e) => e.getBoundingClientRect().height > 300));
  await page.close();
});
