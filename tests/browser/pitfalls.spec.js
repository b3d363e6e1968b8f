// What others had to learn about interactive pages in other people's pages, and no other spec asks of this one.

import { Lab, expect, test } from "./support/lab.js";

const EMBED = "embed.html";

/** A page of somebody else's with a frame for each entry; each entry is the frame's attributes. */
async function host(page, baseURL, frames) {
  const address = `${baseURL}host-for-a-test`;
  const body = frames.map((attributes, index) => `<iframe title="lab ${index}" ${attributes}></iframe>`).join("\n");
  await page.route(address, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Host</title><link rel="icon" href="data:,">${body}`,
    }),
  );
  await page.goto(address);
  const labs = frames.map((_, index) => new Lab(page.frameLocator(`iframe[title="lab ${index}"]`)));
  for (const lab of labs) await lab.runs();
  return labs;
}

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

test("a frame that is as tall as its lab comes to rest", async ({ page, complaints, baseURL }) => {
  const [lab] = await host(page, baseURL, [`width="700" height="200" src="${baseURL}${EMBED}"`]);
  // As a host does it: each new height of the content becomes the frame's, which a height in vh would answer by growing.
  const heights = [];
  for (let round = 0; round < 8; round++) {
    const height = await lab.root.evaluate(() => document.documentElement.scrollHeight);
    heights.push(height);
    await page.locator("iframe").evaluate((frame, height) => (frame.height = height), height);
    await lab.root.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  expect(heights[0]).toBeGreaterThan(300);
  expect(new Set(heights.slice(2)).size, String(heights)).toBe(1);
  expect(complaints).toEqual([]);
});

test("of two labs in two frames one stops, and the other lives", async ({ page, baseURL }) => {
  const frame = `width="1200" height="500" src="${baseURL}${EMBED}"`;
  const [first, second] = await host(page, baseURL, [frame, frame]);
  await first.root.evaluate(async () => {
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    // The instance that runs already: its memory becomes nonsense.
    const wasm = await glue.default();
    new Uint8Array(wasm.memory.buffer).fill(0xff);
  });
  await first.slider.press("ArrowRight");
  await expect(first.root.locator("[data-failure=stop]")).toBeVisible();
  await second.stop(6).click();
  await second.showsPublished(6);
  await expect(second.root.locator("[data-failure]:visible")).toHaveCount(0);
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
  await lab.root.locator("details.server summary").click();
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
