// The static site on a host that can do nothing: under a sub-path, without compression, without headers of its own; inside a
// sandbox, and when the network is gone.
// @ts-check
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { chromium, foreignSite, freshPage, pause, visit } from "../testkit.mjs";

const root = join(fileURLToPath(new URL("../..", import.meta.url)));
const dir = process.env.LAB_SITE ?? mkdtempSync(join(tmpdir(), "checkpointlab-site-"));
const types = /** @type {Record<string, string>} */ ({ ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".gz": "application/gzip" });

/** @type {{ url: string, asked: string[], stop: () => Promise<void> }} */
let host;
/** @type {{ url: string, stop: () => Promise<void> }} */
let foreign;
/** @type {import("puppeteer-core").Browser} */
let browser;

before(async () => {
  if (!process.env.LAB_SITE) execFileSync("go", ["run", "./web/test/page", "-site", dir], { cwd: root, stdio: "inherit" });
  host = await plainHost("/some/where/");
  foreign = await foreignSite({
    "/": `<link rel="icon" href="data:,"><script>window.heard = []; addEventListener("message", (e) => heard.push(e.data));</script>
      <iframe width="960" height="540" sandbox="allow-scripts" src="${host.url}embed.en.html?scenario=low-rate&t=5"></iframe>`,
    "/element": `<link rel="icon" href="data:,"><script src="${host.url}checkpoint-lab.js" defer></script><checkpoint-lab id="c" scenario="low-rate" t="5" lang="en" title="A figure"></checkpoint-lab>`,
  });
  browser = await chromium();
});

after(async () => {
  await browser?.close();
  await host?.stop();
  await foreign?.stop();
  if (!process.env.LAB_SITE) rmSync(dir, { recursive: true, force: true });
});

/** Hands out the folder under a path, with as little as a host can do; it notes what is asked for. @param {string} path */
async function plainHost(path) {
  /** @type {string[]} */
  const asked = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? "").split("?")[0].slice(path.length) || "index.html";
    const file = join(dir, name);
    asked.push(name);
    if (!request.url?.startsWith(path) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream", "Content-Length": statSync(file).size });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}${path}`, asked, stop: () => new Promise((/** @type {(v?: void) => void} */ r) => { server.closeAllConnections(); server.close(() => r()); }) };
}

test("no page of a site asks for the whole program ahead: its host may not compress", () => {
  const pages = readdirSync(dir).filter((name) => name.endsWith(".html"));
  assert.ok(pages.length > 8);
  for (const name of pages) assert.doesNotMatch(readFileSync(join(dir, name), "utf8"), /rel="preload"/, name);
});

test("names change with contents, pages hold the policy, stills keep their names and their sizes", () => {
  const names = readdirSync(dir);
  for (const name of names.filter((n) => /\.(js|css|json|wasm)$/.test(n) && !["checkpoint-lab.js", "sw.js"].includes(n))) assert.match(name, /\.[0-9a-f]{10}\./, name);
  for (const name of names.filter((n) => n.endsWith(".html"))) {
    const page = readFileSync(join(dir, name), "utf8");
    assert.match(page, /http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/, name);
    assert.doesNotMatch(page, /<script(?![^>]*src=)[^>]*>|<style|\sstyle=|\son\w+=|(href|src)="(https?:)?\/\//, name);
    for (const [, file] of page.matchAll(/\s(?:src|href)="([^"#?:]+)"/g)) assert.ok(file === "./" || existsSync(join(dir, file)), `${name} asks for ${file}`);
  }
  const stills = readdirSync(join(dir, "stills"));
  assert.ok(stills.includes("backpressure.ko.dark.svg") && stills.includes("chapter.en.png"));
  for (const name of stills.filter((n) => n.endsWith(".svg"))) assert.ok(statSync(join(dir, "stills", name)).size <= 60_000, name);
  const png = readFileSync(join(dir, "stills", "chapter.ko.png"));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1600, 900]);
  assert.ok(statSync(join(dir, "checkpoint-lab.js")).size <= 3000, "the element is 3 kB as served");
  const card = JSON.parse(readFileSync(join(dir, "oembed", "chapter.en.json"), "utf8"));
  assert.equal(card.type, "rich");
  assert.match(card.html, /<iframe src="embed\.en\.html\?scenario=chapter"/);
  assert.match(readFileSync(join(dir, "lab.html"), "utf8"), /property="og:image" content="stills\/backpressure\.ko\.png"/);
});

for (const page of ["lab.en.html#s=low-rate&t=5", "embed.en.html?scenario=low-rate&t=5", "index.html"]) {
  test(`${page} works from a sub-path and fetches the program packed`, async () => {
    host.asked.length = 0;
    const context = await browser.createBrowserContext();
    const { page: tab, errors } = await visit(/** @type {any} */ (context), host.url + page);
    await tab.waitForFunction("document.querySelector('canvas') || document.querySelector('iframe')?.contentDocument?.querySelector('canvas')");
    assert.deepEqual(errors, []);
    assert.ok(host.asked.some((n) => n.endsWith(".wasm.gz")), "packed");
    await context.close();
  });
}

test("inside a sandbox, on a host that lets nobody read, the program comes as a script", async () => {
  const page = await freshPage(browser);
  await page.goto(foreign.url);
  await page.waitForFunction("heard.some((m) => m.event === 'ready')");
  assert.ok(host.asked.some((n) => n.endsWith(".wasm.js")));
  await page.close();
});

test("after the first visit it works without a network", async () => {
  const context = await browser.createBrowserContext();
  const other = await plainHost("/off/");
  const url = `${other.url}embed.en.html?scenario=low-rate&t=5`;
  const first = await visit(/** @type {any} */ (context), url);
  await first.page.waitForFunction("navigator.serviceWorker.ready.then((r) => r.active?.state === 'activated')");
  await first.page.close();
  await other.stop();
  for (const path of ["embed.en.html?scenario=chapter&t=3", "lab.html", ""]) {
    const { page } = await visit(/** @type {any} */ (context), other.url + path);
    await page.close();
  }
  await context.close();
});

test("the element shows a still, becomes live, and answers by promises", async () => {
  const page = await freshPage(browser);
  await page.goto(`${foreign.url}/element`);
  await page.waitForSelector("#c iframe");
  assert.ok(await page.$eval("#c > img", (e) => /** @type {HTMLImageElement} */ (e).src.endsWith("stills/low-rate.en.light.svg")));
  const state = await page.evaluate(async () => {
    const figure = /** @type {any} */ (document.getElementById("c"));
    await figure.seek(7);
    const refused = await figure.set("interval", "soon").catch((/** @type {any} */ e) => e.code);
    return { ...(await figure.state()), refused };
  });
  assert.equal(state.time, 7);
  assert.equal(state.scenario, "low-rate");
  assert.equal(state.refused, "refused");
  await pause(100);
  await page.close();
});
