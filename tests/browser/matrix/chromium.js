// Chromium, driven by Playwright.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { listen } from "../support/lab.js";

/** A profile that refuses cookies and storage: whoever reads `localStorage` there is thrown an error. */
const REFUSES_STORAGE = { profile: { default_content_setting_values: { cookies: 2 } } };

async function profile(preferences) {
  const folder = await mkdtemp(join(tmpdir(), "goodput-chromium-"));
  await mkdir(join(folder, "Default"));
  await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
  return folder;
}

export async function launch({ width, height, zoom, forcedColors, reducedMotion, storage }, use) {
  const folder = await profile(storage === "blocked" ? REFUSES_STORAGE : {});
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: use.executablePath,
    args: use.args,
    // Zoom is fewer CSS pixels, each made of more of the device's.
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
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
