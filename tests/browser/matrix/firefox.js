// Firefox as it is installed, driven by Puppeteer over WebDriver BiDi.

import puppeteer from "puppeteer-core";

/** Everything a case asks for is a preference here; numbers mean what about:config says. */
function preferences({ zoom, forcedColors, reducedMotion, storage }) {
  return {
    // Zoom is fewer CSS pixels, each made of more of the device's.
    "layout.css.devPixelsPerPx": String(zoom),
    "ui.systemUsesDarkTheme": 0,
    "ui.prefersReducedMotion": reducedMotion ? 1 : 0,
    // 2: the page's colours are never used.
    "browser.display.document_color_use": forcedColors ? 2 : 0,
    // 2: cookies and storage are refused, also to the page itself.
    "network.cookie.cookieBehavior": storage === "blocked" ? 2 : 5,
  };
}

export async function launch(options, { executablePath }) {
  const { width, height, zoom } = options;
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    extraPrefsFirefox: preferences(options),
  });
  const page = await browser.newPage();
  await page.setViewport({ width: Math.round(width / zoom), height: Math.round(height / zoom) });
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warn", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}: ${request.failure()?.errorText}`));

  const frame = async (index) => (await page.$$("iframe"))[index].contentFrame();
  return {
    complaints: () => complaints,
    open: (url) => page.goto(url),
    evaluate: (act, value) => page.evaluate(act, value),
    inFrame: async (index, act, value) => (await frame(index)).evaluate(act, value),
    click: async (index, selector) => (await (await frame(index)).$(selector)).click(),
    screenshot: () => page.screenshot({ encoding: "base64" }),
    print: async () => Buffer.from(await page.pdf({ printBackground: true })).toString("base64"),
    close: () => browser.close(),
  };
}

export const LACKS = {};
