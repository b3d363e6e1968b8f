// Lighthouse on the built page, as a phone would load it from a host that compresses: three runs, and the median.
//
// `node lighthouse.mjs`, after `cargo xtask build`. npx fetches Lighthouse in the version below; CHROME_PATH, or
// GOODPUT_CHROMIUM as for the other chores, names the browser. No test: its times are the machine's.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import sirv from "sirv";
import { CSP } from "./server.mjs";

const LIGHTHOUSE = "lighthouse@12.2.3";
const RUNS = 3;
const BARS = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };

/** A copy of the site with a compressed sibling beside each file. */
function compressed(dist) {
  const copy = mkdtempSync(join(tmpdir(), "goodput-lighthouse-"));
  cpSync(dist, copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
  return copy;
}

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const folder = compressed(dist);
const files = sirv(folder, { gzip: true, maxAge: 3600, setHeaders: (answer) => answer.setHeader("Content-Security-Policy", CSP) });
const server = createServer((request, answer) => files(request, answer, () => answer.writeHead(404).end("not found")));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const chrome = process.env.CHROME_PATH ?? process.env.GOODPUT_CHROMIUM;
const sandbox = process.getuid?.() === 0 ? "--no-sandbox" : "";
const run = promisify(execFile);
try {
  const scores = [];
  for (let i = 0; i < RUNS; i++) {
    const { stdout } = await run(
      "npx",
      [
        ...["--yes", LIGHTHOUSE, `http://127.0.0.1:${server.address().port}/`, "--output=json", "--quiet"],
        ...[`--only-categories=${Object.keys(BARS)}`, `--chrome-flags=--headless=new --disable-gpu ${sandbox}`],
      ],
      { maxBuffer: 1 << 28, env: { ...process.env, ...(chrome && { CHROME_PATH: chrome }) } },
    );
    const { categories, audits } = JSON.parse(stdout);
    scores.push(Object.fromEntries(Object.keys(BARS).map((name) => [name, Math.round(categories[name].score * 100)])));
    const times = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];
    console.log(JSON.stringify(scores.at(-1)), times.map((name) => `${name} ${audits[name].displayValue}`).join(", "));
  }
  for (const [name, bar] of Object.entries(BARS)) {
    const median = scores.map((score) => score[name]).sort((a, b) => a - b)[Math.floor(RUNS / 2)];
    console.log(`${name.padEnd(16)} median ${median}, bar ${bar}: ${median >= bar ? "reached" : "MISSED"}`);
  }
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}
