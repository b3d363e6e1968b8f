// The server, moving: it plays, pauses and steps, follows the rate, and tells of a request why it was late.

import { expect, frames, test } from "./support/lab.js";

const scene = (page) => {
  const figure = page.locator("[data-scene]");
  const control = (name) => figure.locator(`[data-picture=${name}]`);
  const part = (name) => figure.locator(`[data-part=${name}]`);
  return {
    figure,
    control,
    part,
    plot: figure.locator("> .plot"),
    headline: figure.locator("[data-headline]"),
    autopsy: figure.locator("[data-autopsy]"),
    reader: figure.locator("input.reader"),
    seconds: async () => Number(await control("time").inputValue()),
    nanos: async (name) => Number(await part(name).getAttribute("data-nanos")),
  };
};

/** Counts the animation frames asked for from now on. */
async function countFrames(page) {
  const count = await page.evaluateHandle(() => {
    const count = { asked: 0 };
    const original = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => {
      count.asked += 1;
      return original.call(window, callback);
    };
    return { count, original };
  });
  return () => count.evaluate(({ count }) => count.asked);
}

/** Real time for something to happen in that must not: by a timer, which asks for no frame. */
const wait = (page, ms) => page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), ms);

test("it starts still, plays when asked, and paused it costs no frame", async ({ lab }) => {
  const picture = scene(lab.page);
  await picture.plot.scrollIntoViewIfNeeded();
  await expect(picture.headline).toHaveText(
    "170.2 s: 14 wait, 64 of 64 slots taken; a prefill stops everyone for 60 ms",
  );
  await frames(lab.page);
  const asked = await countFrames(lab.page);
  await picture.control("play").click();
  await expect(picture.control("play")).toHaveText("Pause");
  await expect.poll(picture.seconds).toBeGreaterThan(171);
  expect(await asked()).toBeGreaterThan(2);
  await picture.control("play").click();
  await expect(picture.control("play")).toHaveText("Play");
  const [rested, at] = [await asked(), await picture.seconds()];
  await wait(lab.page, 300);
  expect(await asked()).toBe(rested);
  expect(await picture.seconds()).toBe(at);
});

test("out of sight it stands and costs no frame, and goes on when it is seen again", async ({ lab }) => {
  const picture = scene(lab.page);
  await picture.plot.scrollIntoViewIfNeeded();
  await picture.control("play").click();
  await expect.poll(picture.seconds).toBeGreaterThan(171);
  await lab.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(picture.plot).toHaveAttribute("data-unseen");
  await frames(lab.page);
  const asked = await countFrames(lab.page);
  const at = await picture.seconds();
  await wait(lab.page, 300);
  expect(await asked()).toBe(0);
  expect(await picture.seconds()).toBe(at);
  await picture.plot.scrollIntoViewIfNeeded();
  await expect.poll(picture.seconds).toBeGreaterThan(at);
});

test("a step goes to the next event, the slider anywhere, the end stops", async ({ lab }) => {
  const picture = scene(lab.page);
  await picture.control("time").fill("600");
  await expect(picture.headline).toHaveText(/^600\.0 s: /);
  await picture.control("time").fill("0");
  await expect(picture.headline).toHaveText("0.0 s: nobody waits, 0 of 64 slots taken; the server is idle");
  await picture.control("step").click();
  await expect(picture.headline).toHaveText(/1 of 64 slots taken; a prefill of 60 ms, and nobody to stop$/);
  const first = await picture.seconds();
  await picture.control("step").click();
  await expect(picture.headline, "the next arrival").toHaveText(/1 waits, 1 of 64 slots taken; a prefill of 60 ms/);
  await picture.control("step").click();
  await expect(picture.headline, "the first token").toHaveText(/1 of 64 slots taken; a token for everyone every 10 ms$/);
  expect((await picture.seconds()) - first).toBeLessThan(0.11);
  await picture.control("speed").selectOption("60");
  await picture.control("time").fill("599");
  await picture.control("play").click();
  await expect(picture.control("play")).toHaveText("Play");
  await expect.poll(() => picture.seconds()).toBe(600);
});

