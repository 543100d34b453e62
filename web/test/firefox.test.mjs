// A smoke test in Firefox: the page boots, draws with WebGL, plays, and complains about nothing; companion and embed show their picture.
// @ts-check
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firefox, lab, pause, pixels, servePage, settled, visit } from "../testkit.mjs";

/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
/** @type {{ browser: import("puppeteer-core").Browser, stop: () => Promise<void> }} */
let fox;

before(async () => {
  server = await servePage();
  fox = await firefox();
});

after(async () => {
  await fox?.stop();
  await server?.stop();
});

test("the lab works in Firefox", async () => {
  const { page, errors, boot } = await visit(fox.browser, `${server.url}lab.html#s=backpressure&t=71.2&x=1`);
  const hash = await settled(page);
  console.log(`  booted in ${Math.round(boot)} ms`);
  const first = await pixels(page);
  assert.ok(first.colours > 20, `the picture has ${first.colours} colours`);
  await lab(page, "play");
  await pause(1500);
  await lab(page, "pause");
  await pause(500);
  assert.notEqual((await pixels(page)).hash, first.hash, "playing changes the picture");
  await page.$eval("[data-key='taskmanager.network.memory.buffer-debloat.enabled'] .sw", (e) => /** @type {HTMLElement} */ (e).click());
  assert.notEqual(await settled(page), hash, "a setting changes the run");
  const seen = [];
  for (let i = 0; i < 80 && seen.at(-1) !== "open-keys"; i++) {
    await page.keyboard.press("Tab");
    seen.push(await page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName));
  }
  assert.ok(seen.includes("open-keys") && !seen.includes("IFRAME"), `Tab passes through: ${seen.join(", ")}`);
  assert.deepEqual(errors, []);
});

// Firefox tells a frame of its size only once it draws, when the first picture may be there already.
for (const path of ["index.html#a5", "embed.html?scenario=backpressure&t=71.2"]) {
  test(`${path} shows its picture in Firefox`, async () => {
    const { page, errors } = await visit(fox.browser, server.url + path);
    await settled(page);
    const colours = await page.evaluate(() => {
      const canvas = document.querySelector("#room canvas") ?? document.querySelector("iframe")?.contentDocument?.querySelector("canvas");
      const copy = document.createElement("canvas");
      Object.assign(copy, { width: /** @type {HTMLCanvasElement} */ (canvas).width, height: /** @type {HTMLCanvasElement} */ (canvas).height });
      const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
      context.drawImage(/** @type {HTMLCanvasElement} */ (canvas), 0, 0);
      return new Set(new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)).size;
    });
    assert.ok(colours > 20, `the picture has ${colours} colours`);
    assert.deepEqual(errors, []);
    await page.close();
  });
}
