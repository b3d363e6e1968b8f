// Predict, then see: asked once, skippable at once, drawn by hand or by keys; what is covered until then.

import { AxeBuilder } from "@axe-core/playwright";
import { RATE_CHARTS, expect, frames, Lab, test } from "./support/lab.js";

test.use({ visit: "first" });

const parts = ({ page, root }) => ({
  section: page.locator("#guess"),
  form: page.locator("#guess form"),
  outcome: page.locator("#guess [data-outcome]"),
  late: (answer) => page.locator(`#guess input[name=late][value=${answer}]`),
  goodput: page.locator("#guess input[name=goodput]"),
  points: page.locator("#guess .point"),
  plot: page.locator("#guess [data-sketch]"),
  showMe: page.locator("#guess button[type=submit]"),
  skip: page.locator("#guess [data-act=skip]"),
  gap: (name) => page.locator(`#guess [data-gap=${name}]`),
  cover: root.locator("[data-cover]"),
});

const remembered = (lab) => lab.page.evaluate(() => localStorage["goodput-lab.guess"] ?? null);

/** The drawn points, as they are heard. */
const drawn = (lab) => parts(lab).points.evaluateAll((all) => all.map((point) => point.getAttribute("aria-valuetext")));

const rowRates = (lab) => lab.rows.evaluateAll((rows) => rows.map(({ cells }) => cells[0].textContent));

test("above four nothing is seen, heard or read off before the guess", async ({ lab }) => {
  await lab.showsPublished(4);
  await lab.disclosure.locator("summary").click();
  await expect.poll(() => rowRates(lab).then((rates) => rates.at(-1))).toBe("4.0");
  const result = await lab.settled(() => lab.stop(6).click());
  expect(result.ttft_s.p99, "the events are not covered").toBeGreaterThan(10);
  for (const output of await lab.outputs.all()) {
    await expect(output).toHaveText("?");
    await expect(output).toHaveAttribute("data-value", "");
  }
  await expect(lab.verdict).toContainText("opens after your guess");
  await expect(lab.status).toHaveText("6 requests/s: covered until you have guessed or skipped.");
  await expect(lab.root.locator("[data-check]:not(:empty)")).toHaveCount(0);
  for (const name of RATE_CHARTS) {
    await expect(lab.chart(name).headline).toContainText("Covered");
    await expect(lab.chart(name).canvas).not.toHaveAttribute("aria-label", /166 s|1,098|55 ms/);
  }
  await lab.stop(4).click();
  await lab.showsPublished(4);
});

test("by keyboard alone: answers, a drawn point, and then the truth beside the guess", async ({ lab }) => {
  const { late, goodput, points, showMe, outcome, gap, cover, section } = parts(lab);
  const { keyboard } = lab.page;
  await late("yes").focus();
  await keyboard.press("ArrowRight");
  await expect(late("no")).toBeChecked();
  await keyboard.press("Tab");
  await keyboard.press("Space");
  await keyboard.press("Tab");
  await expect(goodput).toBeFocused();
  for (let i = 0; i < 12; i++) await keyboard.press("ArrowRight");
  await expect(goodput).toHaveAttribute("aria-valuetext", "4.2 requests/s");
  await keyboard.press("Tab");
  await expect(points.first()).toBeFocused();
  await expect(points.first()).toHaveCSS("opacity", "1");
  await expect(points.nth(1)).toHaveAttribute("aria-valuetext", "at 5 requests/s: not drawn yet");
  await keyboard.press("ArrowUp");
  await expect(points.first()).toHaveAttribute("aria-valuetext", /^at 4.5 requests\/s: 2\d\d ms$/);
  await showMe.focus();
  await keyboard.press("Enter");

  await expect(outcome).toBeFocused();
  await expect(gap("late")).toHaveText("You said no, and were sure; the p99 was 1.23 s.");
  await expect(gap("goodput")).toHaveText("You expected 4.2; it was 0.00.");
  await expect(gap("line")).toHaveText("Your line was close to the p99 all the way.");
  await expect(section.locator("canvas")).toBeVisible();
  await expect(cover).toBeHidden();
  await lab.showsPublished(5);
  await lab.stop(6).click();
  await lab.showsPublished(6);
});

test("it is asked once: a reload keeps the guess, folded, and the lab open", async ({ lab }) => {
  const { late, showMe, form, section, gap } = parts(lab);
  await late("yes").check();
  await showMe.click();
  await lab.showsPublished(5);
  await lab.open();
  await lab.showsPublished(5);
  await expect(form).toBeHidden();
  await expect(gap("late")).toBeHidden();
  await section.locator("summary").click();
  await expect(gap("late")).toHaveText("You said yes; so it is: the p99 was 1.23 s.");
});

test("a skip opens everything at once and is remembered", async ({ lab }) => {
  const { skip, form, cover } = parts(lab);
  await skip.click();
  await lab.showsPublished(5);
  await expect(lab.slider).toBeFocused();
  expect(await remembered(lab)).toBe("skipped");
  await lab.open();
  await lab.showsPublished(5);
  await expect(form).toBeHidden();
  await expect(cover).toBeHidden();
});

test("the lab itself has the way round, and what was asked for stays", async ({ lab }) => {
  await lab.typeRate("6");
  await expect(lab.figure("ttft_s.p99")).toHaveText("?");
  await parts(lab).cover.getByRole("button").click();
  await lab.showsPublished(6);
});

