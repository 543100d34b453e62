// Every parameter of an embed's address, one by one: what each of its values does, that a wrong value falls back with a sentence
// in the figure, and that what is unknown is ignored with a line in the log (docs/embedding.md, "Parameters").
// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium, foreignSite, freshPage, pause, servePage } from "../testkit.mjs";

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

/** @typedef {Awaited<ReturnType<typeof open>>} Opened */

/**
 * Opens an address and says what came of it.
 * @param {string} query
 * @param {{ page?: string, media?: { name: string, value: string }[], width?: number, height?: number }} [how]
 */
async function open(query, how = {}) {
  const page = await freshPage(browser);
  /** @type {string[]} */
  const log = [];
  /** @type {string[]} */
  const errors = [];
  page.on("console", (m) => (m.type() === "error" && !m.text().includes("404") ? errors : log).push(m.text())); // an unknown scenario has no still
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.setViewport({ width: how.width ?? 960, height: how.height ?? 540 });
  if (how.media) await page.emulateMediaFeatures(how.media);
  await page.goto(`${server.url}${how.page ?? "embed.en.html"}?${query}`);
  await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
  const notice = await page.$eval("#notice", (e) => (/** @type {HTMLElement} */ (e).hidden ? "" : e.querySelector("p")?.textContent ?? ""));
  const state = async () => JSON.parse(/** @type {string} */ (await page.evaluate("checkpointLab.state()")));
  return { page, log, errors, notice, state, first: await state(), root: () => page.evaluate(() => /** @type {Record<string, string | undefined>} */ ({ ...document.documentElement.dataset, lang: document.documentElement.lang })) };
}

/** @param {Opened} o */
const shown = (o) => o.page.$$eval("#bar > *", (all) => all.filter((e) => e.getClientRects().length > 0).map((e) => e.id));
/** @param {Opened} o */
const groups = (o) => o.page.evaluate(() => [...new Set(JSON.parse(/** @type {any} */ (window).checkpointLab.targets()).map((/** @type {any} */ t) => t.group))].sort());
/** @param {Opened} o */
const plays = async (o) => { await pause(700); const s = await o.state(); return s.playing && s.time > o.first.time; };
/** @param {Opened} o @param {string} key */
const value = (o, key) => o.first.knobs.find((/** @type {any} */ k) => k.key === key)?.value;

const light = "scenario=low-rate";
const calm = [{ name: "prefers-reduced-motion", value: "reduce" }];
const dark = [{ name: "prefers-color-scheme", value: "dark" }];

/**
 * By parameter: queries, how they are opened, and what must have come of them. A query with told is a wrong value.
 * @type {Record<string, { query: string, how?: Parameters<typeof open>[1], told?: RegExp, holds: (o: Opened) => unknown }[]>}
 */
