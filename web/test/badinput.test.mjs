// Bad input gets one clear sentence that names what, where and the remedy; the page stays usable and nothing is lost.
// @ts-check
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { freshPage, lab, pause, session, settled, visit } from "../testkit.mjs";

const here = session();

/** @param {import("puppeteer-core").Page} page */
const noticed = (page) => page.$eval("#notice", (e) => (/** @type {HTMLElement} */ (e).hidden ? "" : e.querySelector("p")?.textContent ?? ""));

for (const [what, fragment, names] of /** @type {[string, string, RegExp[]][]} */ ([
  ["an unknown scenario", "#s=bakpressure", [/bakpressure/, /did you mean backpressure\?/]],
  ["an unknown setting", "#s=chapter&execution.checkpointing.intervall=5+s", [/intervall/, /did you mean execution\.checkpointing\.interval\?/]],
  ["a bad value", "#s=chapter&execution.checkpointing.interval=5+ms", [/"5 ms"/, /10 ms or more/]],
  ["a broken time", "#s=chapter&t=later", [/t=later/, /start/]],
  ["a broken scenario inside", "#y=not-a-scenario!", [/damaged/, /choose a scenario/]],
  ["noise", "#%E0%A4%A", [/cannot be read/]],
])) {
  test(`a link with ${what}`, async () => {
    const { page, errors } = await visit(here.browser, `${here.url}lab.en.html${fragment}`);
    assert.ok(await settled(page), "a run is shown");
    const sentence = await noticed(page);
    for (const name of names) assert.match(sentence, name);
    await page.click("#step");
    await pause(200);
    assert.ok(Number(await page.$eval("#clock-value", (e) => e.textContent)) > 0, "the page works");
    await page.click("#notice-close");
    assert.equal(await noticed(page), "");
    assert.deepEqual(errors, []);
    await page.close();
  });
}

/** @param {import("puppeteer-core").Page} page @param {string} text */
async function paste(page, text) {
  if (await page.$eval("#drawer", (e) => /** @type {HTMLElement} */ (e).hidden)) await page.click("#more");
  await page.$eval("#paste", (e, t) => { /** @type {HTMLTextAreaElement} */ (e).value = t; }, text);
  await page.click("#apply");
  return page.$eval("#paste-error", (e) => e.textContent ?? "");
}

test("of a pasted configuration is passed over what Flink passes over, named by line; one with which Flink does not start changes nothing", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  const hash = await settled(page);
  const wrong = "flink:\n  execution.checkpointing.interval: 5 s\n  execution.checkpointing.mode: SMART\n";
  assert.match(await paste(page, wrong), /line 3.*SMART.*write EXACTLY_ONCE or AT_LEAST_ONCE/);
  assert.equal(await page.$eval("#paste", (e) => /** @type {HTMLTextAreaElement} */ (e).value), wrong, "what was pasted stays");
  assert.equal(await settled(page), hash, "the run stays");
  const said = await paste(page, "execution.checkpointing.interval: 5 s\nexecution.checkpointing.intervall: 6 s\nexecution.checkpointing.timeout:1 min\n");
  assert.match(said, /^Applied\..*Line 2: execution\.checkpointing\.intervall: Not an option of Flink.*Did you mean execution\.checkpointing\.interval\?/);
  assert.match(said, /Line 3: execution\.checkpointing\.timeout: No space after the colon/);
  assert.notEqual(await settled(page), hash, "the rest acts");
  await page.close();
});

test("what the run shows stands beside it, in both languages", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  await settled(page);
  const first = () => page.$eval("#findings summary", (e) => e.textContent ?? "");
  assert.match(await first(), /What this run shows.*bottleneck: sink is busy for \d+ ms/);
  await page.click("a[data-lang=ko]");
  await page.waitForFunction("document.querySelector('#findings summary').textContent.includes('병목: sink가')");
  await page.click("#findings summary");
  assert.ok((await page.$$eval("#findings-list li", (all) => all.map((e) => e.getBoundingClientRect().height)))[0] > 10, "it opens");
  await page.close();
});

