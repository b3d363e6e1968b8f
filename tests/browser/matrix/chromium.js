// Chromium, driven by Playwright.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { listen } from "../support/lab.js";

/** A folder with the preferences that no option of Playwright sets. */
async function profile({ storage, zoom }) {
  const preferences = {
    // 2: cookies and storage are refused, and whoever reads `localStorage` is thrown an error.
    profile: { default_content_setting_values: { cookies: storage === "blocked" ? 2 : 1 } },
    // Levels of zoom are powers of 1.2.
    partition: { default_zoom_level: { x: Math.log(zoom) / Math.log(1.2) } },
  };
  const folder = await mkdtemp(join(tmpdir(), "goodput-chromium-"));
  await mkdir(join(folder, "Default"));
  await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
  return folder;
}

export async function launch(options, use) {
  const { width, height, forcedColors, reducedMotion } = options;
  const folder = await profile(options);
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: use.executablePath,
    args: use.args,
    viewport: { width, height },
    colorScheme: "light",
    forcedColors: forcedColors ? "active" : "none",
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
  const [page] = context.pages();
  const complaints = [];
  await listen(page, complaints);

  const frame = async (index) => (await page.locator("iframe").nth(index).elementHandle()).contentFrame();
  return {
    complaints: () => complaints,
    open: (url) => page.goto(url),
    evaluate: (act, value) => page.evaluate(act, value),
    inFrame: async (index, act, value) => (await frame(index)).evaluate(act, value),
    click: async (index, selector) => (await frame(index)).locator(selector).first().click(),
    screenshot: async () => (await page.screenshot()).toString("base64"),
    print: async () => (await page.pdf({ printBackground: true })).toString("base64"),
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What this browser has no such thing as, and why. */
export const LACKS = {};
