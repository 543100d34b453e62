// Comparing: lanes share clock, input and axis, differ in words, and travel in the link.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, pause, pixels, session, settled, visit } from "../testkit.mjs";

const here = session();

const state71 = "#s=backpressure&t=71.2&x=1";
const unaligned = "execution.checkpointing.unaligned.enabled";

test("C compares: a lane is added, its settings act on it alone, the link brings it back", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html${state71}`);
  const one = await settled(page);
  await page.keyboard.press("c");
  await settled(page);
  const get = () => lab(page, "state");
  assert.equal((await get()).lanes.length, 2);
  assert.match((await get()).differences[0], /same numbers/);
  await page.click("#more");
  await page.select(`#fields [data-key='${unaligned}'] select`, "true");
  const two = await settled(page);
  await page.keyboard.press("Escape");
  const [a, b] = two.split("+");
  assert.equal(a, one, "lane A is as before");
  assert.notEqual(b, one, "lane B has changed");
  const said = await page.$eval("#differences", (e) => e.textContent ?? "");
  assert.match(said, /^B against A, over 90.s: p99 \d+.% lower.*stored per checkpoint/);
  assert.match(await page.$eval("#caption", (e) => e.textContent ?? ""), /Checkpoint \d+: A .*; B /);
  const titles = await page.$$eval(".lane h2", (all) => all.map((e) => e.textContent));
  assert.deepEqual(titles, ["Unaligned checkpoints: off", "Unaligned checkpoints: on"]);
  assert.equal(await page.$eval("#of-lane", (e) => e.textContent), "B");
  assert.ok((await pixels(page)).colours > 20);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction("!/[#&]t=71\\.2(&|$)/.test(location.hash)");
  const stepped = await get();
  assert.ok(stepped.time > 71.2, "one clock steps both");

  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /&b=/);
  const again = await visit(here.browser, `${here.url}lab.en.html${hash}`);
  assert.equal(await settled(again.page), two, "the link brings both runs back");
  assert.equal((await lab(again.page, "state")).time, stepped.time);
  await again.page.close();

  await page.keyboard.press("c");
  await pause(300);
  assert.equal((await get()).lanes.length, 0);
  assert.equal(await page.$eval("#lanes", (e) => /** @type {HTMLElement} */ (e).hidden), true);
  await page.keyboard.press("c");
  await pause(300);
  assert.equal((await get()).lanes.length, 2, "the lanes are kept");
  assert.deepEqual([...errors, ...again.errors], []);
  await page.close();
});

test("up to four lanes, with a scenario each; each can be reached, selected and taken away", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  await page.click("#compare");
  await page.waitForFunction("document.querySelectorAll('.lane').length === 2");
  await page.click("#lane-add");
  await page.waitForFunction("document.querySelectorAll('.lane').length === 3");
  await page.select("#scenario", "chapter");
  await settled(page);
  await page.click("#lane-add");
  await page.waitForFunction("document.querySelectorAll('.lane').length === 4");
  await settled(page);
  assert.equal(await page.$eval("#lane-add", (e) => /** @type {HTMLButtonElement} */ (e).disabled), true);
  const s = await lab(page, "state");
  assert.equal(s.hash.split("+").length, 4);
  assert.equal(s.differences.length, 3);
  const groups = await page.$$eval("#targets [data-group]", (all) => [...new Set(all.map((e) => /** @type {HTMLElement} */ (e).dataset.group))]);
  for (const g of ["pipeline", "pipelineB", "pipelineC", "pipelineD"]) assert.ok(groups.includes(g), `${g} in ${groups}`);
  const inside = await page.evaluate(() => {
    const stage = /** @type {HTMLElement} */ (document.getElementById("stage")).getBoundingClientRect();
    const target = /** @type {HTMLElement} */ (document.querySelector("#targets [data-id^='C:card']")).getBoundingClientRect();
    const place = /** @type {HTMLElement} */ (document.querySelectorAll(".lane-pipe")[2]).getBoundingClientRect();
    return target.top >= place.top - 2 && target.bottom <= place.bottom + 2 && place.bottom <= stage.bottom;
  });
  assert.ok(inside, "the marks of lane C stand in its place");
  await page.click("[data-act='select-1']");
  await pause(200);
  assert.equal((await lab(page, "state")).lanes[1].selected, true);
  await page.click("[data-act='remove-3']");
  await page.waitForFunction("document.querySelectorAll('.lane').length === 3");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a change of the job's shape is laid out anew", async () => {
  const { page } = await visit(here.browser, `${here.url}lab.html${state71}`);
  await settled(page);
  const height = () => page.$eval("#pipe", (e) => e.clientHeight);
  const two = await height();
  await lab(page, "set", "job.vertices.sink.parallelism", "4");
  await settled(page);
  assert.ok((await height()) > two + 50, `${two} px became ${await height()}`);
  await page.close();
});

test("pipelines have their places before a picture is drawn that has more or fewer of them", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.en.html${state71}`);
  await settled(page);
  await page.evaluate(() => {
    // @ts-ignore set by stage-boot.js
    const program = document.querySelector("iframe").contentWindow.checkpointLab;
    const place = program.place;
    Object.assign(window, { places: [] });
    program.place = (/** @type {string} */ text) => {
      const at = JSON.parse(text);
      // @ts-ignore set above
      window.places.push({ lanes: at.lanes.map((/** @type {{ w: number }} */ b) => b.w > 100), pipe: at.pipe.w > 100, of: JSON.parse(program.state(-1)).lanes.length });
      return place(text);
    };
  });
  for (const press of ["c", "#lane-add", "c"]) {
    press === "c" ? await page.keyboard.press("c") : await page.click(press);
    await pause(600);
  }
  const places = /** @type {{ lanes: boolean[], pipe: boolean, of: number }[]} */ (await page.evaluate("window.places"));
  assert.deepEqual([...new Set(places.map((p) => p.of))], [2, 3, 0]);
  for (const p of places) assert.ok(p.lanes.length === p.of && p.lanes.every((l) => l) && p.pipe === (p.of === 0), JSON.stringify(places));
  assert.deepEqual(errors, []);
  await page.close();
});

test("on a phone the curve of a comparison stands above its lanes", async () => {
  const { page, errors } = await visit(here.browser, `${here.url}lab.html${state71}`, { width: 390, height: 844, touch: true });
  await settled(page);
  const tops = () => page.evaluate(() => ["#plot", "#pipe", "#lanes"].map((s) => document.querySelector(s)?.getBoundingClientRect().top ?? 0));
  let [plot, pipe] = await tops();
  assert.ok(plot > pipe, "one run: below its pipeline");
  await lab(page, "compare");
  await page.waitForFunction("!document.getElementById('lanes').hidden");
  let lanes = 0;
  [plot, , lanes] = await tops();
  assert.ok(plot < lanes && plot < 844 / 2, `the curve at ${plot}, the lanes at ${lanes}`);
  assert.deepEqual(errors, []);
  await page.close();
});
