// What the browser tests share: the page, built and served by Go, and the two browsers.
// @ts-check
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import puppeteer from "puppeteer-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Builds the page into a folder of its own and serves it; LAB_PAGE names one that is served already.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function servePage() {
  if (process.env.LAB_PAGE) return { url: process.env.LAB_PAGE, stop: async () => {} };
  const dir = mkdtempSync(join(tmpdir(), "checkpointlab-page-"));
  const server = spawn("go", ["run", "./web/test/page", dir], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const line = new Promise((resolve) => createInterface(server.stdout).once("line", resolve));
  const url = await Promise.race([line, ended.then(() => "")]);
  if (typeof url !== "string" || !url) throw new Error("the page could not be built or served; see above");
  return {
    url,
    stop: async () => {
      server.stdin.end();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * What a test file needs around its tests: the page served, and Chromium. Both stop after its last test.
 * @param {{ args?: string[] }} [how]  args: of the browser
 */
export function session(how = {}) {
  const own = /** @type {{ url: string, browser: import("puppeteer-core").Browser }} */ ({});
  /** @type {Awaited<ReturnType<typeof servePage>>} */
  let server;
  before(async () => {
    server = await servePage();
    own.url = server.url;
    own.browser = await chromium(how.args);
  });
  after(async () => {
    await own.browser?.close();
    await server?.stop();
  });
  return own;
}

/** How long something may take to come, in ms: a machine that only tests may be slow, and two files are tested at once. */
const patience = 240_000;

/** @param {string[]} [more] */
export function chromium(more = []) {
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: patience,
    args: ["--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--no-first-run", ...more],
  });
}

/**
 * Firefox on a screen of its own, drawing in software.
 * @returns {Promise<{ browser: import("puppeteer-core").Browser, stop: () => Promise<void> }>}
 */
export async function firefox() {
  const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1600x1000x24"], { stdio: ["ignore", "pipe", "ignore"] });
  const display = await new Promise((resolve) => createInterface(screen.stdout).once("line", resolve));
  const browser = await puppeteer.launch({
    browser: "firefox",
    timeout: patience,
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: false,
    env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: "1", MOZ_DISABLE_CONTENT_SANDBOX: "1" },
    extraPrefsFirefox: { "webgl.force-enabled": true, "app.update.enabled": false, "datareporting.policy.dataSubmissionEnabled": false },
  });
  return {
    browser,
    stop: async () => {
      await browser.close();
      screen.kill();
    },
  };
}

/**
 * A page whose waiting has patience: the tests ask whether something comes; how quickly it does, `inTime` and numbers.test.mjs do.
 * @param {import("puppeteer-core").Browser} browser
 */
export async function freshPage(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  return page;
}

/**
 * @typedef {object} Visit
 * @property {import("puppeteer-core").Page} page
 * @property {string[]} errors   what the console and the page complained about
 * @property {number} boot       ms from asking for the page until it is ready
 */

/**
 * Opens the page and waits until it is ready, or for whatever says it is.
 * @param {import("puppeteer-core").Browser} browser
 * @param {string} url
 * @param {{ width?: number, height?: number, ratio?: number, touch?: boolean, media?: { name: string, value: string }[], before?: () => void, ready?: string, lean?: boolean }} [how]  lean: the picture's buffer is not kept, as in a reader's browser
 * @returns {Promise<Visit>}
 */
export async function visit(browser, url, how = {}) {
  const page = await freshPage(browser);
  /** @type {string[]} */
  const errors = [];
  page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.setViewport({ width: how.width ?? 1440, height: how.height ?? 900, deviceScaleFactor: how.ratio ?? 1, hasTouch: how.touch ?? false });
  if (how.media) await page.emulateMediaFeatures(how.media);
  if (!how.lean) await page.evaluateOnNewDocument(keepBuffer);
  if (how.before) await page.evaluateOnNewDocument(how.before);
  const from = performance.now();
  await page.goto(url);
  await page.waitForFunction(how.ready ?? "document.documentElement.dataset.ready === 'true'");
  return { page, errors, boot: performance.now() - from };
}

/** Runs inside the page before it: pixels() can read the picture at any time. */
function keepBuffer() {
  const original = HTMLCanvasElement.prototype.getContext;
  // @ts-ignore the same with one option more
  HTMLCanvasElement.prototype.getContext = function (kind, options) { return original.call(this, kind, { ...options, preserveDrawingBuffer: true }); };
}

