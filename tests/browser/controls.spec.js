// Slider, buttons, fields, draws: also when they are used badly.

import { SLIDER_RATES, expect, frames, record, test } from "./support/lab.js";

const RATE_RANGE = "allowed are 0.01 to 1000 requests/s";

test("a bad rate is refused in one sentence and the last good picture stays", async ({ lab }) => {
  await lab.settled(() => lab.stop(6).click());
  const good = await lab.values();
  const results = await record(lab, "lab-result", "lab-change");
  await expect(lab.refusal).toBeHidden();
  for (const [text, sentence] of [
    ["0", `rate = 0 requests/s: ${RATE_RANGE}`],
    ["1001", `rate = 1001 requests/s: ${RATE_RANGE}`],
    ["-1", `rate = -1 requests/s: ${RATE_RANGE}`],
    ["1000.04", `rate = 1000.04 requests/s: ${RATE_RANGE}`],
    ["1e9", `rate = 1000000000 requests/s: ${RATE_RANGE}`],
    ["NaN", 'rate = "NaN": allowed are numbers, 0.01 to 1000 requests/s'],
    ["fast", 'rate = "fast": allowed are numbers, 0.01 to 1000 requests/s'],
    ["", 'rate = "": allowed are numbers, 0.01 to 1000 requests/s'],
  ]) {
    await lab.typeRate(text);
    await expect(lab.refusal).toHaveText(sentence);
    await expect(lab.refusal).toBeVisible();
    await expect(lab.refusal).toHaveRole("alert");
    await expect(lab.number, "what was typed stays beside the sentence").toHaveValue(text);
    await expect(lab.slider).toHaveValue("6");
    await lab.showsPublishedFigures(6);
    expect(await lab.values()).toEqual(good);
  }
  expect(await results(), "a refused value is no change").toEqual([]);
  await lab.typeRate("4");
  await expect(lab.refusal).toBeHidden();
  await lab.showsPublished(4);
});

test("a bad seed is refused in one sentence and the last good picture stays", async ({ lab }) => {
  for (const text of ["x", "", "-1", "1.5", "18446744073709551616"]) {
    await lab.typeSeed(text);
    await expect(lab.refusal).toHaveText(
      `seed = "${text}": allowed are lesson, or a whole number, 0 to 18446744073709551615`,
    );
    await expect(lab.refusal).toBeVisible();
    await expect(lab.seed).toHaveValue(text);
    await expect(lab.draw).toHaveText("the lesson’s draw");
    await lab.showsPublished(5);
  }
  await lab.typeSeed("7");
  await expect(lab.refusal).toBeHidden();
  await expect(lab.draw).toHaveText("draw 7");
});

test("any good input clears a refusal, also one that changes nothing", async ({ lab }) => {
  for (const good of [() => lab.typeRate("5"), () => lab.stop(5).click(), () => lab.action("reset").click()]) {
    await lab.typeRate("1001");
    await expect(lab.refusal).toBeVisible();
    await good();
    await expect(lab.refusal).toBeHidden();
    await expect(lab.number).toHaveValue("5.0");
  }
});

test("however the rate in view was typed, the field ends up saying it", async ({ lab }) => {
  for (const text of ["5,0", "5", "5.04", " 5 "]) {
    await lab.typeRate(text);
    await expect(lab.number, `typed "${text}"`).toHaveValue("5.0");
  }
});

test("half a number is left alone while it is typed", async ({ lab }) => {
  await lab.settled(async () => {
    await lab.stop(4).click();
    await lab.number.fill("7.");
  });
  await expect(lab.number, "after the lab has settled").toHaveValue("7.");

  await lab.seed.fill("1");
  await lab.chart("throughput").plot.hover();
  await expect(lab.chart("throughput").readout).not.toHaveText("");
  await expect(lab.seed, "after a chart was read").toHaveValue("1");
});

test("another draw shows other figures, the lesson's draw the exact ones again", async ({ lab }) => {
  const lesson = await lab.values();
  const seen = [JSON.stringify(lesson)];
  for (const draw of [1, 2, 3]) {
    await lab.action("another-draw").click();
    await expect(lab.draw).toHaveText(`draw ${draw}`);
    await expect(lab.seed).toHaveValue(String(draw));
    await lab.shows(await lab.run({ rate: 5, seed: draw }));
    expect(seen).not.toContain(JSON.stringify(await lab.values()));
    seen.push(JSON.stringify(await lab.values()));
  }
  await lab.action("lessons-draw").click();
  await expect(lab.draw).toHaveText("the lesson’s draw");
  await expect(lab.seed).toHaveValue("lesson");
  await lab.showsPublished(5);
  expect(await lab.values()).toEqual(lesson);
});

test("a typed seed is that draw", async ({ lab }) => {
  await lab.typeSeed("7");
  await expect(lab.draw).toHaveText("draw 7");
  await lab.shows(await lab.run({ rate: 5, seed: 7 }));
  await lab.stop(6).click();
  await lab.shows(await lab.run({ rate: 6, seed: 7 }));
  await lab.typeSeed("18446744073709551615");
  await lab.shows(await lab.run({ rate: 6, seed: "18446744073709551615" }));
  await lab.typeSeed("lesson");
  await lab.showsPublished(6);
});

