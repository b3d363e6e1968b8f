// The whole page in each state a reader can bring it to.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, frames, test } from "./support/lab.js";

/** Everything opened, pressed, typed and pinned. */
async function play(lab) {
  const { page } = lab;
  await lab.stop(6).click();
  await lab.action("pin").click();
  await lab.stop(5).click();
  await lab.root.locator("[data-toggle=draws]").click();
  await lab.root.locator("[data-toggle=theory]").click();
  await expect(lab.root.locator("[data-draws-said]")).toContainText("of 51 draws");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await page.getByRole("button", { name: "Show me the p99 request" }).click();
  for (const button of await page.getByRole("button", { name: /I (have )?said it/ }).all()) await button.click();
  await frames(page);
}

const violations = async (page) => {
  // The preview of an embed is this page once more, in a frame: its landmarks are no doubles of ours.
  const { violations } = await new AxeBuilder({ page }).exclude("[data-preview] iframe").analyze();
  return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target }) => String(target))]);
};

const STATES = {
  "light": { colorScheme: "light" },
  "dark": { colorScheme: "dark" },
  "forced colours": { forcedColors: "active" },
  "320 px": { viewport: { width: 320, height: 800 } },
};

for (const [name, use] of Object.entries(STATES)) {
  test.describe(name, () => {
    test.use(use);

    test("axe finds nothing on the whole page, fresh and after playing", async ({ lab }) => {
      test.slow();
      expect(await violations(lab.page)).toEqual([]);
      await play(lab);
      expect(await violations(lab.page)).toEqual([]);
      const [content, window] = await lab.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(content).toBeLessThanOrEqual(window);
    });
  });
}

test("axe finds nothing with a term open", async ({ lab }) => {
  await lab.page.locator(".term").first().click();
  await expect(lab.page.locator("[popover]:popover-open")).toBeVisible();
  expect(await violations(lab.page)).toEqual([]);
});

test("idle, the page asks for no frame and no timer", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => {
    window.asked = [];
    for (const name of ["requestAnimationFrame", "setTimeout", "setInterval"]) {
      const ask = window[name].bind(window);
      window[name] = (...args) => (window.asked.push(name), ask(...args));
    }
  });
  await lab.open();
  await play(lab);
  // The runner's own questions ask for frames: only what the page asks for while nobody asks it counts.
  await lab.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
  const asked = await lab.page.evaluate(async () => {
    window.asked.length = 0;
    const until = performance.now() + 2000;
    const channel = new MessageChannel();
    await new Promise((resolve) => {
      channel.port1.onmessage = () => (performance.now() < until ? channel.port2.postMessage(0) : resolve());
      channel.port2.postMessage(0);
    });
    return window.asked;
  });
  expect(asked).toEqual([]);
});

test("the colours follow the reader's choice, which stays on the device", async ({ lab }) => {
  const page = () => lab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await page();
  await lab.page.getByRole("radio", { name: "dark" }).check();
  await expect.poll(page).not.toBe(light);
  await lab.page.reload();
  await lab.runs();
  await expect(lab.page.getByRole("radio", { name: "dark" })).toBeChecked();
  expect(await page()).not.toBe(light);
  await lab.page.getByRole("radio", { name: "as the system" }).check();
  await expect.poll(page).toBe(light);
});

test("on paper the charts are lines, at the rate in view, for white paper", async ({ lab }) => {
  await lab.stop(6).click();
  await lab.showsPublished(6);
  await lab.page.getByRole("radio", { name: "dark" }).check();
  await lab.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await lab.page.emulateMedia({ media: "print" });
  const { plot, canvas } = lab.chart("ttft");
  await expect(plot.locator("svg")).toBeVisible();
  await expect(plot.locator("svg")).toContainText("30.0 s");
  await expect(canvas).toBeHidden();
  expect(await lab.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  await lab.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(plot.locator("svg")).toHaveCount(0);
});

/** Opens the page with another language or direction on its root. */
async function openWith(lab, attributes) {
  await lab.page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('<html lang="en">', `<html ${attributes}>`) });
  });
  await lab.open();
}

test("figures are written as the page's language writes them", async ({ closed: lab }) => {
  await openWith(lab, 'lang="de"');
  await lab.stop(4).click();
  await lab.stop(5).click();
  await expect(lab.figure("throughput_tokens_per_s")).toHaveText("1.004");
  await expect(lab.figure("ttft_s.p99")).toHaveText("1,23 s");
  await expect(lab.verdict).toContainText("81 ms");
});

test.describe("right to left", () => {
  for (const width of [1280, 360]) {
    test(`nothing scrolls sideways at ${width} px, and the lab works`, async ({ closed: lab }) => {
      await lab.page.setViewportSize({ width, height: 800 });
      await openWith(lab, 'lang="en" dir="rtl"');
      await lab.stop(6).click();
      await lab.showsPublished(6);
      expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  }
});
