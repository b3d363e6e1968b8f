// From the first guess to the last follow-up without a pointer, and what a screen reader is told on the way.

import { expect, test } from "./support/lab.js";

test.use({ visit: "first" });

test("by keyboard alone from the first guess to the last follow-up; every stop has a role and a name", async ({ lab }) => {
  test.slow();
  const { page } = lab;
  const { keyboard } = page;
  const nameless = [];

  /** Presses Tab until this has the focus, and looks at every stop on the way as a screen reader would. */
  async function tabTo(target) {
    for (let press = 0; press < 120; press++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press("Tab");
      const [stop] = await page.locator(":focus").all();
      if (!stop) continue;
      const said = (await stop.ariaSnapshot()).split("\n")[0];
      // A role, and a name in quotation marks or as the text itself; a summary is told as its text.
      if (!/^- '?(text: .+|[a-z]+ (".+"|.*: .+))/.test(said)) nameless.push([said, await stop.evaluate((element) => element.outerHTML.slice(0, 120))]);
    }
    throw new Error(`120 stops on, ${target} has not got the focus`);
  }

  // Guess.
  await tabTo(page.locator("#guess input[name=late]").first());
  await keyboard.press("ArrowRight");
  await tabTo(page.locator("#guess input[name=goodput]"));
  await keyboard.press("ArrowRight");
  await tabTo(page.locator("#guess input.point").first());
  await keyboard.press("ArrowUp");
  await tabTo(page.locator("#guess button[type=submit]"));
  await keyboard.press("Enter");
  await expect(page.locator("#guess [data-outcome]")).toBeVisible();
  await lab.showsPublished(5);

  // Play.
  await tabTo(lab.slider);
  for (let tenth = 0; tenth < 10; tenth++) await keyboard.press("ArrowRight");
  await lab.showsPublished(6);
  await tabTo(lab.action("pin"));
  await keyboard.press("Enter");
  await tabTo(lab.chart("ttft").reader);
  await keyboard.press("ArrowLeft");
  await expect(lab.chart("ttft").readout).toContainText("At 5.9 requests/s");
  await expect(page.locator("#goals")).toContainText(/[1-8] of 8 done/);

  // Say it.
  await tabTo(page.locator("#why-text"));
  await keyboard.type("Late tokens count as tokens.");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(page.locator("[data-attempt=why] details")).toHaveAttribute("open", "");
  await tabTo(page.locator("[data-timer=toggle]"));
  await keyboard.press("Enter");
  await keyboard.press("Enter");
  await tabTo(page.locator("[data-points=thirty-seconds] input").first());
  await keyboard.press("Space");
  for (const name of ["jump", "utilisation"]) {
    await tabTo(page.locator(`[data-attempt=${name}] [data-attempt-said]`));
    await keyboard.press("Enter");
  }
  await tabTo(page.locator("[data-quiz-answer]"));
  await keyboard.type("9,4");
  await keyboard.press("Enter");
  await expect(page.locator("[data-quiz]")).toContainText("Right");
  expect(nameless).toEqual([]);
});
