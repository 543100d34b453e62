// The embed in Chromium: its address, its controls, its messages, sandboxes, decks, and that it rests when nobody looks.
// @ts-check
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium, countDrawCalls, foreignSite, freshPage, pause, servePage, visit } from "../testkit.mjs";

/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
/** @type {{ url: string, stop: () => Promise<void> }} */
let site;
/** @type {import("puppeteer-core").Browser} */
let browser;

before(async () => {
  server = await servePage();
  site = await foreignSite(hosts(server.url));
  browser = await chromium();
});

after(async () => {
  await browser?.close();
  await site?.stop();
  await server?.stop();
});

/** Pages that hold an embed; each notes what it hears in window.heard. @param {string} url @returns {Record<string, string>} */
function hosts(url) {
  const script = `<link rel="icon" href="data:,"><script>
    window.heard = []; window.addEventListener("message", (e) => heard.push(e.data));
    window.say = (m, to = "f") => document.getElementById(to).contentWindow.postMessage(m, "*");
    let n = 0; window.ask = (method, ...args) => new Promise((done) => {
      const id = ++n;
      window.addEventListener("message", function hear(e) { if (e.data.id === id) { window.removeEventListener("message", hear); done(e.data); } });
      say({ context: "checkpointlab", version: 1, id, method, args });
    });
  </script>`;
  const frame = (/** @type {string} */ query, more = "") => `<iframe id="f" width="960" height="540" ${more} src="${url}embed.en.html?${query}"></iframe>`;
  const state = "scenario=low-rate&t=5&controls=full&knob=interval";
  return {
    "/": script + frame(state),
    "/sandbox": script + frame(state, `sandbox="allow-scripts"`),
    "/origin": script + frame(`${state}&origin=https://example.org`),
    "/tall": script + frame(`${state}&autoplay=1`) + `<p style="height:3000px">far below</p>`,
    "/early": script + frame(state) + `<script>document.getElementById("f").onload = () => { ask("seek", 3); ask("seek", 4); }</script>`,
    "/small": script + `<iframe id="f" width="640" height="360" src="${url}embed.en.html?${state}"></iframe>`,
  };
}

/** @param {string} path @param {() => void} [first] */
async function host(path, first) {
  const page = await freshPage(browser);
  /** @type {string[]} */
  const errors = [];
  page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.setViewport({ width: 1000, height: 700 });
  if (first) await page.evaluateOnNewDocument(first);
  await page.goto(site.url + path);
  await page.waitForFunction("heard.some((m) => m.event === 'ready')");
  return { page, errors };
}

/** @param {import("puppeteer-core").Page} page @param {string} method @param {...any} args */
const ask = (page, method, ...args) => page.evaluate((m, a) => /** @type {any} */ (window).ask(m, ...a), method, args);

/** @param {import("puppeteer-core").Page} page */
async function complete(page) {
  for (let i = 0; i < 200; i++) {
    const { result } = await ask(page, "state");
    if (result.hash !== "") return result;
    await pause(100);
  }
  throw new Error("the run is not computed");
}

