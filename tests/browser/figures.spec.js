// The lesson's figures, on every way to them, and the engine behind them.

import { SLIDER_RATES, at, expect, frames, test } from "./support/lab.js";

test("the stops show the published figures", async ({ lab }) => {
  for (const rate of [4, 6, 5]) {
    const result = await lab.settled(() => lab.stop(rate).click());
    await lab.showsPublished(rate);
    expect(result.rate_per_s).toBe(rate);
    await expect(lab.stop(rate)).toHaveAttribute("aria-pressed", "true");
    await expect(lab.root.locator("[data-stop][aria-pressed=true]")).toHaveCount(1);
  }
});

test("what is shown is what the engine says, unrounded", async ({ lab }) => {
  await lab.shows(await lab.run({ rate: 5 }));
  for (const rate of [4, 6]) {
    await lab.stop(rate).click();
    await lab.shows(await lab.run({ rate }));
  }
});

test("verdict and checks judge by sign and word", async ({ lab }) => {
  const check = (path) => lab.root.locator(`[data-check="${path}"]`);
  await lab.stop(4).click();
  await expect(lab.verdict).toHaveText("At 4 requests/s the typical user waits 72 ms, and every request meets the SLO.");
  await expect(check("ttft_s.p99")).toHaveText("✓ within 1 s");
  await expect(check("tpot_s.p50")).toHaveText("✓ within 50 ms");
  await expect(check("slo_attainment")).toHaveText("✓ 99 % or more");
  await lab.stop(6).click();
  await expect(lab.verdict).toHaveText("At 6 requests/s the typical user waits 12.4 s, and no request meets the SLO.");
  await expect(check("ttft_s.p99")).toHaveText("✕ over 1 s");
  await expect(check("tpot_s.p50")).toHaveText("✕ over 50 ms");
  await expect(check("slo_attainment")).toHaveText("✕ below 99 %");
});

test("from 4.0 to 6.0 are exactly twenty key presses", async ({ lab }) => {
  await lab.stop(4).click();
  await lab.slider.focus();
  for (let press = 1; press < 20; press++) await lab.page.keyboard.press("ArrowRight");
  await expect(lab.number).toHaveValue("5.9");
  const result = await lab.settled(() => lab.page.keyboard.press("ArrowRight"));
  expect(result.rate_per_s).toBe(6);
  await lab.showsPublished(6);
  for (let press = 0; press < 20; press++) await lab.page.keyboard.press("ArrowLeft");
  await lab.showsPublished(4);
});

test("typing shows the published figures; a decimal comma is a decimal point", async ({ lab }) => {
  for (const [text, rate] of [["4", 4], ["6.0", 6], ["4,0", 4], [" 6 ", 6]]) {
    await lab.settled(() => lab.typeRate(text));
    await lab.showsPublished(rate);
  }
  await lab.typeRate("5,5");
  await expect(lab.number).toHaveValue("5.5");
  await lab.shows(await lab.run({ rate: 5.5 }));
  await expect(lab.refusal).toBeHidden();
});

test("dragging with the mouse ends on the published figures", async ({ lab }) => {
  for (const rate of [6, 4, 5]) {
    const result = await lab.settled(() => lab.drag(8, 0.5, rate));
    expect(result.rate_per_s).toBe(rate);
    await lab.showsPublished(rate);
  }
});

test("every position of the slider shows what the engine says", async ({ lab }) => {
  await lab.slider.focus();
  await lab.page.keyboard.press("Home");
  const shown = [];
  for (const rate of SLIDER_RATES) {
    await frames(lab.page);
    expect(await lab.slider.inputValue()).toBe(String(rate));
    shown.push(await lab.values());
    await lab.page.keyboard.press("ArrowRight");
  }
  const runs = await lab.page.evaluate(async (rates) => {
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    return rates.map((rate) => glue.run({ rate }));
  }, SLIDER_RATES);
  const wrong = SLIDER_RATES.flatMap((rate, i) =>
    Object.keys(shown[i])
      .filter((path) => shown[i][path] !== at(runs[i], path))
      .map((path) => `${path} at ${rate}: ${shown[i][path]}, not ${at(runs[i], path)}`),
  );
  expect(wrong).toEqual([]);
  expect(await lab.sweep(undefined, SLIDER_RATES)).toEqual(runs);
});

test("a figure about a rate of its own is the engine's figure at that rate", async ({ lab }) => {
  const fixed = await lab.page.locator("[data-rate][data-metric]").evaluateAll((outputs) =>
    outputs.map(({ dataset: { rate, metric, value }, textContent }) => ({ rate, metric, value, text: textContent })),
  );
  expect(fixed.length).toBeGreaterThan(15);
  for (const rate of new Set(fixed.map(({ rate }) => rate))) {
    const run = await lab.run({ rate: Number(rate) });
    await lab.settled(() => lab.drag(8, Number(rate)));
    for (const { metric, value, text } of fixed.filter((figure) => figure.rate === rate)) {
      expect(Number(value), `${metric} at ${rate}`).toBe(at(run, metric));
      // What the lab itself does not show, tests/lesson_text.rs compares in words.
      const shown = lab.figure(metric);
      if (await shown.count()) await expect(shown.first(), `${metric} at ${rate}`).toHaveText(text);
    }
  }
});

test("the capacity is the closed form", async ({ lab }) => {
  const capacity = 1 / (0.06 + (200 * 0.0356) / 64);
  await expect(lab.root.locator("[data-theory=capacity]")).toHaveText(capacity.toFixed(2));
  const { x, width } = await lab.root.locator(".capacity-mark").boundingBox();
  expect(Math.abs(x + width / 2 - (await lab.thumb(capacity)).x), "the mark stands at its place").toBeLessThan(3);
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a tap on the track and a drag of the thumb", async ({ lab }) => {
    const six = await lab.thumb(6);
    await lab.settled(() => lab.page.touchscreen.tap(six.x, six.y));
    await lab.showsPublished(6);

    const cdp = await lab.page.context().newCDPSession(lab.page);
    const four = await lab.thumb(4);
    const result = await lab.settled(async () => {
      await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [six] });
      for (let i = 1; i <= 20; i++) {
        const x = six.x + ((four.x - six.x) * i) / 20;
        await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ ...six, x }] });
      }
      await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    });
    expect(result.rate_per_s).toBe(4);
    await lab.showsPublished(4);
  });

  test("taps on the stops and on minus and plus", async ({ lab }) => {
    await lab.stop(4).tap();
    await lab.showsPublished(4);
    await lab.action("slower").tap();
    await lab.action("slower").tap();
    await lab.action("faster").tap();
    await expect(lab.number).toHaveValue("3.9");
  });
});
