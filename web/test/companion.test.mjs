// The companion page in Chromium: it boots at the section its address names, scrolling on runs the next one, and it
// complains about nothing, in both languages.
// @ts-check
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium, pixels, servePage, settled, visit } from "../testkit.mjs";

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

/** Waits for a section's run. @param {import("puppeteer-core").Page} page @param {string} section @param {string} scenario */
async function reads(page, section, scenario) {
  await page.waitForFunction((s) => document.documentElement.dataset.scenario === s, { timeout: 60_000 }, scenario);
  assert.equal(await page.$eval(".part[aria-current]", (e) => e.id), section);
  assert.equal(await page.evaluate(() => location.hash), `#${section}`, "the address names the section");
  return settled(page);
}

/** @param {import("puppeteer-core").Page} page @param {string} section */
const scrollTo = (page, section) => page.$eval(`#${section}`, (e) => e.scrollIntoView());

for (const [lang, file, heading] of [["ko", "", "간격 하나가 두 가지를 정한다"], ["en", "en.html", "One interval sets two things"]]) {
  test(`an address names a section and scrolling on changes the run (${lang})`, async () => {
    const { page, errors } = await visit(browser, `${server.url}${file}#a5`);
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
  const { page, errors } = await visit(browser, `${server.url}#a5`);
  const chapter = await reads(page, "a5", "chapter");
  await page.$eval("#a5 tr[data-run]", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForFunction((before) => !["", before].includes(document.documentElement.dataset.hash ?? ""), { timeout: 60_000 }, chapter);
  assert.equal(await page.$$eval("#a5 tr[aria-current]", (rows) => rows.length), 1, "one row is marked");
  assert.deepEqual(errors, []);
  await page.close();
});