test("what a running Flink wrote is explained in the reader's language, and changes nothing", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  const hash = await settled(page);
  const answer = '{"counts":{"restored":0,"total":3,"in_progress":1,"completed":0,"failed":2},"latest":{"completed":null},"history":[{"id":2,"status":"FAILED","is_savepoint":false,"end_to_end_duration":180000,"num_subtasks":2,"num_acknowledged_subtasks":0,"failure_message":"Checkpoint expired before completing."}]}';
  const said = await paste(page, answer);
  assert.match(said, /^Read as checkpoints;/);
  assert.match(said, /not one of 2 subtasks acknowledged.*counts\.failed 2/);
  assert.match(await paste(page, "2024-03-08 02:21:00,012 INFO x - Checkpoint 340 of job c612c688e34f8834858d4c5858ba6924 expired before completing."), /^Read as log;/);
  assert.equal(await settled(page), hash, "the run stays");
  await page.click("#drawer-close");
  await page.click("a[data-lang=ko]");
  await settled(page);
  assert.match(await paste(page, answer), /^checkpoints 형식으로 읽었다.*소스조차 하나도 확인하지 않았다/);
  await page.close();
});

test("answers of a job become a scenario, which says what was assumed and is laid beside what was observed", async () => {
  const answers = await readFile(new URL("../../ops/rebuild/testdata/bp-222.txt", import.meta.url), "utf8");
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  const hash = await settled(page);
  const hidden = () => page.$eval("#rebuild", (e) => /** @type {HTMLElement} */ (e).hidden);
  assert.match(await paste(page, "2024-03-08 02:21:00,012 INFO x - Checkpoint 340 of job c612c688e34f8834858d4c5858ba6924 expired before completing."), /^Read as log;/);
  assert.equal(await hidden(), true, "a log tells of no job");
  assert.match(await paste(page, answers), /^Read as jobs\/details, vertices\/details/);
  assert.equal(await settled(page), hash, "explaining changes nothing");
  assert.equal(await hidden(), false);
  await page.click("#rebuild");
  assert.match(await page.$eval("#paste-error", (e) => e.textContent ?? ""), /^The job as a scenario.*so what arrives is not known.*How many keys there are is not told/s);
  await settled(page);
  const scenario = await lab(page, "scenarioText");
  assert.match(scenario, /name: sink-Sink-Writer[\s\S]*execution\.checkpointing\.interval: 2 s/);
  await page.waitForFunction("document.querySelector('#story-explain').textContent.includes('observed 2197 ms')", { timeout: 60_000 });
  await page.click("#drawer-close");
  await page.click("a[data-lang=ko]");
  await settled(page);
  assert.match(await paste(page, answers), /^jobs\/details/);
  await page.click("#rebuild");
  assert.match(await page.$eval("#paste-error", (e) => e.textContent ?? ""), /^잡을 시나리오로 만들었다.*키가 몇 개인지는 나와 있지 않다/s);
  await page.close();
});

test("names and texts of a pasted scenario are shown as text only, however hostile", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  await settled(page);
  const evil = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`;
  const names = [evil, "\u202Eعكس אבג", "👩‍👩‍👧‍👦🔥", "n".repeat(300), "{task} ${a} %s"].map((n) => JSON.stringify(n));
  const vertices = names.map((n, i) => `    - {name: ${n}, ${i === 0 ? "kind: source, rate: 1000/s, record: 100 b, " : i === names.length - 1 ? "kind: sink, " : ""}parallelism: 1, cost: 20 us}`);
  const edges = names.slice(1).map((n, i) => `    - {from: ${names[i]}, to: ${n}, partition: HASH}`);
  const text = `title: {en: ${JSON.stringify(evil)}, ko: ${JSON.stringify(evil)}}\nquestion: {en: ${JSON.stringify(evil)}, ko: "?"}\njob:\n  vertices:\n${vertices.join("\n")}\n  edges:\n${edges.join("\n")}\nrun: {duration: 30 s}\nflink: {execution.checkpointing.interval: 5 s}\n`;
  const said = await paste(page, text);
  const found = await page.evaluate(() => ({ owned: Reflect.has(window, "owned"), made: document.querySelectorAll("main img, main script, [role=dialog] img, [role=dialog] script, select script").length }));
  assert.deepEqual(found, { owned: false, made: 0 });
  if (/^Applied/.test(said)) {
    assert.ok(await settled(page), "it runs");
    const svg = String(await page.evaluate(() => /** @type {any} */ (document.querySelector("iframe")?.contentWindow).checkpointLab.still()));
    assert.equal(await page.evaluate((t) => new DOMParser().parseFromString(t, "image/svg+xml").querySelectorAll("parsererror, script, img").length, svg), 0, "the still is SVG with text in it");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false, "nothing stands out of the page");
  } else console.log(`  refused: ${said}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a value that is refused stays in its field with its sentence beside it, and goes when mended", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  await settled(page);
  const knob = "[data-key='execution.checkpointing.interval']";
  await page.click(`${knob} .val`, { count: 3 });
  await page.keyboard.type("soon");
  await page.keyboard.press("Tab");
  await pause(300);
  assert.match(await page.$eval(`${knob} .err`, (e) => e.textContent ?? ""), /"soon" is not a duration; write/);
  assert.equal(await page.$eval(`${knob} .val`, (e) => /** @type {HTMLInputElement} */ (e).value), "soon");
  await page.click("#step"); // anything that tells the page news
  await pause(300);
  assert.equal(await page.$eval(`${knob} .val`, (e) => /** @type {HTMLInputElement} */ (e).value), "soon", "still there");
  await page.click(`${knob} .val`, { count: 3 });
  await page.keyboard.type("8 s");
  await page.keyboard.press("Tab");
  await pause(300);
  assert.equal(await page.$(`${knob} .err`), null);
  await page.close();
});

