// A run in a browser is the run of the command, to the last event: the trace hash of some scenarios in Chromium and in
// Firefox is the one that the native build gives.
// @ts-check
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { chromium, firefox, servePage, settled, visit } from "../testkit.mjs";

const sample = ["backpressure", "two-inputs"];

/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
/** @type {import("puppeteer-core").Browser} */
let chrome;
/** @type {{ browser: import("puppeteer-core").Browser, stop: () => Promise<void> }} */
let fox;
/** @type {Map<string, string>} */
const native = new Map();

before(async () => {
  server = await servePage();
  for (const name of sample) {
    const { stdout } = await promisify(execFile)("go", ["run", "./cmd/lab", "run", name, "--json"], { maxBuffer: 1 << 26 });
    native.set(name, JSON.parse(stdout).trace_hash);
  }
  [chrome, fox] = await Promise.all([chromium(), firefox()]);
});

after(async () => {
  await chrome?.close();
  await fox?.stop();
  await server?.stop();
});

for (const name of sample) {
  test(`${name} is the same run in Chromium and Firefox as natively`, async () => {
    for (const [which, browser] of /** @type {const} */ ([["Chromium", chrome], ["Firefox", fox.browser]])) {
      const { page } = await visit(browser, `${server.url}lab.html#s=${name}`);
      assert.equal(await settled(page), native.get(name), which);
      await page.close();
    }
  });
}
