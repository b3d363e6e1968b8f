// The benchmark is run by hand, so that it still runs, and measures what it says, is looked at here. Nothing is timed.

import { expect, test } from "@playwright/test";
import { disagreements, openEngine, ttftP99s } from "./bench/engine-page.mjs";
import { serveBench } from "./bench/site.mjs";
import { measureSlider, stale } from "./bench/slider.mjs";

let site;

test.beforeAll(async () => {
  site = await serveBench();
});

test.afterAll(() => site.close());

test("the engine and the JavaScript model it is measured against give the same figures", async ({ page }) => {
  await openEngine(page, site);
  expect(await disagreements(page, [4, 5, 6])).toEqual([]);
});

test("every frame of a drag shows the figures of the slider's value in that frame", async ({ browser, page }) => {
  await openEngine(page, site);
  const { samples } = await measureSlider(browser, site.lab, { slowdown: 4, drags: 1 });
  expect(samples.length).toBeGreaterThan(10);
  expect(stale(samples, await ttftP99s(page))).toBe(0);
});
