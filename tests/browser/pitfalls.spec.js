// What others had to learn about interactive pages in other people's pages, and no other spec asks of this one.

import { expect, test } from "./support/lab.js";

test("a pointer that is cancelled in a drag leaves a slider that drags and takes keys", async ({ lab }) => {
  const { mouse, keyboard } = lab.page;
  const [from, seven] = [await lab.thumb(5), await lab.thumb(7)];
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(seven.x, seven.y, { steps: 5 });
  await lab.slider.evaluate((slider) => {
    for (const type of ["pointercancel", "lostpointercapture"]) {
      slider.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1 }));
    }
  });
  await mouse.up();
  await expect(lab.number).toHaveValue("7.0");
  await lab.drag(6);
  await lab.showsPublished(6);
  await keyboard.press("ArrowLeft");
  await expect(lab.number).toHaveValue("5.9");
});

test("after an hour in the background the moving picture goes on where it was", async ({ closed: lab }) => {
  const { page } = lab;
  await page.clock.install({ time: 0 });
  await lab.open();
  const picture = page.locator("[data-scene]");
  const seconds = async () => Number(await picture.locator("[data-picture=time]").inputValue());
  await picture.scrollIntoViewIfNeeded();
  await picture.locator("[data-picture=play]").click();
  await page.clock.pauseAt(60_000);
  const before = await seconds();
  await page.clock.runFor(200);
  const playing = await seconds();
  expect(playing, "it plays").toBeGreaterThan(before);
  // One frame, an hour later.
  await page.clock.fastForward(3_600_000);
  await page.clock.runFor(50);
  expect(await seconds(), "it plays on").toBeGreaterThan(playing);
  expect(await seconds(), "by a frame's worth").toBeLessThan(playing + 5);
  await expect(picture.locator("[data-picture=play]")).toHaveText("Pause");
});

test("a decimal comma is taken in every field of the server", async ({ lab }) => {
  await lab.root.locator("details.server summary").first().click();
  for (const [name, typed, field] of [
    ["per-seq-ms", "0,5", "per_seq_ms"],
    ["step-ms", "12,5", "step_ms"],
    ["prefill-ms-per-1k", "55,5", "prefill_ms_per_1k"],
  ]) {
    const input = lab.root.locator(`input[name="${name}"]`);
    const summary = await lab.settled(async () => {
      await input.fill(typed);
      await input.press("Enter");
    });
    await expect(lab.refusal).toBeHidden();
    expect(summary.scenario[field], name).toBe(Number(typed.replace(",", ".")));
  }
});
