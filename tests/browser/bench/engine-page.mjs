// The page of our own in which the engine's module runs beside the peer.

/** Every value of the page's slider: 0.5 to 8.0 requests/s. */
export const SLIDER_RATES = Array.from({ length: 76 }, (_, i) => (5 + i) / 10);

/** Opens it, with the engine as `window.engine` and what measures as `window.bench`. */
export async function openEngine(page, site) {
  await page.goto(site.engine);
  await page.evaluate(async (module) => {
    window.bench = await import("/bench/engine.js");
    window.engine = await window.bench.load(module);
  }, site.module);
}

/** What the engine and the peer do not agree on at some rates: a line for each figure. */
export function disagreements(page, rates) {
  return page.evaluate((all) => window.bench.disagreements(window.engine, all), rates);
}

/** The p99 of TTFT at every value of the slider [s]. */
export function ttftP99s(page) {
  return page.evaluate((rates) => {
    const summaries = window.engine.sweep(window.engine.default_scenario(), rates);
    return Object.fromEntries(rates.map((rate, i) => [rate, summaries[i].ttft_s?.p99]));
  }, SLIDER_RATES);
}
