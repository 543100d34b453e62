// Every browser test against one build of the page, one file after the other: node web/test/all.mjs [FILE...].
// @ts-check
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { servePage } from "../testkit.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const named = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name));

const { url, stop } = await servePage();
const { status } = spawnSync(process.execPath, ["--test", "--test-force-exit", "--test-concurrency=1", ...files], { stdio: "inherit", env: { ...process.env, LAB_PAGE: url } });
await stop();
process.exitCode = status ?? 1;
