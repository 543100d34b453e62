// Every browser test against one build of the page: node web/test/all.mjs [FILE...]. Two files are tested at a time, for a browser
// that waits leaves a processor free; what is measured by the clock is measured afterwards, alone.
// @ts-check
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { servePage } from "../testkit.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const named = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name));
const alone = files.filter((file) => file.endsWith("numbers.test.mjs"));
const together = files.filter((file) => !alone.includes(file));

const { url, stop } = await servePage();

/** @param {string[]} some @param {number} atOnce  files @returns {boolean} all passed */
function run(some, atOnce) {
  if (some.length === 0) return true;
  const { status } = spawnSync(process.execPath, ["--test", "--test-force-exit", `--test-concurrency=${atOnce}`, ...some], { stdio: "inherit", env: { ...process.env, LAB_PAGE: url } });
  return status === 0;
}

const passed = [run(together, 2), run(alone, 1)];
await stop();
process.exitCode = passed.every(Boolean) ? 0 : 1;