test("the buttons stay where they are when the draw changes", async ({ lab }) => {
  const place = () =>
    lab.action("another-draw").evaluate((button) => {
      const { x, y, width } = button.getBoundingClientRect();
      return [x + scrollX, y + scrollY, width];
    });
  const before = await place();
  await lab.action("another-draw").click();
  await expect(lab.draw).toHaveText("draw 1");
  expect(await place()).toEqual(before);
});

test("reset goes back to the start", async ({ lab }) => {
  await lab.typeSeed("7");
  await lab.typeRate("7.3");
  await lab.action("reset").click();
  await lab.showsPublished(5);
  await expect(lab.draw).toHaveText("the lesson’s draw");
  await expect(lab.seed).toHaveValue("lesson");
});

for (const seed of ["lesson", 7]) {
  test(`push goes to the highest throughput of the curve, seed ${seed}`, async ({ lab }) => {
    await lab.typeSeed(String(seed));
    await lab.action("push").click();
    const curve = await lab.sweep({ seed }, SLIDER_RATES);
    const highest = Math.max(...curve.map((run) => run.throughput_tokens_per_s));
    await expect(lab.figure("throughput_tokens_per_s").first()).toHaveAttribute("data-value", String(highest));
    const best = curve.filter((run) => run.throughput_tokens_per_s === highest).map((run) => run.rate_per_s);
    expect(best).toContain(Number(await lab.slider.inputValue()));
    await lab.shows(await lab.run({ rate: Number(await lab.slider.inputValue()), seed }));
  });
}

test("minus and plus go one tenth and stop at the ends", async ({ lab }) => {
  await lab.action("faster").click();
  await expect(lab.number).toHaveValue("5.1");
  await lab.action("slower").click();
  await lab.action("slower").click();
  await expect(lab.number).toHaveValue("4.9");
  await lab.typeRate("0.6");
  for (let i = 0; i < 3; i++) await lab.action("slower").click();
  await expect(lab.number).toHaveValue("0.5");
  await lab.typeRate("7.9");
  for (let i = 0; i < 3; i++) await lab.action("faster").click();
  await expect(lab.number).toHaveValue("8.0");
  await lab.shows(await lab.run({ rate: 8 }));
});

test("the slider is the browser's own: Home, End, Page Up, Page Down", async ({ lab }) => {
  await lab.slider.focus();
  for (const [key, rate] of [["End", 8], ["Home", 0.5]]) {
    await lab.page.keyboard.press(key);
    await expect(lab.number).toHaveValue(rate.toFixed(1));
    await lab.shows(await lab.run({ rate }));
  }
  const rate = async () => Number(await lab.number.inputValue());
  await lab.page.keyboard.press("PageUp");
  await expect.poll(rate).toBeGreaterThan(0.6);
  const up = await rate();
  await lab.page.keyboard.press("PageDown");
  await expect.poll(rate).toBeLessThan(up);
  expect(await rate()).toBe(Number(await lab.slider.inputValue()));
});

test("reset by keyboard after a drag; then the slider still drags", async ({ lab }) => {
  await lab.drag(7);
  await expect(lab.number).toHaveValue("7.0");
  await lab.action("reset").focus();
  await lab.page.keyboard.press("Enter");
  await lab.showsPublished(5);
  await lab.drag(6);
  await lab.showsPublished(6);
});

test("a reset while the thumb is held does not freeze the slider", async ({ lab }) => {
  const { mouse } = lab.page;
  const [from, seven, six] = [await lab.thumb(5), await lab.thumb(7), await lab.thumb(6)];
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(seven.x, seven.y, { steps: 5 });
  await expect(lab.number).toHaveValue("7.0");
  await lab.action("reset").evaluate((button) => button.click());
  await lab.showsPublished(5);
  await mouse.move(six.x, six.y, { steps: 5 });
  await lab.showsPublished(6);
  await mouse.up();
  await lab.page.keyboard.press("ArrowLeft");
  await expect(lab.number).toHaveValue("5.9");
});

test("Enter in a field does not load the page again", async ({ lab }) => {
  await lab.page.evaluate(() => (window.same = true));
  await lab.typeRate("6");
  await lab.showsPublished(6);
  await lab.typeSeed("7");
  await expect(lab.draw).toHaveText("draw 7");
  expect(await lab.page.evaluate(() => window.same)).toBe(true);
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a cancelled touch leaves the slider usable", async ({ lab }) => {
    const cdp = await lab.page.context().newCDPSession(lab.page);
    const touch = (type, ...touchPoints) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
    const [five, seven] = [await lab.thumb(5), await lab.thumb(7)];
    await touch("touchStart", five);
    await touch("touchMove", { ...five, x: five.x + 30 });
    await touch("touchMove", seven);
    await touch("touchCancel");
    await frames(lab.page);

    const six = await lab.thumb(6);
    await lab.page.touchscreen.tap(six.x, six.y);
    await lab.showsPublished(6);
    await lab.slider.focus();
    await lab.page.keyboard.press("ArrowLeft");
    await expect(lab.number).toHaveValue("5.9");
    await lab.stop(4).tap();
    await lab.showsPublished(4);
  });

  test("what a finger must hit is at least 24 px", async ({ lab }) => {
    for (const target of await lab.root.locator(":is(button, input:not(.reader), summary)").filter({ visible: true }).all()) {
      const { width, height } = await target.boundingBox();
      expect(Math.min(width, height), await target.evaluate((element) => element.outerHTML)).toBeGreaterThanOrEqual(24);
    }
  });
});
