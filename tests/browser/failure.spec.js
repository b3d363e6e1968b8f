// When the engine cannot start, or stops: a sentence in place, and the picture stays.

import { Lab, expect, frames, listen, test } from "./support/lab.js";

/** One sentence can be seen, inside the lab and with room to be read; the controls wait; the picture stands. */
async function saysSo(lab, failure) {
  const sentence = lab.root.locator(`[data-failure=${failure}]`);
  await expect(sentence).toBeVisible();
  const { width, height } = await sentence.boundingBox();
  expect(width).toBeGreaterThan(200);
  expect(height).toBeGreaterThan(15);
  await expect(lab.root.locator("[data-failure]:visible")).toHaveCount(1);
  await expect(sentence).toHaveText(/\w/);
  for (const control of await lab.root.locator("fieldset :is(input, button)").all()) await expect(control).toBeDisabled();
}

const PREPARATIONS = {
  "the browser has no WebAssembly": (page) =>
    page.addInitScript(() => {
      delete globalThis.WebAssembly;
    }),
  "the module is missing": (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "no" })),
  "the module is broken": (page) =>
    page.route("**/*.wasm", (route) => route.fulfill({ contentType: "application/wasm", body: "no module" })),
  "the glue is missing": (page) =>
    page.route(/goodput-web-[0-9a-f]+\.js$/, (route) => route.fulfill({ status: 404, body: "no" })),
  "the lab's markup lacks something": (page) =>
    page.route("/", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace("data-verdict", "data-verdikt");
      await route.fulfill({ response, body });
    }),
};

for (const [what, prepare] of Object.entries(PREPARATIONS)) {
  test(`the page says so when ${what}`, async ({ page }) => {
    const complaints = [];
    await listen(page, complaints);
    const lab = new Lab(page);
    await prepare(page);
    await page.goto("/");
    await saysSo(lab, "start");
    await lab.showsPublished(5);
    await expect(lab.root).toHaveAttribute("data-state", "static");
    for (const image of await lab.root.locator(".plot img").all()) await expect(image).toBeVisible();
    expect(complaints.join("\n"), "the console says why").toContain("The engine did not start.");
    expect(complaints.filter((one) => one.includes("Unhandled")), "nothing is left uncaught").toEqual([]);
  });
}

/** Makes the running module's memory nonsense. */
function corrupt(page, byte) {
  return page.evaluate(async (byte) => {
    const glue = await import(new URL(document.querySelector("script[data-js]").dataset.js, document.baseURI).href);
    // The instance that runs already.
    const wasm = await glue.default();
    new Uint8Array(wasm.memory.buffer).fill(byte);
  }, byte);
}

for (const byte of [0xff, 0x00]) {
  test(`the page says so when the engine stops, memory all ${byte}`, async ({ page }) => {
    const lab = new Lab(page);
    await lab.open();
    await lab.settled(() => lab.stop(4).click());
    await expect(lab.root.locator("[data-failure]:visible")).toHaveCount(0);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await corrupt(page, byte);
    await lab.slider.press("ArrowRight");
    await saysSo(lab, "stop");
    expect(errors, "what happened is an error, for those who look").toHaveLength(1);
    await lab.showsPublishedFigures(4);
    await expect(lab.root.locator(".plot canvas").first()).toBeVisible();

    // Nothing that a reader does reaches the engine any more.
    await lab.chart("throughput").plot.hover();
    await lab.chart("ttft").plot.hover();
    await lab.chart("ttft").reader.focus();
    await page.keyboard.press("ArrowRight");
    await lab.disclosure.locator("summary").click();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 700, height: 700 });
    await lab.stop(6).evaluate((button) => button.click());
    await frames(page);
    await page.waitForTimeout(600);
    expect(errors.slice(1), "errors after the first").toEqual([]);
    await saysSo(lab, "stop");
  });
}

test("an error of somebody else's on the page is not the engine's", async ({ page }) => {
  const lab = new Lab(page);
  await lab.open();
  const heard = page.waitForEvent("pageerror");
  await page.evaluate(() => void setTimeout(() => { throw new Error("somebody else's"); }));
  await heard;
  await expect(lab.root.locator("[data-failure]:visible")).toHaveCount(0);
  await lab.stop(6).click();
  await lab.showsPublished(6);
});

test("a refused canvas is said on the console and takes nothing else down", async ({ page }) => {
  const lab = new Lab(page);
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await lab.open();
  await lab.stop(6).click();
  await lab.showsPublished(6);
});