test("garbage in the memory is no guess", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => (localStorage["goodput-lab.guess"] = "maybe 7 {}"));
  await lab.open();
  await expect(parts(lab).form).toBeVisible();
  await lab.showsPublished(4);
});

test("who scrolls past without a guess leaves no covered chart, and is asked another time", async ({ lab }) => {
  const { cover, form } = parts(lab);
  await lab.root.scrollIntoViewIfNeeded();
  await frames(lab.page);
  await expect(cover).toBeVisible();
  await lab.page.mouse.wheel(0, 20_000);
  await expect(cover).toBeHidden();
  await lab.showsPublished(5);
  expect(await remembered(lab)).toBeNull();
  await expect(lab.page.locator("[data-own-source]"), "it is no run of the reader's").toContainText("the lesson’s runs at 5, 6 and 4");
  await lab.open();
  await expect(form).toBeVisible();
});

test("where an address leads to another server nobody is asked, and the lesson's answers stand there", async ({ closed: lab }) => {
  const { section, form, outcome } = parts(lab);
  await lab.open("/?replicas=2&token-budget=512");
  await expect(form).toBeHidden();
  await expect(section.locator("[data-controls]")).toBeHidden();
  await section.getByText("Three questions, with answers").click();
  await expect(outcome).toContainText("Yes: the p99 is 1.23 s.");
  await lab.open();
  await expect(form, "the lesson asks another time").toBeVisible();
});

test("who has begun is waited for", async ({ lab }) => {
  await parts(lab).late("no").check();
  await lab.root.scrollIntoViewIfNeeded();
  await frames(lab.page);
  await lab.page.mouse.wheel(0, 20_000);
  await expect.poll(() => lab.root.evaluate((root) => root.getBoundingClientRect().bottom)).toBeLessThan(0);
  await frames(lab.page);
  await expect(parts(lab).cover).not.toHaveAttribute("hidden");
});

test("a line drawn with the mouse sets every half request/s it passes", async ({ lab }) => {
  const { plot } = parts(lab);
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await plot.boundingBox();
  const { mouse } = lab.page;
  await mouse.move(x + width * 0.45, y + height * 0.6);
  await mouse.down();
  await mouse.move(x + width * 0.82, y + height * 0.2, { steps: 3 });
  await mouse.up();
  await expect.poll(async () => (await drawn(lab)).filter((text) => text.includes("not drawn"))).toEqual([]);
  await lab.page.locator("#guess [data-act=wipe]").click();
  await expect.poll(async () => (await drawn(lab)).filter((text) => !text.includes("not drawn"))).toEqual([]);
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 740 } });

  test("a line is drawn sideways, and the page does not scroll under it", async ({ lab }) => {
    const { plot } = parts(lab);
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await plot.boundingBox();
    const session = await lab.page.context().newCDPSession(lab.page);
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const before = await lab.page.evaluate(() => scrollY);
    await touch("touchStart", { x: x + width * 0.5, y: y + height * 0.6 });
    for (let i = 1; i <= 8; i++) await touch("touchMove", { x: x + width * (0.5 + 0.035 * i), y: y + height * (0.6 - 0.04 * i) });
    await touch("touchEnd");
    await expect.poll(async () => (await drawn(lab)).filter((text) => !text.includes("not drawn")).length).toBeGreaterThan(4);
    expect(await lab.page.evaluate(() => scrollY)).toBe(before);
  });
});

for (const [width, colorScheme] of [
  [1280, "light"],
  [320, "dark"],
]) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 4500 }, colorScheme });

    test("a first visit: axe finds nothing, nothing scrolls sideways, nothing shifts at the take-over", async ({ closed: lab }) => {
      await lab.page.addInitScript(() => {
        window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter(({ value }) => value > 0.001).map(({ value }) => value))).observe({
          type: "layout-shift",
          buffered: true,
        });
      });
      await lab.open();
      await frames(lab.page);
      expect(await lab.page.evaluate(() => window.shifts)).toEqual([]);
      expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const asked = await new AxeBuilder({ page: lab.page }).include("#guess").analyze();
      expect(asked.violations).toEqual([]);
      await parts(lab).late("no").check();
      await parts(lab).showMe.click();
      await expect(parts(lab).outcome).toBeVisible();
      const told = await new AxeBuilder({ page: lab.page }).include("#guess").analyze();
      expect(told.violations).toEqual([]);
    });
  });
}

test("without JavaScript the questions stand with their answers, and nothing is covered", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  const lab = new Lab(page);
  const { form, outcome, cover } = parts(lab);
  await expect(outcome).toBeVisible();
  await expect(outcome.locator("li")).toHaveCount(3);
  await expect(outcome).toContainText("Yes: the p99 is 1.23 s");
  await expect(form).toBeHidden();
  await expect(cover).toBeHidden();
  await lab.showsPublishedFigures(5);
  await context.close();
});

test("where the engine does not start the answers stand there instead", async ({ page }) => {
  await page.route("**/*.wasm", (route) => route.abort());
  await page.goto("/");
  await expect(page.locator("#guess [data-outcome]")).toBeVisible();
  await expect(page.locator("#guess form")).toBeHidden();
});
