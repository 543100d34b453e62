// Every method of the three message dialects, walked by the table of docs/embedding.md in a frame without an origin of its own (a
// sandbox without allow-same-origin): what it answers, what it does, and that wrong arguments are refused and change nothing.
// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium, foreignSite, freshPage, pause, servePage } from "../testkit.mjs";

/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
/** @type {{ url: string, stop: () => Promise<void> }} */
let site;
/** @type {import("puppeteer-core").Browser} */
let browser;
/** @type {import("puppeteer-core").Page} */
let page;
/** @type {string[]} */
const errors = [];

const doc = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");

before(async () => {
  server = await servePage();
  site = await foreignSite({
    "/": `<link rel="icon" href="data:,"><script>window.heard = []; addEventListener("message", (e) => heard.push(e.data));
      window.say = (m) => document.getElementById("f").contentWindow.postMessage(m, "*");</script>
      <iframe id="f" width="960" height="540" sandbox="allow-scripts" src="${server.url}embed.en.html?scenario=low-rate&t=5&duration=30s"></iframe>`,
  });
  browser = await chromium();
  page = await freshPage(browser);
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.goto(site.url);
  await page.waitForFunction("heard.some((m) => m.event === 'ready')");
  for (let i = 0; i < 600 && (await ask("state")).result.hash === ""; i++) await pause(100);
});

after(async () => {
  await browser?.close();
  await site?.stop();
  await server?.stop();
});

let last = 0;

/** The answer to a call. @param {string} method @param {...unknown} args @returns {Promise<any>} */
function ask(method, ...args) {
  return exchange({ context: "checkpointlab", version: 1, id: ++last, method, args }, `m.id === ${last}`);
}

/** Says something and waits for what answers it. @param {unknown} message @param {string} which @returns {Promise<any>} */
async function exchange(message, which) {
  await page.evaluate((m) => { /** @type {any} */ (window).heard.length = 0; /** @type {any} */ (window).say(m); }, message);
  const found = await page.waitForFunction(`heard.map((m) => typeof m === "string" ? JSON.parse(m) : m).find((m) => ${which})`);
  return found.jsonValue();
}

/** @returns {Promise<any>} */
const state = async () => (await ask("state")).result;
const notes = (/** @type {any} */ a) => assert.ok(Array.isArray(a.result.notes), JSON.stringify(a));
const nothing = (/** @type {any} */ a) => assert.equal(a.result, null);

