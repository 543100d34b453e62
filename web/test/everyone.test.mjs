// Everyone: axe-core on every page in both languages and themes, with what opens on it open; targets that can be hit; half the
// width at twice the size; forced colours.
// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { freshPage, pause, session } from "../testkit.mjs";

const here = session();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')))";

/** @param {string} path @param {{ width?: number, height?: number, ratio?: number }} [size] */
async function open(path, { width = 1440, height = 900, ratio = 1 } = {}) {
  const page = await freshPage(here.browser);
  await page.setBypassCSP(true); // axe is no script of the page's
  await page.setViewport({ width, height, deviceScaleFactor: ratio });
  await page.goto(here.url + path);
  if (!/^fidelity|^lecture/.test(path)) await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
  return page;
}

/** @param {import("puppeteer-core").Page} page @param {string} what */
async function accessible(page, what) {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe);
  for (const value of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    await pause(300);
    assert.deepEqual(await page.evaluate(rules), [], `${what}, ${value}`);
  }
}

for (const lang of ["ko", "en"]) {
  const named = (/** @type {string} */ name) => (lang === "ko" ? `${name}.html` : `${name}.en.html`);

  test(`axe finds nothing in the lab, ${lang}: as it opens, and with everything open that opens`, async () => {
    const page = await open(`${named("lab")}#s=backpressure&t=20&x=1`);
    await accessible(page, "as it opens");
    await page.click("#findings summary");
    await page.click("#open-twin");
    await page.click("#more");
    await accessible(page, "settings, findings and text");
    await page.keyboard.press("Escape");
    await page.click("#act-open");
    await accessible(page, "intervene");
    await page.keyboard.press("Escape");
    await page.click("#save-open");
    await accessible(page, "save");
    await page.keyboard.press("Escape");
    await page.click("[data-face=sweep]");
    await page.click("#compare");
    await page.waitForSelector(".lane");
    await accessible(page, "comparison and sweep");
    await page.click("#open-keys");
    await accessible(page, "key map");
    await page.close();
  });

  for (const path of [lang === "ko" ? "index.html" : "en.html", named("fidelity"), named("lecture")]) {
    test(`axe finds nothing in ${path}`, async () => {
      const page = await open(path);
      await accessible(page, path);
      await page.close();
    });
  }
}

// What Lighthouse counts: its accessibility score is 100 when none of these rules of axe finds anything at a phone's size.
const counted = ["accesskeys", "aria-allowed-role", "aria-conditional-attr", "aria-deprecated-role", "aria-dialog-name", "aria-prohibited-attr",
  "aria-treeitem-name", "aria-text", "empty-heading", "heading-order", "html-xml-lang-mismatch", "identical-links-same-purpose", "image-redundant-alt",
  "input-button-name", "label-content-name-mismatch", "landmark-one-main", "link-in-text-block", "meta-viewport", "select-name", "skip-link", "tabindex",
  "table-duplicate-name", "table-fake-caption", "target-size", "td-has-header"];
const score = `axe.run(document, { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa"] }, rules: ${JSON.stringify(Object.fromEntries(counted.map((id) => [id, { enabled: true }])))} }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")))`;

test("the rules of Lighthouse's accessibility score find nothing on any page, on a phone", async () => {
  for (const path of ["lab.html", "index.html", "embed.html?scenario=backpressure", "lecture.html", "fidelity.html"]) {
    const page = await open(path, { width: 412, height: 823 });
    if (path === "lecture.html") await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
    await page.evaluate(axe);
    assert.deepEqual(await page.evaluate(score), [], path);
    await page.close();
  }
});

test("what can be pressed is at least 24 px high and wide, links inside of sentences aside", async () => {
  const page = await open("lab.en.html#s=backpressure&t=20&x=1");
  await page.click("#more");
  const small = await page.$$eval("button, select, input, summary, footer a, header a", (all) => all.flatMap((e) => {
    const box = e.getBoundingClientRect();
    const grown = getComputedStyle(e, "::before"); // a switch is larger than it looks
    const more = e.matches(".sw") ? -2 * parseFloat(grown.inset || grown.top || "0") : 0;
    if (box.width === 0 || e.closest(".targets, .sr, .twin, dialog:not([open])") || e.matches("input[type=range], .val, .skip")) return []; // ranges and fields have a row of their own
    return box.height + more >= 23.5 && box.width + more >= 23.5 ? [] : [`${e.id || e.className || e.textContent} ${Math.round(box.width)} × ${Math.round(box.height)}`];
  }));
  assert.deepEqual(small, []);
  await page.close();
});

test("at 200 % nothing is cut off and every control is there", async () => {
  const page = await open("lab.html#s=backpressure&t=20&x=1", { width: 720, height: 450, ratio: 2 });
  const found = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - innerWidth,
    heaped: [...document.querySelectorAll("#top button, #top select, #top input, #top a, #top span")].filter((e, i, all) => {
      const a = e.getBoundingClientRect();
      return a.width > 0 && all.some((o, j) => {
        const b = o.getBoundingClientRect();
        return j > i && b.width > 0 && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      });
    }).map((e) => e.id || e.textContent),
    gone: ["play", "step", "back", "speed", "share", "compare", "more", "scenario", "seed"].filter((id) => document.getElementById(id)?.offsetParent === null),
  }));
  assert.deepEqual(found, { wide: 0, heaped: [], gone: [] });
  await page.close();
});

test("on a 4K screen the picture is sharp and stays within the page's measure", async () => {
  const page = await open("lab.en.html#s=backpressure&t=71.2&x=1", { width: 3840, height: 2160 });
  const found = await page.evaluate(() => ({ body: document.body.clientWidth, stage: document.getElementById("stage")?.clientWidth ?? 0, wide: document.documentElement.scrollWidth - innerWidth }));
  assert.ok(found.body <= 1560 && found.stage > 1400 && found.wide === 0, JSON.stringify(found));
  await page.close();
});

test("in forced colours controls keep their edges and the picture stays", async () => {
  const page = await open("lab.en.html#s=backpressure&t=71.2&x=1");
  const session = await page.createCDPSession(); // puppeteer has no name for it
  await session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  await pause(300);
  const found = await page.evaluate(() => ({
    edge: parseFloat(getComputedStyle(/** @type {Element} */ (document.getElementById("play"))).borderTopWidth),
    slide: getComputedStyle(/** @type {Element} */ (document.querySelector(".slide"))).appearance,
    frame: (document.querySelector("iframe")?.getBoundingClientRect().width ?? 0) > 1000,
  }));
  assert.ok(found.edge >= 1 && found.slide === "auto" && found.frame, JSON.stringify(found));
  await page.close();
});
