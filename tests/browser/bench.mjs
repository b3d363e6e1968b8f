// Measures the built page in headless Chromium: the engine against the same model in plain JavaScript, slider to
// pixels, and the heap. Started by `cargo xtask bench`; by itself: `node bench.mjs [engine] [slider] [heap]`.
//
// Speed is no test: only figures that differ make it fail.

import { cpus, loadavg } from "node:os";
import { chromium } from "@playwright/test";
import config from "./playwright.config.js";
import { disagreements, openEngine, SLIDER_RATES, ttftP99s } from "./bench/engine-page.mjs";
import { measureHeap } from "./bench/heap.mjs";
import { serveBench } from "./bench/site.mjs";
import { measureSlider, stale } from "./bench/slider.mjs";
import { number, print, quantile, verdict } from "./bench/table.mjs";

/** The sweep: 2.0 to 8.0 requests/s. */
const RATES = Array.from({ length: 61 }, (_, i) => (20 + i) / 10);

const BARS = { speedUp: 50, slider: { 1: 16.7, 4: 50 }, heap: 1.05 };

const PARTS = { engine: engineAgainstPeer, slider: sliderToPixels, heap: heapAfterMoves };

async function main(chosen) {
  const unknown = chosen.find((name) => !(name in PARTS));
  if (unknown) throw new Error(`there is no part "${unknown}": choose from ${Object.keys(PARTS).join(", ")}`);

  const site = await serveBench();
  const browser = await chromium.launch(config.use.launchOptions);
  try {
    const [{ model }] = cpus();
    console.log(`\n${model.trim()}, ${cpus().length} cores; Chromium ${browser.version()}, headless, software rendering`);
    const load = loadavg()[0];
    if (load > cpus().length / 2) console.log(`The machine is busy (load ${load.toFixed(1)}): do not quote these times.`);

    const enginePage = await browser.newPage();
    await openEngine(enginePage, site);
    if (!(await enginePage.evaluate(() => crossOriginIsolated))) {
      throw new Error("the page is not isolated: its clock is coarse");
    }
    for (const name of chosen.length > 0 ? chosen : Object.keys(PARTS)) await PARTS[name](browser, site, enginePage);
    console.log();
  } finally {
    await browser.close();
    site.close();
  }
}

async function engineAgainstPeer(browser, site, page) {
  const found = await disagreements(page, SLIDER_RATES);
  if (found.length > 0) {
    throw new Error(`the engine and the JavaScript model give different figures:\n  ${found.slice(0, 20).join("\n  ")}`);
  }

  const duel = (options) => page.evaluate((all) => window.bench.duel(window.engine, all), options);
  const works = [
    ...[4, 5, 6].map((rate) => ({ name: `one run, ${rate} requests/s`, rate })),
    { name: "sweep of 61 rates", rates: RATES },
  ];
  for (const itl of [true, false]) {
    const rows = [];
    for (const { name, ...work } of works) {
      const pairs = work.rates ? (itl ? 3 : 15) : itl ? 15 : 60;
      const { engine, peer } = await duel({ ...work, itl, pairs });
      const speedUp = quantile(peer, 0.5) / quantile(engine, 0.5);
      const byPair = peer.map((time, i) => time / engine[i]);
      rows.push([
        name,
        ...[engine, peer].flatMap((times) => [number(quantile(times, 0.5)), number(quantile(times, 0.95))]),
        `${number(speedUp)}x`,
        `${number(quantile(byPair, 0.5))}x`,
        `${number(Math.min(...byPair))}x`,
        itl ? `>= ${BARS.speedUp}x ${verdict(speedUp >= BARS.speedUp)}` : "",
      ]);
    }
    print(
      itl
        ? "Engine against hand-written JavaScript, the same figures from both, side by side in one page [ms]"
        : "The same with JavaScript spared a figure: no inter-token latencies there, all of them here [ms]",
      itl
        ? [
            `Both give the same figures at all ${SLIDER_RATES.length} rates of the slider: counts exactly, times within 2e-6.`,
            "The engine is called through the module's API, objects in and out.",
          ]
        : [],
      ["", "engine", "p95", "JavaScript", "p95", "medians", "pairs: median", "least", "bar"],
      rows,
    );
  }
  const calls = await page.evaluate(() => window.bench.callTimes(window.engine, 60));
  console.log(`\n  Of the engine's time, ${number(quantile(calls, 0.5))} ms a run is the call itself: objects in and out, no simulation.`);
}

async function sliderToPixels(browser, site, enginePage) {
  const ttftP99 = await ttftP99s(enginePage);
  const rows = [];
  const notes = [];
  for (const slowdown of [1, 4]) {
    const lab = await measureSlider(browser, site.lab, { slowdown, drags: 4 });
    const floor = await measureSlider(browser, site.floor, { slowdown, drags: 2 });
    const bar = BARS.slider[slowdown];
    const reached = verdict(quantile(lab.work, 0.95) <= bar);
    rows.push(
      timesRow(`${slowdown}x  input -> frame done`, lab.work, `p95 <= ${bar} ${reached}`),
      timesRow("      the first drag, apart", lab.first),
      timesRow("      of which callbacks", lab.script),
      timesRow("    mouse -> frame done", lab.moved),
      timesRow("    mouse -> on screen", lab.presented),
      timesRow("      ... of an empty page", floor.presented),
    );
    const late = stale(lab.samples, ttftP99);
    notes.push(
      late === null
        ? `At ${slowdown}x, ${lab.samples.length} frames; the page shows no ttft_s.p99 to check them by.`
        : `At ${slowdown}x, ${lab.samples.length} frames answered the slider; ${late} of them did not show its value's figures.`,
    );
  }
  print(
    "Slider to pixels, during drags over the whole slider, at 1x and at 4x CPU throttling [ms]",
    [
      "The bar is on input -> frame done: from the first `input` event a frame handles to the end of that frame's work",
      "(simulation, charts, figures, style, layout, paint), after which only the compositor has to show it.",
      "The first drag, in which the browser still compiles, is told apart and not in the bar's line.",
      "Mouse -> frame done starts at the mouse event itself: it adds the wait for the next frame, up to 16.7 at 60 Hz.",
      "Mouse -> on screen is Chromium's own EventLatency: it adds compositing and the wait for the display. A page whose",
      "slider only writes its value pays the last line of each block. Moves merged into a later one are not counted.",
      ...notes,
    ],
    ["", "samples", "p50", "p95", "max", "bar"],
    rows,
  );
}

function timesRow(name, times, bar = "") {
  const cells = [0.5, 0.95, 1].map((p) => (times.length > 0 ? number(quantile(times, p)) : "-"));
  return [name, String(times.length), ...cells, bar];
}

async function heapAfterMoves(browser, site) {
  const [early, late] = await measureHeap(browser, site.lab, [100, 1000]);
  const row = (name, key) => {
    if (early[key] === null || early[key] === 0) return [name, "-", "-", "-", ""];
    const ratio = late[key] / early[key];
    const sizes = [early, late].map((weight) => number(weight[key] / 1024));
    return [name, ...sizes, ratio.toFixed(3), `<= ${BARS.heap} ${verdict(ratio <= BARS.heap)}`];
  };
  print(
    "Heap after many moves of the slider, garbage collected [KiB]",
    [],
    ["", `after ${early.changes}`, `after ${late.changes}`, "ratio", "bar"],
    [row("JavaScript objects", "script"), row("document", "page"), row("WebAssembly memory", "wasm")],
  );
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
