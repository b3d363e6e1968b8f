// Goals that tick themselves, from what the lab has shown.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./support/lab.js";

const parts = ({ page }) => ({
  goal: (name) => page.locator(`#goals [data-goal=${name}]`),
  done: page.locator("#goals li[data-state=done]"),
  count: page.locator("[data-goals-count]"),
  status: page.locator("[data-goals-status]"),
});

test("a goal ticks when the lab has shown it, says so once, and stays over a reload", async ({ lab }) => {
  const { goal, done, count, status } = parts(lab);
  await expect(count).toHaveText("0 of 8 done");
  await lab.settled(() => lab.stop(4).click());
  await expect(done).toHaveCount(0);
  await lab.settled(() => lab.stop(5).click());
  await expect(goal("tail")).toHaveAttribute("data-state", "done");
  await expect(goal("tail").locator("[data-goal-state]")).toHaveText("done");
  await expect(status).toHaveText("Goal reached: Find a rate where p50 looks fine and p99 does not. 1 of 8 done.");
  await lab.settled(() => lab.action("push").click());
  await expect(count).toHaveText("3 of 8 done");
  await expect(goal("busy")).toHaveAttribute("data-state", "done");
  await lab.open();
  await expect(count).toHaveText("3 of 8 done");
  await expect(status, "what was told is not told again").toBeEmpty();
  await lab.settled(() => lab.typeRate("5.1"));
  await expect(status).toBeEmpty();
});

test("another draw, a limit and two walls", async ({ lab }) => {
  const { goal, count } = parts(lab);
  await lab.settled(() => lab.typeRate("4.3"));
  await expect(goal("limit")).toHaveAttribute("data-state", "done");
  await lab.settled(() => lab.typeRate("5.5"));
  await expect(goal("walls")).toHaveAttribute("data-state", "done");
  await lab.settled(() => lab.stop(5).click());
  await lab.settled(() => lab.action("another-draw").click());
  await expect(goal("draws")).toHaveAttribute("data-state", "done");
  await expect(count).toHaveText("4 of 8 done");
});

test.describe("on a first visit", () => {
  test.use({ visit: "first" });

  test("what is covered reaches nothing, nor does the lab by opening", async ({ lab }) => {
    const { done, goal } = parts(lab);
    await lab.settled(() => lab.action("push").click());
    await lab.settled(() => lab.stop(4).click());
    await lab.settled(() => lab.root.locator("[data-cover] button").click());
    await lab.showsPublished(5);
    await expect(done).toHaveCount(0);
    await lab.settled(() => lab.typeRate("5.1"));
    await expect(goal("tail")).toHaveAttribute("data-state", "done");
  });
});

test("each goal has one hint, for keys too; axe finds nothing", async ({ lab }) => {
  const hints = lab.page.locator("#goals details");
  await expect(hints).toHaveCount(8);
  const first = hints.first();
  await first.locator("summary").focus();
  await lab.page.keyboard.press("Enter");
  await expect(first.locator("p")).toBeVisible();
  const { violations } = await new AxeBuilder({ page: lab.page }).include("#goals").analyze();
  expect(violations).toEqual([]);
});

test("garbage in the memory is no goal", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => (localStorage["goodput-lab.goals"] = "{}, tails"));
  await lab.open();
  await expect(parts(lab).count).toHaveText("0 of 8 done");
});