/**
 * Runs inside the page before it: counts the draw calls of the picture in window.drawCalls of its frame.
 */
export function countDrawCalls() {
  Object.assign(window, { drawCalls: 0 });
  if (typeof WebGL2RenderingContext === "undefined") return;
  for (const name of ["drawElements", "drawArrays", "clear"]) {
    // @ts-ignore by name
    const original = WebGL2RenderingContext.prototype[name];
    // @ts-ignore by name
    WebGL2RenderingContext.prototype[name] = function (...args) {
      // @ts-ignore counted above
      window.drawCalls++;
      return original.apply(this, args);
    };
  }
}

/**
 * Calls a function of the program.
 * @param {import("puppeteer-core").Page} page
 * @param {string} name
 * @param {...(string | number | boolean)} args
 */
export function lab(page, name, ...args) {
  return page.evaluate((n, a) => {
    // @ts-ignore set by stage-boot.js
    const answer = document.querySelector("iframe").contentWindow.checkpointLab[n](...a);
    return typeof answer === "string" && answer.startsWith("{") ? JSON.parse(answer) : answer;
  }, name, args);
}

/**
 * Waits until the run is computed to its end and nothing is drawn any more; returns its hash.
 * @param {import("puppeteer-core").Page} page
 */
export async function settled(page) {
  await page.waitForFunction("document.documentElement.dataset.hash !== ''");
  await pause(400);
  return page.evaluate(() => document.documentElement.dataset.hash ?? "");
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * How many colours a part of the picture has, and a hash of it.
 * @param {import("puppeteer-core").Page} page
 * @param {{ x: number, y: number, w: number, h: number }} [part]  in device px; all of it if missing
 */
export function pixels(page, part) {
  return page.evaluate(async (box) => {
    const canvas = document.querySelector("iframe")?.contentDocument?.querySelector("canvas");
    if (!canvas) return { colours: 0, hash: 0 };
    const copy = document.createElement("canvas");
    const b = box ?? { x: 0, y: 0, w: canvas.width, h: canvas.height };
    Object.assign(copy, { width: b.w, height: b.h });
    const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
    context.drawImage(canvas, b.x, b.y, b.w, b.h, 0, 0, b.w, b.h);
    const data = new Uint32Array(context.getImageData(0, 0, b.w, b.h).data.buffer);
    let hash = 0;
    const colours = new Set();
    for (const pixel of data) {
      hash = (Math.imul(hash, 31) + pixel) | 0;
      if (colours.size < 1000) colours.add(pixel);
    }
    return { colours: colours.size, hash };
  }, part);
}

/**
 * By how much other work on this machine stretches time: 1 on an idle one. Limits in seconds are meant for an idle machine.
 */
export function contention() {
  const from = performance.now();
  const cpu = process.cpuUsage();
  const used = () => { const u = process.cpuUsage(cpu); return (u.user + u.system) / 1000; };
  while (used() < 300) for (let i = 0; i < 1e5; i++);
  return Math.max(1, (performance.now() - from) / used());
}

/**
 * How many seconds of processor time a page's main thread has taken so far; ask the answer again and again.
 * @param {import("puppeteer-core").Page} page
 */
export async function mainThread(page) {
  const session = await page.createCDPSession();
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration")?.value ?? NaN;
}

/** Machines that only test may be this many times as slow as a reader's; LAB_STRICT=1 takes the limits as they are. */
export const slack = process.env.LAB_STRICT ? 1 : 3;

/**
 * Measures up to three times; once must be in time, on a machine that has nothing else to do. slow is above 1 for too slow.
 * @param {() => Promise<{ said: string, slow: number }>} measure
 */
export async function inTime(measure) {
  const said = [];
  for (let i = 0; i < 3; i++) {
    const before = contention();
    const found = await measure();
    const busy = Math.max(before, contention());
    said.push(`${found.said} while other work makes all ${busy.toFixed(1)} times as slow`);
    if (found.slow <= busy * slack) break;
    if (i === 2) throw new Error(said.join("; "));
  }
  console.log(`  ${said.join("; ")}`);
}

/**
 * A site of somebody else's: pages by path, on another origin than the lab's.
 * @param {Record<string, string>} pages  their HTML
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function foreignSite(pages) {
  const server = createServer((request, response) => {
    const html = pages[(request.url ?? "/").split("?")[0]];
    response.writeHead(html === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(html ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => { server.closeAllConnections(); server.close(() => resolve(undefined)); }),
  };
}
