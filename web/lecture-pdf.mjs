// Prints the lecture: node web/lecture-pdf.mjs FOLDER writes lecture.LANG.pdf, and lecture-notes.LANG.pdf with what the speaker
// says after every slide.
// @ts-check
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, servePage } from "./testkit.mjs";

const folder = process.argv[2] ?? "build";
mkdirSync(folder, { recursive: true });
const { url, stop } = await servePage();
const browser = await chromium();
for (const [lang, name] of [["ko", "lecture.html"], ["en", "lecture.en.html"]]) {
  for (const [file, query] of [["lecture", "print-pdf"], ["lecture-notes", "print-pdf&notes"]]) {
    const page = await browser.newPage();
    await page.goto(`${url}${name}?${query}`, { waitUntil: "networkidle0" });
    const path = join(folder, `${file}.${lang}.pdf`);
    await page.pdf({ path, width: "1280px", height: "720px", printBackground: true, preferCSSPageSize: true, timeout: 120_000 });
    console.log(path);
    await page.close();
  }
}
await browser.close();
await stop();
