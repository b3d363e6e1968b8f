// What stays on the heap after many moves of the slider.

import { fileURLToPath } from "node:url";
import { beenHere, drag, takeSlider } from "./hand.mjs";

const TALLY = fileURLToPath(new URL("./tally.js", import.meta.url));

/** Opens the page and weighs it after each of the given numbers of moves: `{ changes, script, page, wasm }` [bytes]. */
export async function measureHeap(browser, url, changes) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.addInitScript({ path: TALLY });
    await beenHere(page);
    await page.goto(url, { waitUntil: "networkidle" });
    const hand = await takeSlider(page);
    const weights = [];
    for (const target of changes) {
      const made = () => page.evaluate(() => window.tally.changes);
      for (let before = -1, now = await made(); now < target; now = await made()) {
        if (now === before) throw new Error("dragging the slider no longer changes its value");
        before = now;
        await drag(hand, { moves: Math.max(10, Math.min(125, target - now)) });
      }
      // What the page does once a change has settled belongs to the move.
      await page.waitForTimeout(1000);
      weights.push({ changes: await made(), ...(await weigh(page, hand.mouse)) });
    }
    return weights;
  } finally {
    await page.close();
  }
}

async function weigh(page, session) {
  // Twice: what the first collection lets go may have held more.
  for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0 } = await session.send("Runtime.getHeapUsage");
  const wasm = await page.evaluate(() => window.tally.wasmBytes());
  return { script: usedSize, page: embedderHeapUsedSize, wasm };
}