test("without WebGL 2 the page says so and keeps texts, settings and runs", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure&t=71.2`, {
    before: () => {
      const original = HTMLCanvasElement.prototype.getContext;
      // @ts-ignore as if it were off
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : original.call(this, kind, ...rest); };
    },
  });
  const hash = await settled(page);
  assert.match(await page.$eval("#notice-text", (e) => e.textContent ?? ""), /WebGL 2 is off.*hardware acceleration/s);
  await page.select("#scenario", "low-rate");
  assert.notEqual(await settled(page), hash);
  assert.ok((await page.$eval("#twin-text", (e) => e.textContent ?? "")).length > 100, "the picture in words");
  const ground = await page.$eval("#layer iframe", (e) => { const { body } = /** @type {Document} */ (/** @type {HTMLIFrameElement} */ (e).contentDocument); return [body, body.parentElement].map((x) => x && getComputedStyle(x).backgroundColor); });
  assert.deepEqual(ground, ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"], "nothing lies over the still");
  assert.deepEqual(errors, []);
  await page.close();
});

test("without WebAssembly the page says so", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html`, {
    before: () => { Object.defineProperty(globalThis, "WebAssembly", { value: undefined }); },
    ready: "document.getElementById('wait').getAttribute('role') === 'alert'",
  });
  assert.match(await page.$eval("#wait", (e) => e.textContent ?? ""), /WebAssembly/);
  await page.close();
});

test("a program that does not arrive is named with the remedy", async () => {
  const page = await freshPage(here.browser);
  await page.setRequestInterception(true);
  page.on("request", (r) => (r.url().endsWith(".wasm") ? r.abort() : r.continue()));
  await page.goto(`${here.url}lab.en.html`);
  await page.waitForFunction("document.getElementById('wait').getAttribute('role') === 'alert'");
  assert.match(await page.$eval("#wait", (e) => e.textContent ?? ""), /checkpointlab\.wasm did not arrive.*reload/s);
  await page.close();
});

/**
 * Opens the page with some of its requests answered otherwise.
 * @param {string} path
 * @param {(r: import("puppeteer-core").HTTPRequest) => boolean | Promise<boolean>} otherwise  whether it was
 * @param {() => void} [before]  runs inside the page before it
 */
async function meddled(path, otherwise, before) {
  const page = await freshPage(here.browser);
  if (before) await page.evaluateOnNewDocument(before);
  await page.setRequestInterception(true);
  page.on("request", async (r) => { if (!(await otherwise(r))) await r.continue(); });
  await page.goto(here.url + path, { waitUntil: "domcontentloaded" });
  return page;
}

/** What a page says while it has no program. */
const told = { "lab.en.html": "#wait[role=alert]", "en.html": "#notice:not([hidden])", "embed.en.html": "#notice:not([hidden])" };