const cases = {
  scenario: [
    { query: "", holds: (o) => assert.equal(o.first.scenario, "backpressure") },
    { query: "scenario=low-rate", holds: (o) => assert.equal(o.first.scenario, "low-rate") },
    { query: "scenario=low-rte", told: /low-rte.*did you mean low-rate\?/, holds: (o) => assert.ok(o.first.duration > 0) },
    { query: "scenario=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E", told: /<img src=x onerror=alert\(1\)>/, holds: async (o) => assert.equal(await o.page.$("img[src=x]"), null) },
  ],
  seed: [
    { query: `${light}&seed=7`, holds: (o) => assert.equal(String(o.first.seed), "7") },
    { query: `${light}&seed=some`, told: /seed/, holds: (o) => assert.match(String(o.first.seed), /^\d+$/) },
    { query: `${light}&seed=-1`, told: /seed/, holds: (o) => assert.match(String(o.first.seed), /^\d+$/) },
  ],
  t: [
    { query: `${light}&t=7.25`, holds: (o) => assert.equal(o.first.time, 7.25) },
    { query: `${light}&t=7.25s`, holds: (o) => assert.equal(o.first.time, 7.25) },
    { query: `${light}&t=later`, told: /t=later/, holds: (o) => assert.equal(o.first.time, 0) },
    { query: `${light}&t=-3`, told: /t=-3/, holds: (o) => assert.equal(o.first.time, 0) },
    { query: `${light}&t=99999`, holds: async (o) => {
      await o.page.waitForFunction("document.documentElement.dataset.hash !== ''");
      await pause(300);
      assert.equal((await o.state()).time, o.first.duration, "beyond the end is the end");
    } },
  ],
  speed: [
    { query: `${light}&speed=0.1x`, holds: (o) => assert.equal(o.first.speed, 0.1) },
    { query: `${light}&speed=0.11`, holds: (o) => assert.equal(o.first.speed, 0.1, "the nearest") },
    { query: `${light}&speed=0`, told: /speed=0/, holds: (o) => assert.ok(o.first.speed > 0) },
    { query: `${light}&speed=fast`, told: /speed=fast/, holds: (o) => assert.ok(o.first.speed > 0) },
  ],
  autoplay: [
    { query: `${light}&autoplay=1`, holds: async (o) => assert.ok(await plays(o)) },
    { query: `${light}&autoplay=0`, holds: async (o) => assert.ok(!(await plays(o))) },
    { query: `${light}&autoplay=maybe`, told: /autoplay=maybe/, holds: async (o) => assert.ok(!(await plays(o))) },
    { query: `${light}&autoplay=1`, how: { media: calm }, holds: async (o) => assert.ok(!(await plays(o)), "not under reduced motion") },
    { query: `${light}&autoplay=1&motion=full`, how: { media: calm }, holds: async (o) => assert.ok(await plays(o), "unless motion=full") },
  ],
  controls: [
    { query: `${light}&controls=full&knob=interval`, holds: async (o) => assert.deepEqual(await shown(o), ["back", "play", "step", "scrub", "clock", "knobs", "lab"]) },
    { query: `${light}&controls=mini`, holds: async (o) => assert.deepEqual(await shown(o), ["play", "scrub", "clock"]) },
    { query: `${light}&controls=none`, holds: async (o) => assert.deepEqual(await shown(o), []) },
    { query: `${light}&controls=huge`, told: /controls=huge.*full, mini, none/, holds: async (o) => assert.ok((await shown(o)).length > 5) },
  ],
  compare: [
    { query: `${light}&compare=unaligned%3Dtrue`, holds: (o) => assert.equal(o.first.lanes.length, 2) },
    { query: `${light}&compare=unaligned%3Dtrue,interval%3D5s`, holds: (o) => assert.equal(o.first.lanes[1].settings.length, 2) },
    { query: `${light}&compare=interval%3D5s&compare=interval%3D6s&compare=interval%3D7s`, holds: (o) => assert.equal(o.first.lanes.length, 4) },
    { query: `${light}&compare=interval%3D5s&compare=interval%3D6s&compare=interval%3D7s&compare=interval%3D8s`, told: /./, holds: (o) => assert.equal(o.first.lanes.length, 4) },
    { query: `${light}&compare=nonsense%3D1`, told: /nonsense=1/, holds: (o) => assert.ok(o.first.lanes.length <= 2) },
    { query: `${light}&compare=interval%3Dsoon`, told: /soon/, holds: (o) => assert.ok(o.first.lanes.length <= 2) },
  ],
  view: [
    { query: `${light}&t=12&view=picture`, holds: async (o) => assert.deepEqual(await groups(o), ["pipeline", "plot", "strip"].filter((g) => g !== "strip")) },
    { query: `${light}&t=12&view=pipeline`, holds: async (o) => assert.deepEqual(await groups(o), ["pipeline"]) },
    { query: `${light}&t=12&view=plot`, holds: async (o) => assert.deepEqual(await groups(o), ["plot"]) },
    { query: `${light}&t=12&view=space`, holds: (o) => assert.equal(o.first.face, "space") },
    { query: `${light}&view=sweep&knob=buffer-timeout`, holds: (o) => assert.equal(o.first.sweep.key, "execution.buffer-timeout.interval") },
    { query: `${light}&view=sweep`, holds: (o) => assert.equal(o.first.sweep.key, "execution.checkpointing.interval") },
    { query: `${light}&view=aerial`, told: /view=aerial.*picture, pipeline, plot, space, sweep/, holds: async (o) => assert.ok((await groups(o)).includes("pipeline")) },
  ],
  knob: [
    { query: `${light}&knob=interval,unaligned,sink.cost`, holds: async (o) => assert.equal((await o.page.$$(".knob")).length, 3) },
    { query: `${light}&knob=intervall`, told: /intervall/, holds: async (o) => assert.equal((await o.page.$$(".knob")).length, 0) },
  ],
  lang: [
    { query: `${light}&lang=en`, how: { page: "embed.html" }, holds: async (o) => { assert.equal((await o.root()).lang, "en"); assert.match(await o.page.$eval("#lab", (e) => /** @type {HTMLAnchorElement} */ (e).href), /lab\.en\.html/); } },
    { query: `${light}&lang=ko`, holds: async (o) => { assert.equal((await o.root()).lang, "ko"); assert.match(o.first.twin.join(""), /[가-힣]/); } },
    { query: `${light}&lang=fr`, told: /lang=fr/, holds: async (o) => assert.equal((await o.root()).lang, "en", "the page's") },
  ],
  theme: [
    { query: `${light}&theme=dark`, holds: async (o) => assert.equal((await o.root()).theme, "dark") },
    { query: `${light}&theme=light`, how: { media: dark }, holds: async (o) => assert.equal((await o.root()).theme, "light") },
    { query: `${light}&theme=auto`, how: { media: dark }, holds: async (o) => assert.equal(await o.page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(25, 30, 37)") },
    { query: `${light}&theme=pink`, told: /theme=pink.*auto, light, dark/, holds: async (o) => assert.notEqual((await o.root()).theme, "pink") },
  ],
  motion: [
    { query: `${light}&autoplay=1&motion=reduced&speed=1`, holds: async (o) => {
      const frames = async () => JSON.parse(/** @type {string} */ (await o.page.evaluate("checkpointLab.stats()"))).frames;
      await o.page.evaluate("checkpointLab.play()");
      await pause(500);
      const from = await frames();
      await pause(2000);
      assert.ok((await frames()) - from <= 9, "four pictures a second at most");
    } },
    { query: `${light}&motion=none`, told: /motion=none.*auto, full, reduced/, holds: () => {} },
  ],
  setting: [
    { query: `${light}&interval=3s`, holds: (o) => assert.equal(value(o, "execution.checkpointing.interval"), "3 s") },
    { query: `${light}&execution.checkpointing.mode=AT_LEAST_ONCE`, holds: (o) => assert.equal(value(o, "execution.checkpointing.mode"), "AT_LEAST_ONCE") },
    { query: `${light}&sink.cost=2ms`, holds: (o) => assert.equal(value(o, "job.vertices.sink.cost")?.replace(" ", ""), "2ms") },
    { query: `${light}&duration=20s`, holds: (o) => assert.equal(o.first.duration, 20) },
    { query: `${light}&interval=5ms`, told: /5ms.*10 ms or more/, holds: (o) => assert.notEqual(value(o, "execution.checkpointing.interval"), "5 ms") },
    { query: `${light}&nonsense=1`, holds: (o) => assert.ok(o.log.some((line) => /"nonsense" is not known/.test(line)), o.log.join("\n")) },
  ],
};

for (const [name, list] of Object.entries(cases)) {
  test(`the parameter ${name}`, async () => {
    for (const { query, how, told, holds } of list) {
      const o = await open(query, how);
      try {
        if (told) assert.match(o.notice, told);
        else assert.equal(o.notice, "");
        await holds(o);
        assert.deepEqual(o.errors, []);
      } catch (e) {
        throw new Error(`?${query}: ${e instanceof Error ? e.message : e}`, { cause: e });
      } finally {
        await o.page.close();
      }
    }
  });
}

const dialects = /** @type {const} */ (["reveal", "lab", "playerjs"]);
const words = {
  reveal: "slide:start",
  lab: { context: "checkpointlab", version: 1, id: 1, method: "state", args: [] },
  playerjs: JSON.stringify({ context: "player.js", version: "0.0.11", method: "getDuration", listener: "d" }),
};

/** What a page around hears after it has spoken all dialects to an embed. @param {string} query @param {number} answers  that it waits for */
async function conversation(query, answers) {
  const page = await freshPage(browser);
  const html = `<link rel="icon" href="data:,"><script>window.heard = []; addEventListener("message", (e) => heard.push(e.data));</script>
    <iframe id="f" width="960" height="540" src="${server.url}embed.en.html?${light}&${query}"></iframe>`;
  const site = await foreignSite({ "/": html });
  await page.goto(site.url);
  const frame = await (await page.waitForSelector("#f"))?.contentFrame();
  await frame?.waitForFunction("document.documentElement.dataset.ready === 'true'");
  const notice = await frame?.$eval("#notice", (e) => (/** @type {HTMLElement} */ (e).hidden ? "" : e.textContent ?? ""));
  await page.evaluate((all) => { for (const m of all) /** @type {any} */ (document.getElementById("f")).contentWindow.postMessage(m, "*"); }, Object.values(words));
  await page.waitForFunction(`heard.map((m) => typeof m === "string" ? JSON.parse(m) : m).filter((m) => m.id === 1 || m.error || m.event === "getDuration" || m.event === "error").length >= ${answers}`);
  await pause(500);
  const heard = /** @type {any[]} */ (await page.evaluate("heard")).map((m) => (typeof m === "string" ? JSON.parse(m) : m));
  await page.close();
  const url = site.url;
  await site.stop();
  return {
    notice, url,
    answered: { lab: heard.some((m) => m.id === 1 && m.result), playerjs: heard.some((m) => m.event === "getDuration") },
    refused: heard.filter((m) => m.error).map((m) => m.error.code),
    ready: { lab: heard.some((m) => m.context === "checkpointlab" && m.event === "ready"), playerjs: heard.some((m) => m.context === "player.js" && m.event === "ready") },
  };
}

test("the parameter api", async () => {
  for (const api of ["all", ...dialects, "none", "some"]) {
    const c = await conversation(`api=${api}`, { none: 0, all: 2, some: 2 }[api] ?? (api === "reveal" ? 2 : 3));
    const open = (/** @type {string} */ d) => api === "all" || api === "some" || api === d;
    assert.deepEqual(c.answered, { lab: open("lab"), playerjs: open("playerjs") }, api);
    assert.deepEqual(c.ready, { lab: open("lab"), playerjs: open("playerjs") }, api);
    const closed = api === "none" ? [] : dialects.filter((d) => !open(d));
    assert.equal(c.refused.filter((code) => code === "dialect").length, closed.filter((d) => d !== "playerjs").length, `${api}: ${c.refused}`);
    assert.match(String(c.notice), api === "some" ? /api=some.*all, lab, playerjs, reveal, none/ : /^$/, api);
  }
});

test("the parameter origin", async () => {
  const elsewhere = await conversation("origin=https://example.org", 3);
  assert.deepEqual(elsewhere.answered, { lab: false, playerjs: false });
  const wrong = await conversation("origin=example.org", 2);
  assert.match(String(wrong.notice), /origin=example\.org/);
  assert.deepEqual(wrong.answered, { lab: true, playerjs: true }, "a wrong value falls back to the default");
});

test("every documented parameter is walked here", () => {
  const doc = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");
  const table = doc.split("## Parameters")[1].split("\n\n")[1];
  const names = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map((m) => m[1]);
  assert.ok(names.length > 12);
  assert.deepEqual(names.filter((n) => !(n in cases) && n !== "api" && n !== "origin"), []);
});