/** What each method of the lab's own dialect does. @type {Record<string, () => Promise<unknown>>} */
const does = {
  play: async () => { nothing(await ask("play")); assert.equal((await state()).playing, true); },
  pause: async () => { nothing(await ask("pause")); assert.equal((await state()).playing, false); },
  toggle: async () => { nothing(await ask("toggle")); assert.equal((await state()).playing, true); nothing(await ask("toggle")); assert.equal((await state()).playing, false); },
  home: async () => { nothing(await ask("home")); assert.equal((await state()).time, 0); },
  end: async () => { nothing(await ask("end")); assert.equal((await state()).time, 30); },
  seek: async () => { nothing(await ask("seek", 7.5)); assert.equal((await state()).time, 7.5); },
  step: async () => {
    await ask("seek", 7.5);
    nothing(await ask("step"));
    const on = (await state()).time;
    nothing(await ask("step", -2));
    assert.ok(on > 7.5 && (await state()).time < on);
  },
  checkpoint: async () => { await ask("seek", 0.1); nothing(await ask("checkpoint", 1)); const at = (await state()).time; nothing(await ask("checkpoint", -1)); assert.ok((await state()).time < at); },
  speed: async () => { nothing(await ask("speed", 0.3)); assert.equal((await state()).speed, 0.3); },
  load: async () => { notes(await ask("load", "chapter")); assert.equal((await state()).scenario, "chapter"); notes(await ask("load", "low-rate")); },
  open: async () => { notes(await ask("open", "#s=low-rate&run.duration=30+s&t=6")); assert.equal((await state()).time, 6); },
  set: async () => { notes(await ask("set", "interval", "2 s")); assert.equal((await state()).settings["execution.checkpointing.interval"], "2 s"); },
  reset: async () => { notes(await ask("reset", "interval")); assert.equal((await state()).settings["execution.checkpointing.interval"], undefined); },
  apply: async () => {
    notes(await ask("apply", "execution.checkpointing.interval: 4 s\n"));
    assert.equal((await state()).settings["execution.checkpointing.interval"], "4 s");
  },
  theme: async () => { nothing(await ask("theme", "dark")); const dark = (await ask("still", "dark")).result; nothing(await ask("theme", "light")); assert.match(dark, /^<\?xml|^<svg/); },
  lang: async () => { nothing(await ask("lang", "ko")); assert.match((await state()).twin.join(), /[가-힣]/); nothing(await ask("lang", "en")); assert.doesNotMatch((await state()).twin.join(), /[가-힣]/); },
  motion: async () => { nothing(await ask("motion", "reduced")); nothing(await ask("motion", "full")); },
  slide: async () => {
    nothing(await ask("play"));
    nothing(await ask("slide", false));
    assert.equal((await state()).playing, false, "a slide that is left rests");
    nothing(await ask("slide", true));
    assert.equal((await state()).playing, true, "and goes on");
    await ask("pause");
  },
  keys: async () => { nothing(await ask("keys", true)); nothing(await ask("keys", false)); },
  state: async () => {
    const s = await state();
    const row = doc.split("\n").find((line) => line.startsWith("| `state` |")) ?? "";
    const names = [...row.matchAll(/`([a-z]+)`/g)].map((m) => m[1]).slice(1);
    assert.ok(names.length > 10, row);
    for (const name of names) assert.ok(name in s, `${name} is documented and missing`);
  },
  link: async () => assert.match((await ask("link")).result, /^#s=low-rate/),
  flink: async () => assert.match((await ask("flink")).result, /execution\.checkpointing/),
  scenario: async () => assert.match((await ask("scenario")).result, /^format: 1/m),
  still: async () => assert.match((await ask("still")).result, /<svg/),
};

/** Arguments that are none, by method. @type {Record<string, unknown[][]>} */
const wrong = {
  play: [[1]], pause: [["now"]], toggle: [[true]], home: [[0]], end: [[0]], seek: [[], ["5"], [-1], [1, 2]], step: [[0.5], [5000], ["1"]],
  checkpoint: [[0.5], [1, 1]], speed: [[0], ["fast"], []], load: [[], [5]], open: [[{}]], set: [["interval"], ["interval", null], [1, 2]], reset: [[], [[]]], apply: [[7]],
  theme: [["pink"], []], lang: [["fr"]], motion: [["none"]], slide: [["yes"]], keys: [[1]], state: [[1]], link: [[1]], flink: [[1]], scenario: [[1]], still: [["pink"]],
};

test("every documented method is walked here", () => {
  const table = doc.split("| method | arguments | result |")[1].split("\n\n")[0];
  const names = table.split("\n").flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([a-z]+)`/g)].map((m) => m[1])).sort();
  assert.ok(names.length >= 20, names.join());
  assert.deepEqual(Object.keys(does).sort(), names);
  assert.deepEqual(Object.keys(wrong).sort(), names);
});

test("the lab's own dialect: each method", async () => {
  for (const [name, walk] of Object.entries(does)) {
    try {
      await walk();
    } catch (e) {
      throw new Error(`${name}: ${e instanceof Error ? e.message : e}`, { cause: e });
    }
  }
});

test("the lab's own dialect: wrong arguments of each method are refused and change nothing", async () => {
  const before = await state();
  for (const [name, lists] of Object.entries(wrong)) {
    for (const args of lists) {
      const answer = await ask(name, ...args);
      assert.equal(answer.error?.code, "args", `${name}(${JSON.stringify(args)}) answers ${JSON.stringify(answer)}`);
      assert.ok(answer.error.message.length > 5);
    }
  }
  for (const [name, ...args] of [["load", "no-such-scenario"], ["set", "no.such.key", "1"], ["set", "interval", "soon"], ["apply", "flink:\n  execution.checkpointing.mode: SMART\n"]]) {
    assert.equal((await ask(name, ...args)).error?.code, "refused", name);
  }
  const now = await state();
  for (const key of ["scenario", "time", "playing", "speed", "settings"]) assert.deepEqual(now[key], before[key], key);
});

test("player.js: each method and each event", async () => {
  await ask("pause");
  await ask("speed", 5);
  const player = (/** @type {string} */ method, /** @type {object} */ more = {}) => JSON.stringify({ context: "player.js", version: "0.0.11", method, ...more });
  const row = doc.split("### player.js")[1].split("###")[0];
  const events = row.split(" with ")[1].match(/`[a-z]+`/g)?.map((m) => m.slice(1, -1)) ?? [];
  assert.deepEqual(events.slice().sort(), ["ended", "error", "pause", "play", "ready", "seeked", "timeupdate"]);
  for (const getter of ["getCurrentTime", "getDuration", "getPaused", "getMuted", "getVolume", "getLoop"]) {
    const a = await exchange(player(getter, { listener: "x" }), `m.event === "${getter}"`);
    assert.equal(a.listener, "x");
    assert.deepEqual(a.value, { getCurrentTime: (await state()).time, getDuration: 30, getPaused: true, getMuted: true, getVolume: 0, getLoop: false }[getter], getter);
  }
  const ready = await exchange(player("addEventListener", { value: "ready", listener: "r" }), `m.event === "ready" && m.listener === "r"`);
  for (const name of ["play", "pause", "setCurrentTime", "addEventListener", "removeEventListener"]) assert.ok(ready.value.methods.includes(name), name);
  for (const value of events) await page.evaluate((m) => /** @type {any} */ (window).say(m), player("addEventListener", { value, listener: `on-${value}` }));
  const seeked = await exchange(player("setCurrentTime", { value: 24 }), `m.event === "seeked" && m.listener === "on-seeked"`);
  assert.equal(seeked.value.time, 24);
  await exchange(player("play"), `m.event === "play" && m.listener === "on-play"`);
  const ended = await page.waitForFunction(`heard.map((m) => typeof m === "string" ? JSON.parse(m) : m).find((m) => m.listener === "on-ended")`);
  assert.ok(ended);
  assert.ok(await page.evaluate(`heard.some((m) => typeof m === "string" && JSON.parse(m).listener === "on-timeupdate" && JSON.parse(m).value.seconds > 24)`));
  await page.evaluate((m) => /** @type {any} */ (window).say(m), player("removeEventListener", { value: "seeked", listener: "on-seeked" }));
  await exchange(player("setCurrentTime", { value: 2 }), `m.event === "seeked" && m.context === "checkpointlab"`);
  assert.equal(await page.evaluate(`heard.some((m) => typeof m === "string" && JSON.parse(m).listener === "on-seeked")`), false);
  for (const odd of [player("setCurrentTime", { value: "2" }), player("explode"), player("addEventListener", { value: "explode" })]) {
    assert.equal((await exchange(odd, `m.event === "error" && m.context === "player.js"`)).event, "error", odd);
  }
});

test("reveal.js: both texts", async () => {
  await ask("seek", 2);
  await ask("play");
  await page.evaluate(() => /** @type {any} */ (window).say("slide:stop"));
  await pause(300);
  assert.equal((await state()).playing, false);
  await page.evaluate(() => /** @type {any} */ (window).say("slide:start"));
  await pause(300);
  assert.equal((await state()).playing, true);
  await ask("pause");
  for (const odd of ["slide:", "slide:next", "SLIDE:START"]) assert.equal((await exchange(odd, "m.error")).error.code, "malformed", odd);
  assert.deepEqual(errors, []);
});