for (const [what, answer, words] of /** @type {[string, (r: import("puppeteer-core").HTTPRequest) => Promise<boolean>, RegExp][]} */ ([
  ["another page in the program's place, as a login sends it,", async (r) => {
    if (!r.url().includes("checkpointlab.wasm")) return false;
    await r.respond({ status: 200, contentType: "text/html", body: "<h1>Log in</h1>" });
    return true;
  }, /checkpointlab\.wasm did not arrive.*reload/s],
  ["a host whose policy forbids WebAssembly", async (r) => {
    if (r.resourceType() !== "document") return false;
    await r.respond({ status: 200, contentType: "text/html", headers: { "Content-Security-Policy": "script-src 'self'" }, body: await (await fetch(r.url())).text() });
    return true;
  }, /host does not let the model.*'wasm-unsafe-eval'/s],
])) {
  test(`${what} is named with the remedy on each page`, async () => {
    for (const [path, place] of Object.entries(told)) {
      const page = await meddled(path, answer);
      await page.waitForSelector(place);
      assert.match(await page.$eval(place, (e) => e.textContent ?? ""), words, path);
      await page.close();
    }
  });
}

test("a module that does not arrive is named where the page waits", async () => {
  for (const [path, module] of [["lab.en.html", "/act.js"], ["en.html", "/playbar.js"]]) {
    const page = await meddled(path, async (r) => { if (!r.url().endsWith(module)) return false; await r.abort(); return true; });
    await page.waitForSelector("#wait[role=alert]");
    assert.match(await page.$eval("#wait", (e) => e.textContent ?? ""), /part of the page did not arrive.*reload/, path);
    await page.close();
  }
});

test("a program that is long on its way is said to be, and no more once it is there", async () => {
  for (const [path, place] of [["lab.en.html", "#wait"], ["en.html", "#notice-text"], ["embed.en.html", "#notice"]]) {
    /** @type {import("puppeteer-core").HTTPRequest[]} */
    const held = [];
    let open = false;
    const page = await meddled(path, async (r) => !open && r.url().endsWith(".wasm") && held.push(r) > 0, () => {
      const original = window.setTimeout;
      // @ts-ignore the page's half minute is a moment
      window.setTimeout = (f, ms, ...rest) => original(f, ms === 30_000 ? 50 : ms, ...rest);
    });
    const says = `document.querySelector(${JSON.stringify(place)}).textContent.includes("has not arrived after 30 s")`;
    await page.waitForFunction(says);
    open = true;
    await Promise.all(held.map((r) => r.continue()));
    await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
    assert.equal(await page.evaluate(says), false, path);
    await page.close();
  }
});

test("without a program the page has its content in both languages", async () => {
  for (const [path, words] of [["lab.html", "체크포인트 간격"], ["lab.en.html", "Checkpoint interval"]]) {
    const page = await freshPage(here.browser);
    await page.setJavaScriptEnabled(false);
    await page.goto(here.url + path);
    const text = await page.evaluate(() => document.body.innerText);
    assert.ok(text.includes(words), `${path}: ${text.slice(0, 200)}`);
    assert.ok(text.includes("execution.checkpointing.interval"));
    await page.close();
  }
});

test("both forms can be copied out and taken back", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.en.html#s=backpressure`);
  await settled(page);
  await lab(page, "set", "execution.checkpointing.interval", "3 s");
  const hash = await settled(page);
  const block = await page.evaluate(() => /** @type {any} */ (document.querySelector("iframe")?.contentWindow).checkpointLab.flinkBlock());
  assert.match(block, /execution\.checkpointing\.interval: 3 s/);
  const whole = await page.evaluate(() => /** @type {any} */ (document.querySelector("iframe")?.contentWindow).checkpointLab.scenarioText());
  await lab(page, "load", "backpressure");
  await settled(page);
  await lab(page, "apply", block);
  assert.equal(await settled(page), hash, "the block");
  await lab(page, "load", "chapter");
  await lab(page, "apply", whole);
  assert.equal(await settled(page), hash, "the whole scenario");
  const link = await page.evaluate(() => location.href);
  const again = await visit(here.browser, link);
  assert.equal(await settled(again.page), hash, "and its link");
  await page.close();
  await again.page.close();
});
