// For everybody: assistive technology, forced colours, narrow and zoomed windows, those whom motion disturbs.

import { AxeBuilder } from "@axe-core/playwright";
import { CHARTS, expect, test } from "./support/lab.js";

async function hasNoViolations(page, part = "html") {
  const { violations, passes } = await new AxeBuilder({ page })
    .include(part)
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(passes.length).toBeGreaterThan(5);
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary]))).toEqual([]);
}

for (const colorScheme of ["light", "dark"]) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("axe finds nothing: fresh, and at 6 with an input refused", async ({ lab }) => {
      await hasNoViolations(lab.page);
      await lab.settled(() => lab.stop(6).click());
      await lab.typeRate("1001");
      await expect(lab.refusal).toBeVisible();
      await hasNoViolations(lab.page);
    });
  });
}

test("axe finds nothing in the open table", async ({ lab }) => {
  await lab.disclosure.locator("summary").click();
  await expect(lab.rows).toHaveCount(76);
  await hasNoViolations(lab.page, "[data-curve]");
});

const WINDOWS = {
  "320 px wide": { viewport: { width: 320, height: 640 } },
  "zoomed to 200 %": { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
  "zoomed to 400 %": { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
};

for (const [name, use] of Object.entries(WINDOWS)) {
  test.describe(name, () => {
    test.use(use);

    test("nothing scrolls sideways, nothing is cut off, axe finds nothing", async ({ lab }) => {
      const tooWide = () =>
        lab.page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          if (scrollWidth <= clientWidth) return [];
          const inScroller = (element) => element.closest(".scroll, .visually-hidden");
          return [...document.body.querySelectorAll("*")]
            .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !inScroller(element))
            .map((element) => `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 30)}`);
        });
      expect(await tooWide()).toEqual([]);
      await hasNoViolations(lab.page);
      await lab.settled(() => lab.stop(6).click());
      await lab.typeSeed("18446744073709551616");
      await expect(lab.refusal).toBeVisible();
      await lab.disclosure.locator("summary").click();
      await expect(lab.rows).toHaveCount(76);
      expect(await tooWide()).toEqual([]);
      await lab.typeSeed("18446744073709551615");
      await expect(lab.draw).toHaveText("draw 18446744073709551615");
      expect(await tooWide()).toEqual([]);
    });
  });
}

test("the figures do not overlap, narrow, and where eight in a row have little room", async ({ lab }) => {
  for (const width of [320, 961, 1040, 1201]) {
    await lab.page.setViewportSize({ width, height: 640 });
    for (const rate of [4, 5, 6]) {
      await lab.stop(rate).click();
      await lab.showsPublished(rate);
      const overflowing = await lab.root
        .locator(".readouts > div")
        .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((one) => one.textContent.trim()));
      expect(overflowing, `${width} px, at ${rate}`).toEqual([]);
    }
  }
});

test("with forced colours the lab works, axe finds nothing, and the pressed stop stands out", async ({ lab }) => {
  await lab.page.emulateMedia({ forcedColors: "active" });
  await lab.stop(6).click();
  await lab.showsPublished(6);
  const border = (rate) => lab.stop(rate).evaluate((button) => getComputedStyle(button).borderTopWidth);
  expect(await border(6)).not.toBe(await border(5));
  await hasNoViolations(lab.page);
});

test("where motion is reduced nothing moves by itself", async ({ lab }) => {
  await lab.page.emulateMedia({ reducedMotion: "reduce" });
  const moving = () =>
    lab.page.evaluate(() =>
      document
        .getAnimations()
        .map((animation) => animation.effect?.target?.outerHTML.slice(0, 80))
        .concat([...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).scrollBehavior === "smooth")),
    );
  await lab.page.mouse.move(...Object.values(await lab.thumb(5)));
  await lab.page.mouse.down();
  for (const rate of [5.5, 6.5, 7.5, 6]) {
    const { x, y } = await lab.thumb(rate);
    await lab.page.mouse.move(x, y, { steps: 3 });
    expect(await moving()).toEqual([]);
  }
  await lab.page.mouse.up();
  await lab.action("another-draw").click();
  expect(await moving()).toEqual([]);
});

test("idle, the lab asks for no frame", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => {
    window.asked = 0;
    const ask = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => (window.asked++, ask(callback));
  });
  await lab.open();
  await lab.settled(() => lab.stop(6).click());
  const asked = () => lab.page.evaluate(() => window.asked);
  const before = await asked();
  expect(before).toBeGreaterThan(0);
  await lab.page.waitForTimeout(500);
  expect(await asked()).toBe(before);
});

test("by keyboard alone: every control has a name, the focus is seen, the order is the reading order", async ({ lab }) => {
  const names = [];
  // From the lab's title on: the text before it has terms and links of its own.
  await lab.page.locator("#lab-title").evaluate((title) => {
    title.tabIndex = -1;
    title.focus();
  });
  await lab.page.keyboard.press("Tab");
  for (let i = 0; i < 60; i++) {
    const focused = await lab.page.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const rect = element.getBoundingClientRect();
      return {
        what: element.dataset.action || element.dataset.stop || element.name || element.className || element.localName,
        outlined: outlineStyle !== "none" && parseFloat(outlineWidth) > 0,
        inWindow: rect.bottom > 0 && rect.top < innerHeight,
        inLab: element.closest("[data-lab]") !== null,
      };
    });
    if (!focused) break;
    expect(focused, focused.what).toMatchObject({ outlined: true, inWindow: true });
    if (focused.inLab) names.push(focused.what);
    await lab.page.keyboard.press("Tab");
  }
  expect(names.slice(0, 23)).toEqual([
    ...["slower", "rate", "faster", "input", "4", "5", "6", "push", "seed", "another-draw", "lessons-draw", "reset"],
    // Presets; five groups of levers are folded; then more draws, pin, theory.
    ...["select", "lessons-server", "summary", "summary", "summary", "summary", "summary", "button", "pin", "button", "reader"],
  ]);
  expect(names.filter((name) => name === "reader")).toHaveLength(CHARTS.length);
});

test("on paper are the figures and the charts, without what only works on a screen", async ({ lab }) => {
  await lab.settled(() => lab.stop(6).click());
  await lab.page.emulateMedia({ media: "print" });
  for (const name of CHARTS) await expect(lab.chart(name).canvas).toBeVisible();
  await expect(lab.verdict).toBeVisible();
  await expect(lab.figure("ttft_s.p99").first()).toBeVisible();
  await expect(lab.action("push")).toBeHidden();
});
