// A reader in somebody else's page: the lab runs inside, shows the published figures, and lives with the host.

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import sirv from "sirv";
import { Lab, expect, listen, test as base } from "../support/lab.js";
import { CSP } from "../server.mjs";

const FOLDER = process.env.GOODPUT_HOSTS;

const test = base.extend({
  /** Everything built, the lab under its strict policy. */
  site: [
    async ({}, use) => {
      const strict = (response, path) => path.startsWith("/lab/") && response.setHeader("Content-Security-Policy", CSP);
      const files = sirv(FOLDER, { dev: true, setHeaders: strict });
      const server = createServer((request, response) => files(request, response, () => response.writeHead(404).end()));
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      await use(`http://127.0.0.1:${server.address().port}`);
      server.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ site }, use) => use(site),
});

/** The example was built, or the run of `cargo xtask hosts` has said why not. */
const built = (name) => test.skip(!existsSync(`${FOLDER}/${name}`), `${name} was not built here; see above`);

/** The lab in a frame that stands in the page itself. */
const framed = (page) => new Lab(page.frameLocator("css:light=iframe"));

/** The lab in the frame of an element. */
const inElement = (page, index = 0) => new Lab(page.locator("goodput-lab").nth(index).locator("iframe").contentFrame());

async function works(lab, rate) {
  await lab.runs();
  await lab.showsPublished(rate);
  const other = rate === 6 ? 4 : 6;
  await lab.stop(other).click();
  await lab.showsPublished(other);
}

test.describe("a plain page", () => {
  built("plain");

  test("has the lab in a frame and in an element, which is as tall as the lab", async ({ page, complaints }) => {
    await page.goto("/plain/");
    await works(framed(page), 5);
    const element = page.locator("goodput-lab");
    await element.scrollIntoViewIfNeeded();
    const lab = inElement(page);
    await works(lab, 6);
    const content = () => lab.root.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    await expect.poll(content, "pixels of the lab below its frame").toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });
    test("has the sentence that stands in the element", async ({ page }) => {
      await page.goto("/plain/");
      await expect(page.locator("goodput-lab")).toContainText("the p99 of TTFT is 30.0 s");
      await expect(page.locator("goodput-lab p")).toBeVisible();
    });
  });
});

test.describe("mdBook", () => {
  built("mdbook");

  test("has the lab in a chapter, and it follows the book's colours", async ({ page, complaints }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto("/mdbook/load.html");
    const lab = inElement(page);
    await works(lab, 5);
    const luminous = () => lab.verdict.evaluate((verdict) => Number(getComputedStyle(verdict).color.match(/\d+/)[0]) > 128);
    expect(await luminous(), "dark letters in a light book").toBe(false);

    const choose = async (theme) => {
      // The book's menu stays open until one clicks elsewhere.
      if (await page.locator("#mdbook-theme-list").isHidden()) await page.locator("#mdbook-theme-toggle").click();
      await page.locator(`#mdbook-theme-${theme}`).click();
    };
    for (const [theme, isDark] of [["navy", true], ["rust", false], ["coal", true]]) {
      await choose(theme);
      await expect.poll(luminous, theme).toBe(isDark);
      // Live: the run that the reader had chosen is still there.
      await lab.showsPublished(6);
    }
    expect(complaints).toEqual([]);
  });

  test("has it again after a visit to another chapter", async ({ page, complaints }) => {
    await page.goto("/mdbook/load.html");
    await works(inElement(page), 5);
    await page.locator("a[href$='other.html']").first().click();
    await expect(page.locator("goodput-lab")).toHaveCount(0);
    await page.goBack();
    await works(inElement(page), 5);
    expect(complaints).toEqual([]);
  });
});

test.describe("Reveal.js", () => {
  built("reveal");

  test("loads the lab with its slide, gives it up with it, and has it back in the state of its address", async ({
    page,
    complaints,
  }) => {
    await page.goto("/reveal/");
    const frame = page.locator("iframe");
    await expect(page.locator(".reveal.ready")).toBeVisible();
    await expect(frame).not.toHaveAttribute("src");
    const lab = framed(page);

    await page.keyboard.press("ArrowRight");
    await works(lab, 6);
    expect(await page.evaluate(() => document.activeElement.localName), "after a click in it").toBe("iframe");

    await page.evaluate(() => Reveal.next());
    await expect(frame).not.toHaveAttribute("src");
    await page.evaluate(() => Reveal.prev());
    await works(lab, 6);

    // As somebody who opens the deck at this slide.
    await page.reload();
    await works(lab, 6);
    expect(complaints).toEqual([]);
  });
});

test.describe("a Jupyter notebook as a web page", () => {
  built("jupyter");

  test("has the lab as Python wrote it and as HTML", async ({ page }) => {
    // The page that nbconvert writes asks others for MathJax and more, which this test does without.
    await page.route(/^https:/, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    const complaints = [];
    await listen(page, complaints);
    await page.goto("/jupyter/");
    await works(framed(page), 5);
    await page.locator("goodput-lab").scrollIntoViewIfNeeded();
    await works(inElement(page), 6);
    expect(complaints.filter((one) => !one.includes("mermaid"))).toEqual([]);
  });
});
