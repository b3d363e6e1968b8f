// Without JavaScript the page is the finished picture; the engine takes over without a change.

import { CHARTS, PUBLISHED, expect, Lab, test } from "./support/lab.js";

/** All that the lab shows, in words. */
async function words(lab) {
  const texts = async (selector, attribute) =>
    Object.fromEntries(
      await lab.root.locator(selector).evaluateAll(
        (elements, attribute) =>
          elements.map((element, i) => [
            `${element.getAttribute(attribute) || i}`,
            [element.textContent, element.dataset.value ?? "", element.dataset.state ?? ""],
          ]),
        attribute,
      ),
    );
  return {
    figures: await texts("[data-metric]", "data-metric"),
    checks: await texts("[data-check]", "data-check"),
    verdict: await lab.verdict.textContent(),
    headlines: await lab.root.locator("[data-headline]").allTextContents(),
    readouts: await lab.root.locator("[data-readout]").allTextContents(),
    draw: await lab.draw.textContent(),
    seed: await lab.seed.inputValue(),
    rate: await lab.number.inputValue(),
    slider: await lab.slider.inputValue(),
    stops: await lab.root.locator("[aria-pressed=true]").allTextContents(),
  };
}

const rowsByRate = (lab) =>
  lab.rows.evaluateAll((rows) =>
    Object.fromEntries(rows.map(({ cells }) => [cells[0].textContent, [...cells].map((cell) => cell.textContent)])),
  );

/** Opens the page where no script runs. */
async function withoutScript(browser, use) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  await use(new Lab(page));
  await context.close();
}

test("the page without JavaScript says what the running lab says", async ({ browser, lab }) => {
  await withoutScript(browser, async (still) => {
    expect(await words(lab)).toEqual(await words(still));

    const descriptions = (await still.root.locator(".plot img").evaluateAll((images) => images.map(({ alt }) => alt)));
    expect(descriptions).toHaveLength(CHARTS.length);
    const live = lab.root.locator(".plot canvas[role=img]");
    expect(await live.evaluateAll((all) => all.map((canvas) => canvas.getAttribute("aria-label")))).toEqual(descriptions);

    await lab.disclosure.locator("summary").click();
    await expect(lab.rows).toHaveCount(76);
    const [finished, running] = [await rowsByRate(still), await rowsByRate(lab)];
    expect(Object.keys(finished).length).toBeGreaterThan(10);
    for (const [rate, row] of Object.entries(finished)) expect(running[rate]).toEqual(row);
  });
});

test("without JavaScript the figures at 5 stand there, the pictures load, the controls wait", async ({ browser }) => {
  await withoutScript(browser, async (still) => {
    for (const [path, text] of Object.entries(PUBLISHED[5])) {
      await expect(still.figure(path).first()).toHaveText(text);
    }
    await still.root.locator("[data-chart=time]").scrollIntoViewIfNeeded();
    const images = still.root.locator(".plot img");
    await expect(images).toHaveCount(CHARTS.length);
    for (const image of await images.all()) {
      await expect(image).toBeVisible();
      await expect.poll(() => image.evaluate(({ complete, naturalWidth }) => complete && naturalWidth)).toBeGreaterThan(0);
    }
    for (const control of await still.root.locator("fieldset :is(input, button)").all()) await expect(control).toBeDisabled();
    await expect(still.root.locator("noscript p")).toBeVisible();
  });
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 400]) {
    test(`the ${colorScheme} pictures for ${width} px are there and have the plot's shape`, async ({ browser }) => {
      const context = await browser.newContext({ javaScriptEnabled: false, colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      await page.goto("/");
      const shown = await page.locator(".plot img").evaluateAll((all) => all.map(({ currentSrc }) => currentSrc));
      // The charts' pictures, and the moving one's.
      expect(new Set(shown).size).toBe(CHARTS.length + 1);
      for (const source of shown) {
        expect(source).toContain(`${width < 576 ? "-narrow" : ""}-${colorScheme}.svg`);
        expect(source.includes("narrow")).toBe(width < 576);
        expect((await page.request.get(source)).headers()["content-type"]).toContain("image/svg+xml");
      }
      await context.close();
    });
  }
}

test("the running lab hides the pictures and shows its own", async ({ lab }) => {
  for (const name of CHARTS) {
    const { figure, canvas } = lab.chart(name);
    await expect(figure.locator("img")).toBeHidden();
    await expect(canvas).toBeVisible();
    // One picture to those who hear it.
    await expect(figure.getByRole("img")).toHaveCount(1);
    await expect(figure.getByRole("img")).toHaveAccessibleName(/, over /);
  }
});