test("the p99 request: its parts sum to its TTFT, and that is the lab's p99", async ({ lab }) => {
  const picture = scene(lab.page);
  for (const rate of [5, 6]) {
    await lab.stop(rate).click();
    await lab.showsPublished(rate);
    await picture.control("p99").click();
    await expect(picture.autopsy).toBeVisible();
    await expect(picture.part("ttft")).toHaveText(await lab.figure("ttft_s.p99").first().textContent());
    const parts = await Promise.all(["boundary", "slot", "others", "own"].map(picture.nanos));
    expect(parts.reduce((sum, part) => sum + part)).toBe(await picture.nanos("ttft"));
    const p99 = Number(await lab.figure("ttft_s.p99").first().getAttribute("data-value"));
    expect(Math.abs((await picture.nanos("ttft")) / 1e9 - p99) / p99).toBeLessThan(0.01);
    await expect(picture.part("sentence")).toHaveText(/was waiting for a slot\. Its longest gap/);
  }
  await expect(picture.part("ttft-check")).toHaveText("✕ over 1 s");
});

test("it follows the rate at the same instant, and its own stops set the rate", async ({ lab }) => {
  const picture = scene(lab.page);
  await picture.plot.scrollIntoViewIfNeeded();
  await picture.control("time").fill("590");
  await picture.figure.locator('[data-go-rate="6"]').click();
  await lab.showsPublished(6);
  await expect(picture.headline).toHaveText(/^590\.0 s: 184 wait, 64 of 64 slots taken/);
  await expect(picture.figure.locator('[data-go-rate="6"]')).toHaveAttribute("aria-pressed", "true");
  await lab.stop(4).click();
  await expect(picture.headline).toHaveText(/^590\.0 s: (nobody|\d) waits?, \d\d of 64 slots taken/);
});

test("a press on the chart over time moves the picture there", async ({ lab }) => {
  const picture = scene(lab.page);
  const { plot } = lab.chart("time");
  await plot.scrollIntoViewIfNeeded();
  await plot.click({ position: { x: 300, y: 100 } });
  await expect.poll(picture.seconds).not.toBe(170.2);
  await expect.poll(picture.seconds).toBeGreaterThan(100);
});

test("a request is chosen by pointer and by keyboard alone", async ({ lab }) => {
  const picture = scene(lab.page);
  const { width, height } = await picture.plot.boundingBox();
  await picture.plot.click({ position: { x: width / 2, y: height / 2 } });
  await expect(picture.part("title")).toHaveText(/^Request \d+, arrived at 1\d\d\.\d s$/);
  await picture.control("close").click();
  await expect(picture.autopsy).toBeHidden();
  await picture.reader.focus();
  await expect(picture.reader).toHaveAttribute("aria-valuetext", /^Request \d+: \d+ of 200 tokens$/);
  await lab.page.keyboard.press("ArrowRight");
  const title = await picture.part("title").textContent();
  await picture.control("next").focus();
  await lab.page.keyboard.press("Enter");
  await expect(picture.part("title")).not.toHaveText(title);
  await picture.control("previous").focus();
  await lab.page.keyboard.press("Space");
  await expect(picture.part("title")).toHaveText(title);
  await picture.control("play").focus();
  await lab.page.keyboard.press("Space");
  await expect(picture.control("play")).toHaveText("Pause");
  await expect(picture.autopsy, "stays open while it plays").toBeVisible();
});

test("where less motion is wanted it starts still, too", async ({ closed: lab }) => {
  await lab.page.emulateMedia({ reducedMotion: "reduce" });
  await lab.open();
  await frames(lab.page);
  const asked = await countFrames(lab.page);
  await wait(lab.page, 200);
  expect(await asked()).toBe(0);
  await expect(scene(lab.page).control("play")).toHaveText("Play");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the still stands there, the controls are off, and a sentence says what they would do", async ({ page }) => {
    await page.goto("/");
    const picture = scene(page);
    await expect(picture.plot.locator("img")).toBeVisible();
    expect((await picture.plot.locator("img").getAttribute("alt")).includes(await picture.headline.textContent())).toBe(true);
    await expect(picture.control("play")).toBeDisabled();
    const sentence = picture.figure.locator("noscript p");
    await expect(sentence).toBeVisible();
    expect(await sentence.textContent()).toContain("With JavaScript this picture plays");
    await expect(picture.autopsy).toBeHidden();
  });
});