test("an address sets scenario, instant and settings; what is unknown is logged and what is wrong is told", async () => {
  const query = "scenario=low-rate&t=5&interval=3s&sink.cost=2ms&nonsense=1&controls=huge&speed=-1&knob=interval";
  const page = await freshPage(browser);
  /** @type {string[]} */
  const log = [];
  page.on("console", (m) => log.push(m.text()));
  await page.setViewport({ width: 960, height: 540 });
  await page.goto(`${server.url}embed.en.html?${query}`);
  await page.waitForFunction("document.documentElement.dataset.ready === 'true'");
  assert.ok(log.some((line) => /"nonsense" is not known/.test(line)), log.join("\n"));
  const told = await page.$eval("#notice", (e) => (/** @type {HTMLElement} */ (e).hidden ? "" : e.textContent ?? ""));
  assert.match(told, /controls=huge/);
  assert.match(told, /speed=-1/);
  assert.doesNotMatch(told, /nonsense/);
  const href = await page.$eval("#lab", (e) => /** @type {HTMLAnchorElement} */ (e).href);
  assert.match(href, /lab\.en\.html#s=low-rate&job\.vertices\.sink\.cost=2ms&execution\.checkpointing\.interval=3s&t=5/);
  assert.equal(await page.$eval(".knob b", (e) => e.textContent), "3 s");
  await page.close();
});

for (const path of ["/", "/sandbox"]) {
  test(`${path}: messages are heard in three dialects, and what is foreign or malformed changes nothing`, async () => {
    const { page, errors } = await host(path);
    const before = await complete(page);
    assert.equal(before.time, 5);
    assert.equal(before.scenario, "low-rate");
    assert.equal((await ask(page, "seek", 8.5)).result, null);
    assert.equal((await ask(page, "state")).result.time, 8.5);
    for (const [message, code] of /** @type {[any, string][]} */ ([
      ["noise", "malformed"], [17, "malformed"], [null, "malformed"], [[1], "malformed"], ["{\"context\":", "malformed"], [{ context: "other" }, "context"],
      [{ context: "checkpointlab", version: 2, id: 1000, method: "play" }, "version"],
      [{ context: "checkpointlab", version: 1, method: "play" }, "id"],
      [{ context: "checkpointlab", version: 1, id: 1001, method: "constructor" }, "method"],
      [{ context: "checkpointlab", version: 1, id: 1002, method: "seek", args: ["5"] }, "args"],
      [{ context: "checkpointlab", version: 1, id: 1003, method: "seek", args: [-1] }, "args"],
      [{ context: "checkpointlab", version: 1, id: 1004, method: "set", args: ["interval", "<img src=x onerror=alert(1)>"] }, "refused"],
    ])) {
      const answer = await page.evaluate((m) => new Promise((done) => {
        window.addEventListener("message", (e) => { if (e.data.error) done(e.data.error.code); }, { once: false });
        /** @type {any} */ (window).say(m);
      }), message);
      assert.equal(answer, code, JSON.stringify(message));
    }
    const after = await complete(page);
    assert.equal(after.hash, before.hash, "the run is the same");
    assert.equal(after.time, 8.5);
    const frame = /** @type {import("puppeteer-core").Frame} */ (page.frames()[1]);
    assert.equal(await frame.evaluate(() => document.querySelectorAll("img[src=x]").length), 0, "a hostile text is text");
    assert.match(await frame.$eval("#notice-text", (e) => e.textContent ?? ""), /<img src=x onerror=alert\(1\)>/);

    assert.deepEqual((await ask(page, "set", "interval", "2 s")).result, { notes: [] });
    assert.equal((await complete(page)).settings["execution.checkpointing.interval"], "2 s");

    await page.evaluate(() => {
      const w = /** @type {any} */ (window);
      for (const value of ["play", "pause", "timeupdate"]) w.say(JSON.stringify({ context: "player.js", version: "0.0.11", method: "addEventListener", value, listener: `on-${value}` }));
      w.say(JSON.stringify({ context: "player.js", version: "0.0.11", method: "getDuration", listener: "d" }));
      w.say(JSON.stringify({ context: "player.js", version: "0.0.11", method: "setCurrentTime", value: 0 }));
      w.say({ context: "checkpointlab", version: 1, id: 2000, method: "speed", args: [5] });
      w.say(JSON.stringify({ context: "player.js", version: "0.0.11", method: "play" }));
    });
    await pause(2500);
    await page.evaluate(() => /** @type {any} */ (window).say("slide:stop"));
    await page.waitForFunction(() => /** @type {any} */ (window).heard.some((/** @type {any} */ m) => typeof m === "string" && JSON.parse(m).event === "pause"));
    const heard = await page.evaluate(() => /** @type {any} */ (window).heard.filter((/** @type {any} */ m) => typeof m === "string").map((/** @type {string} */ m) => JSON.parse(m)));
    assert.ok(heard.some((/** @type {any} */ m) => m.event === "ready" && m.value.methods.includes("play")));
    assert.ok(heard.some((/** @type {any} */ m) => m.event === "getDuration" && m.listener === "d" && m.value > 10));
    assert.ok(heard.some((/** @type {any} */ m) => m.event === "play" && m.listener === "on-play"));
    assert.ok(heard.some((/** @type {any} */ m) => m.event === "pause"));
    const own = await page.evaluate(() => /** @type {any} */ (window).heard.filter((/** @type {any} */ m) => m.event));
    const checkpoints = own.filter((/** @type {any} */ m) => m.event === "checkpoint");
    assert.ok(checkpoints.length > 0, "checkpoints that it plays over are told");
    assert.ok((await ask(page, "state")).result.playing === false, "slide:stop pauses");
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("whatever else is said to it, it answers and stays as it is", async () => {
  const { page, errors } = await host("/sandbox");
  const before = await complete(page);
  let seed = 42;
  const below = (/** @type {number} */ n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 2 ** 32) * n); };
  const odd = /** @type {unknown[]} */ ([null, true, -1, 1e308, "", "slide", "slide:", "\u202E<script>", "{", "[]", "x".repeat(5000), [], {}, [[[]]], { toString: 1 }, "__proto__", "constructor", "hasOwnProperty"]);
  const names = ["context", "version", "id", "method", "args", "value", "listener", "event", "__proto__", "detail"];
  const any = (/** @type {number} */ deep) => {
    if (deep > 2 || below(3) > 0) return odd[below(odd.length)];
    const made = /** @type {Record<string, unknown>} */ ({});
    for (let i = below(6); i > 0; i--) made[names[below(names.length)]] = any(deep + 1);
    return made;
  };
  const messages = Array.from({ length: 300 }, (_, i) => {
    const own = { context: "checkpointlab", version: 1, id: 9000 + i, method: ["seek", "step", "checkpoint", "speed", "load", "open", "set", "apply", "theme", "lang", "keys", "slide", "still", "toString"][below(14)], args: [any(1), any(1)].slice(0, below(3)) };
    const said = below(2) ? own : any(0);
    return below(3) ? said : JSON.stringify(said);
  });
  // What happens to be a right call is left out: it may change something.
  const harmless = messages.filter((m) => !/"(step|checkpoint)","args":(\[\]|\[-1\])/.test(typeof m === "string" ? m : JSON.stringify(m) ?? "") && !/"(keys|slide)","args":\[true\]/.test(typeof m === "string" ? m : JSON.stringify(m) ?? "")
    && !/"open","args":\[""/.test(typeof m === "string" ? m : JSON.stringify(m) ?? "") && !/"speed","args":\[1e\+308\]|"seek","args":\[1e\+308\]/.test(typeof m === "string" ? m : JSON.stringify(m) ?? ""));
  assert.ok(harmless.length > 200);
  await page.evaluate((all) => { for (const m of all) /** @type {any} */ (window).say(m); }, harmless);
  const after = await complete(page);
  assert.deepEqual({ hash: after.hash, time: after.time, playing: after.playing, settings: after.settings, scenario: after.scenario }, { hash: before.hash, time: before.time, playing: before.playing, settings: before.settings, scenario: before.scenario });
  assert.equal(await page.evaluate(() => /** @type {any} */ (Object.prototype).context), undefined, "no prototype is touched");
  assert.deepEqual(errors, []);
  await page.close();
});

test("the time is told at most four times a second", async () => {
  const { page } = await host("/");
  await complete(page);
  await page.evaluate(() => { /** @type {any} */ (window).heard.length = 0; });
  await ask(page, "seek", 0);
  await ask(page, "speed", 1);
  await ask(page, "play");
  await pause(3000);
  const count = await page.evaluate(() => /** @type {any} */ (window).heard.filter((/** @type {any} */ m) => m.event === "timeupdate").length);
  assert.ok(count >= 3 && count <= 14, `${count} in 3 s`);
  await page.close();
});

test("messages of an origin that may not speak are answered with an error", async () => {
  const page = await freshPage(browser);
  await page.goto(`${site.url}/origin`);
  await page.waitForFunction("document.getElementById('f').contentWindow.length === 0");
  await pause(1500);
  await page.evaluate(() => { for (const m of ["slide:start", { context: "checkpointlab", version: 1, id: 5, method: "play", args: [] }]) /** @type {any} */ (window).say(m); });
  await page.waitForFunction("heard.filter((m) => m.error?.code === 'origin').length === 2");
  await page.close();
});

test("messages that come before the program is up are done in their order", async () => {
  const page = await freshPage(browser);
  await page.goto(`${site.url}/early`);
  await page.waitForFunction("heard.filter((m) => m.id && m.result === null).length === 2");
  assert.equal((await complete(page)).time, 4);
  await page.close();
});

test("nothing is drawn off the screen or after slide:stop, and it goes on where it was", async () => {
  const { page } = await host("/tall", countDrawCalls);
  await complete(page);
  const frame = page.frames()[1];
  const calls = () => frame.evaluate(() => /** @type {any} */ (window).drawCalls);
  await ask(page, "speed", 0.1);
  await pause(600);
  const playing = await calls();
  await pause(600);
  assert.ok((await calls()) > playing, "playing draws");
  for (const [what, away, back] of /** @type {[string, () => Promise<unknown>, () => Promise<unknown>][]} */ ([
    ["off the screen", () => page.evaluate(() => scrollTo(0, 2500)), () => page.evaluate(() => scrollTo(0, 0))],
    ["after slide:stop", () => page.evaluate(() => /** @type {any} */ (window).say("slide:stop")), () => page.evaluate(() => /** @type {any} */ (window).say("slide:start"))],
  ])) {
    await away();
    await pause(500);
    const rest = await calls();
    await pause(1000);
    assert.equal(await calls(), rest, what);
    await back();
    await pause(800);
    assert.ok((await calls()) > rest, `${what} and back`);
  }
  await page.close();
});

test("keys: the lab's own outside of a deck, in a deck they go on", async () => {
  const { page } = await host("/");
  await complete(page);
  const frame = page.frames()[1];
  await frame.click("#caption");
  const time = async () => (await ask(page, "state")).result.time;
  const at = await time();
  await page.keyboard.press("ArrowRight");
  await pause(300);
  assert.ok((await time()) > at, "an arrow steps");
  await page.evaluate(() => { /** @type {any} */ (window).say("slide:start"); /** @type {any} */ (window).heard.length = 0; });
  await pause(200);
  const stepped = await time();
  await page.keyboard.press("ArrowRight");
  await frame.focus("#scrub");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("ArrowLeft");
  await pause(300);
  const keys = await page.evaluate(() => /** @type {any} */ (window).heard.filter((/** @type {any} */ m) => typeof m === "string" && m.includes("triggerKey")).map((/** @type {string} */ m) => JSON.parse(m).args[0]));
  assert.deepEqual(keys, [39, 34], "what the embed does not use is the deck's");
  assert.notEqual(await time(), stepped, "the scrubber keeps its arrows");
  await page.close();
});

test("in a small frame the picture is whole", async () => {
  const { page, errors } = await host("/small");
  const frame = page.frames()[1];
  const found = await frame.evaluate(() => {
    const stage = /** @type {HTMLElement} */ (document.getElementById("stage")).getBoundingClientRect();
    const canvas = /** @type {HTMLElement} */ (document.querySelector("canvas")).getBoundingClientRect();
    return { right: canvas.right - stage.right, bottom: canvas.bottom - stage.bottom, width: canvas.width, wide: document.documentElement.scrollWidth - innerWidth };
  });
  assert.ok(found.right < 1 && found.bottom < 1 && found.width > 500 && found.wide <= 0, JSON.stringify(found));
  assert.deepEqual(errors, []);
  await page.close();
});

test("a lost drawing context comes back with its state, and plays on if it played", async () => {
  for (const autoplay of [0, 1]) {
    const { page, errors } = await visit(browser, `${server.url}embed.en.html?scenario=low-rate&t=5&speed=0.1&autoplay=${autoplay}`, { width: 960, height: 540 });
    await page.waitForFunction("document.documentElement.dataset.hash !== ''");
    const before = await page.evaluate(() => {
      const w = /** @type {any} */ (window);
      w.before = w.checkpointLab; // it answers as before, also when it is not shown any more
      return { scene: w.checkpointLab.scene(), time: JSON.parse(w.checkpointLab.state()).time };
    });
    await page.evaluate(() => document.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext());
    await page.waitForFunction("checkpointLab !== before && document.querySelector('canvas') && document.documentElement.dataset.hash !== ''");
    if (autoplay) await page.waitForFunction((time) => JSON.parse(/** @type {any} */ (window).checkpointLab.state()).time > time, {}, before.time);
    else await page.waitForFunction((scene) => /** @type {any} */ (window).checkpointLab.scene() === scene, {}, before.scene);
    const state = JSON.parse(/** @type {string} */ (await page.evaluate("checkpointLab.state()")));
    assert.deepEqual([state.scenario, state.playing, state.speed], ["low-rate", autoplay === 1, 0.1]);
    assert.ok(await page.$eval("#notice", (e) => /** @type {HTMLElement} */ (e).hidden), "nothing is complained about");
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("without WebGL 2 stills stand for the picture and follow the time", async () => {
  const { page, errors } = await visit(browser, `${server.url}embed.en.html?scenario=low-rate&t=5`, {
    width: 960, height: 540,
    before: () => {
      const original = HTMLCanvasElement.prototype.getContext;
      // @ts-ignore as if it were off
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : original.call(this, kind, ...rest); };
    },
  });
  await pause(800);
  const source = () => page.$eval(".twin-still", (e) => /** @type {HTMLImageElement} */ (e).src);
  const first = await source();
  await page.click("#step");
  await pause(800);
  assert.notEqual(await source(), first);
  assert.ok(await page.$eval(".twin-still", (e) => /** @type {HTMLImageElement} */ (e).naturalWidth > 500));
  assert.equal(await page.$eval("#room .body", (e) => getComputedStyle(e).backgroundColor), "rgba(0, 0, 0, 0)", "nothing lies over it");
  assert.deepEqual(errors, []);
  await page.close();
});

test("without a script the still of the scenario is shown", async () => {
  const page = await freshPage(browser);
  await page.setJavaScriptEnabled(false);
  await page.goto(`${server.url}embed.en.html`);
  assert.ok(await page.$eval("noscript img", (e) => /** @type {HTMLImageElement} */ (e).naturalWidth > 1000));
  await page.close();
});

test("a view of space and time, a sweep, a thumbnail and a column", async () => {
  const program = () => /** @type {any} */ (window).checkpointLab;
  /** @param {string} query @param {number} width @param {number} height */
  const open = (query, width, height) => visit(browser, `${server.url}embed.en.html?scenario=low-rate&t=12&${query}`, { width, height });
  const plot = await open("view=plot&interval=2s", 960, 540);
  const space = await open("view=space&interval=2s", 960, 540);
  const drawn = (/** @type {typeof plot} */ { page }) => page.evaluate(`(${program})().scene()`);
  assert.equal(await space.page.evaluate("JSON.parse(checkpointLab.state()).face"), "space");
  assert.notEqual(await drawn(space), await drawn(plot), "a checkpoint in space and time is no plot");
  assert.deepEqual(space.errors, []);
  await space.page.close();
  await plot.page.close();

  const sweep = await open("view=sweep&knob=backend,interval", 960, 540);
  await sweep.page.waitForFunction("JSON.parse(checkpointLab.state()).sweep.done > 0");
  const state = await sweep.page.evaluate(`JSON.parse((${program})().state())`);
  assert.equal(/** @type {any} */ (state).sweep.key, "state.backend.type", "over the first setting at hand");
  assert.deepEqual(sweep.errors, []);
  await sweep.page.close();

  const thumbnail = await open("controls=mini", 200, 120);
  const box = await thumbnail.page.$eval("#stage", (e) => ({ w: e.clientWidth, h: e.clientHeight }));
  assert.ok(box.h >= 70, `a thumbnail's picture is ${box.h} px high`);
  assert.ok(await thumbnail.page.evaluate("JSON.parse(checkpointLab.stats()).frames > 0"), "and is drawn");
  await thumbnail.page.close();

  const column = await open("", 390, 700);
  assert.match(await column.page.$eval("#poster", (e) => /** @type {HTMLImageElement} */ (e).src), /low-rate\.en\.light\.narrow\.png$/);
  await column.page.close();
});
