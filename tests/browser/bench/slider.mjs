// From a move of the slider to its pixels.

import { fileURLToPath } from "node:url";
import { beenHere, drag, takeSlider } from "./hand.mjs";

const PROBE = fileURLToPath(new URL("./probe.js", import.meta.url));

/**
 * The trace event in which Chromium states the time from a device's event to the frame that shows its effect. Its last
 * stage is missing where nothing was to be shown, as for moves that were merged into a later one.
 */
const LATENCY = {
  name: "EventLatency",
  type: "MOUSE_DRAGGED",
  shown: "SwapEndToPresentationCompositorFrame",
  categories: ["input.scrolling"],
};

/** Opens the page anew, drags `drags` times with the processor slowed down `slowdown` times, and returns times [ms]. */
export async function measureSlider(browser, url, { slowdown, drags }) {
  // So tall that all four charts over the rate are in sight: what is out of sight is not drawn in each frame.
  const page = await browser.newPage({ viewport: { width: 1280, height: 1200 } });
  try {
    await page.addInitScript({ path: PROBE });
    await beenHere(page);
    await page.goto(url, { waitUntil: "networkidle" });
    const hand = await takeSlider(page);
    await hand.mouse.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    // The first drag compiles: browsers turn to fast code only what they have seen run. It is told apart.
    await drag(hand);
    await page.waitForTimeout(200 * slowdown);
    const first = await page.evaluate(() => window.probe.take());
    await browser.startTracing(page, { categories: LATENCY.categories });
    for (let i = 0; i < drags; i++) await drag(hand);
    // The last frame may still be under way.
    await page.waitForTimeout(200 * slowdown);
    const trace = JSON.parse(await browser.stopTracing());
    const samples = await page.evaluate(() => window.probe.take());
    return {
      samples,
      first: first.map(({ heard, done }) => done - heard),
      work: samples.map(({ heard, done }) => done - heard),
      script: samples.map(({ script }) => script),
      moved: samples.map(({ moved, done }) => done - moved),
      presented: latencies(trace.traceEvents),
    };
  } finally {
    await page.close();
  }
}

/** How many frames showed the figure of another rate than the slider's; null if the page says no such figure. */
export function stale(samples, ttftP99) {
  if (samples.every(({ shown }) => shown === undefined)) return null;
  const agrees = ({ value, shown }) => Math.abs(shown / ttftP99[value] - 1) < 1e-9;
  return samples.filter((sample) => !agrees(sample)).length;
}

/** The times from the mouse's moves to the frames that showed them [ms]. */
function latencies(events) {
  const open = new Map();
  const found = [];
  const inOrder = events.filter(({ ph, id2 }) => id2 && (ph === "b" || ph === "e")).sort((a, b) => a.ts - b.ts);
  for (const { name, ph, pid, id2, ts, args } of inOrder) {
    const key = `${pid} ${id2.local}`;
    const move = open.get(key);
    if (name === LATENCY.name && ph === "b") {
      open.set(key, { start: ts, type: args.event_latency?.event_type, shown: false });
    } else if (name === LATENCY.name && move) {
      open.delete(key);
      if (move.type === LATENCY.type && move.shown) found.push((ts - move.start) / 1000);
    } else if (name === LATENCY.shown && move) {
      move.shown = true;
    }
  }
  return found;
}
