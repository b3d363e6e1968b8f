// The lesson as a reader reads it: in order, term by term, on a phone, on paper, without JavaScript.

import { expect, frames, test } from "./support/lab.js";

/** The lesson's sections that are text; others may stand between them. */
const SECTIONS = [
  "situation", "no-answer", "idea", "play", "seen", "model", "breath", "metrics", "practice", "sounds-right", "not-to-say",
  "traps", "sources", "terms",
];

const sections = (page) => page.locator("section[id]").evaluateAll((all) => all.map(({ id }) => id));
const inOrder = (part, whole) => {
  const ours = whole.filter((id) => part.includes(id));
  return String(ours) === String(part);
};

test("the sections stand in the lesson's order, each with its title", async ({ lab: { page } }) => {
  expect(inOrder(SECTIONS, await sections(page)), String(await sections(page))).toBe(true);
  for (const id of SECTIONS) await expect(page.locator(`section#${id}`)).toHaveAccessibleName(/\S/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
});

test.describe("1280 × 800", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("the first screen has the finished picture and its figures", async ({ lab: { page } }) => {
    const picture = page.locator(".hero img");
    await expect.poll(() => picture.evaluate(({ complete, naturalWidth }) => complete && naturalWidth)).toBeGreaterThan(0);
    await expect(picture).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".hero table")).toBeInViewport({ ratio: 1 });
    // One picture, loaded once: the lab's own.
    const still = page.locator("[data-chart=ttft] img");
    expect(await picture.evaluate((image) => image.currentSrc)).toBe(await still.evaluate((image) => image.currentSrc));
    expect(await picture.getAttribute("alt")).toBe(await still.getAttribute("alt"));
  });

  test("a link leads straight to the lab", async ({ lab }) => {
    await lab.page.getByRole("link", { name: "Straight to the lab" }).click();
    await expect(lab.slider).toBeInViewport();
  });
});

for (const width of [1280, 360]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 740 } });

    test("a term opens in place by keyboard, near its word, and closes by Escape", async ({ lab: { page } }) => {
      const term = page.getByRole("button", { name: "Poisson arrivals" });
      const entry = page.locator("#term-poisson");
      await term.focus();
      for (const key of ["Enter", "Space"]) {
        await page.keyboard.press(key);
        await expect(entry).toBeInViewport({ ratio: 1 });
        const [word, box] = [await term.boundingBox(), await entry.boundingBox()];
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(Math.min(Math.abs(box.y - word.y - word.height), Math.abs(word.y - box.y - box.height))).toBeLessThan(40);
        await page.keyboard.press("Escape");
        await expect(entry).not.toBeInViewport();
        await expect(term).toBeFocused();
      }
      await expect(entry, "it is back in the glossary").toBeVisible();
    });

    test("every term opens its own entry, inside the window", async ({ lab: { page } }) => {
      const terms = page.locator("button.term");
      expect(await terms.count()).toBeGreaterThan(20);
      for (const term of await terms.all()) {
        await term.click();
        const open = page.locator("#glossary > :popover-open");
        await expect(open).toHaveId(await term.getAttribute("popovertarget"));
        await expect(open).toBeInViewport({ ratio: 1 });
        await page.keyboard.press("Escape");
      }
    });
  });
}

test("what follows the lab follows it, and the lesson's figures stay", async ({ lab }) => {
  const now = lab.page.locator("#seen .now");
  await expect(now).toContainText("At 5 requests/s the load test reads 1,004 tokens/s.");
  await lab.stop(6).click();
  await expect(now).toContainText("At 6 requests/s the load test reads 1,142 tokens/s.");
  await expect(now).toContainText("0 % of the requests meet the SLO.");
  const law = await lab.run({ rate: 6 }).then(({ littles_law }) => littles_law);
  await expect(lab.page.locator("#metrics ul.now")).toContainText(`${law.mean_in_system.toFixed(0)} requests`);
  await expect(lab.page.locator(".hero tbody tr").first()).toHaveText(/72 ms\s+81 ms\s+12\.4 s/);
});

test.describe("320 px wide", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("nothing scrolls sideways, also with a term open", async ({ lab: { page } }) => {
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await sideways()).toBe(0);
    await page.getByRole("button", { name: "coordinated omission" }).click();
    await expect(page.locator("#term-omission")).toBeInViewport({ ratio: 1 });
    expect(await sideways()).toBe(0);
  });
});

test("without JavaScript the lesson reads the same, and its terms open", async ({ browser, lab }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  const words = (page) => page.locator([".opening", ...SECTIONS.map((id) => `#${id}`)].join(", ")).allInnerTexts();
  const [still, running] = [await words(page), await words(lab.page)];
  expect(still.length).toBeGreaterThan(SECTIONS.length);
  expect(still).toEqual(running);

  await page.getByRole("button", { name: "goodput" }).press("Enter");
  await expect(page.locator("#term-goodput")).toBeInViewport({ ratio: 1 });
  // What would set the lab is a word like others.
  const line = (page) => page.locator(".inline").first().evaluate((one) => getComputedStyle(one).textDecorationLine);
  expect([await line(page), await line(lab.page)]).toEqual(["none", "underline"]);
  await context.close();
});

test("the engine's start changes no text, so nothing is read aloud", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => {
    window.changed = [];
    document.addEventListener("DOMContentLoaded", () => {
      for (const section of document.querySelectorAll(".opening, section.column")) {
        // What the engine makes there is no text that stood there before.
        const made = "[data-sketch], [data-summary]";
        const stood = ({ target }) => target.isConnected && !target.closest?.(made);
        const texts = (changes) => changes.filter(stood).map(({ target }) => target.outerHTML);
        new MutationObserver((changes) => window.changed.push(...texts(changes))).observe(
          section,
          { childList: true, characterData: true, subtree: true },
        );
      }
    });
  });
  await lab.open();
  await frames(lab.page);
  expect(await lab.page.evaluate(() => window.changed)).toEqual([]);
  await lab.stop(6).click();
  await expect.poll(() => lab.page.evaluate(() => window.changed.length)).toBeGreaterThan(0);
});

test.describe("on paper", () => {
  test.use({ colorScheme: "dark" });

  test("it is dark on light, sources can be read, the glossary is there", async ({ lab: { page } }) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.emulateMedia({ media: "print" });
    expect(await background()).toBe("rgb(255, 255, 255)");
    expect(dark).not.toBe("rgb(255, 255, 255)");
    const address = await page.locator("#src-little a").evaluate((link) => getComputedStyle(link, "::after").content);
    expect(address).toContain("https://doi.org/");
    await expect(page.locator("#term-ttft")).toBeVisible();
  });
});
