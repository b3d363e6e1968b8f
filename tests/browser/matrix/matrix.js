// Every case in every browser: the lab runs, shows the published figures, reacts, and nothing complains or overflows.

import { writeFile } from "node:fs/promises";
import { expect, test as base } from "@playwright/test";
import { PUBLISHED } from "../support/lab.js";
import { CASES } from "./cases.js";
import { lab as address, serveHost, serveSite } from "./site.js";

const SYSTEM = { width: 1280, height: 800, zoom: 1, forcedColors: false, reducedMotion: false, storage: "allowed" };

const test = base.extend({
  adapter: ["", { option: true, scope: "worker" }],
  program: [{}, { option: true, scope: "worker" }],
  driver: [async ({ adapter }, use) => use(await import(adapter)), { scope: "worker" }],
  site: [
    async ({}, use) => {
      const site = await serveSite();
      await use(site.url);
      site.close();
    },
    { scope: "worker" },
  ],
});

/** The lab in one frame of the page that the browser shows. */
class FramedLab {
  constructor(browser, index) {
    this.browser = browser;
    this.index = index;
  }

  /** What a function says that runs in the lab's page. */
  page(act, value) {
    return this.browser.inFrame(this.index, act, value);
  }

  async runs() {
    await expect.poll(() => this.page(() => document.querySelector("[data-lab]")?.dataset.state)).toBe("running");
  }

  async shows(rate) {
    for (const [path, text] of Object.entries(PUBLISHED[rate])) {
      const figure = () =>
        this.page((path) => document.querySelector(`[data-lab] [data-metric="${path}"]:not([data-rate])`).textContent, path);
      await expect.poll(figure, `${path} at ${rate}`).toBe(text);
    }
  }

  click(selector) {
    return this.browser.click(this.index, selector);
  }

  /** The colour of a pixel of the frame as the reader sees it; the host's script reads it off a picture of the window. */
  async pixel(x, y) {
    const picture = await this.browser.screenshot();
    return this.browser.evaluate(
      async ({ picture, index, x, y }) => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const pen = canvas.getContext("2d");
        pen.drawImage(image, 0, 0);
        const { left, top } = document.querySelectorAll("iframe")[index].getBoundingClientRect();
        return [...pen.getImageData((left + x) * devicePixelRatio, (top + y) * devicePixelRatio, 1, 1).data].slice(0, 3);
      },
      { picture, index: this.index, x, y },
    );
  }
}

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

for (const { name, needs, system, host, frames = 1, opened, before, after } of CASES) {
  test(name, async ({ driver, program, site }, info) => {
    const frame = (attributes, ...where) =>
      `<iframe title="Goodput Lab" ${attributes} src="${address(site, ...where).replaceAll("&", "&amp;")}"></iframe>`;
    // Not silently: the case says what it cannot ask of this browser.
    const lacks = driver.LACKS[needs];
    if (lacks) {
      info.annotations.push({ type: "lacks", description: lacks });
      console.log(`${info.project.name}: ${name}: ${lacks}`);
    }
    const page = await serveHost(host(frame, { site, lacks }));
    const browser = await driver.launch({ ...SYSTEM, ...system }, program);
    try {
      await browser.open(page.url);
      const labs = Array.from({ length: frames }, (_, index) => new FramedLab(browser, index));
      const [lab] = labs;
      const told = { browser, labs, lab, lacks };
      await opened?.(told);
      for (const one of labs) {
        await one.runs();
        await one.shows(5);
      }
      await before?.(told);
      await lab.click('[data-stop="6"]');
      await lab.shows(6);
      await after?.(told);
      expect(await browser.evaluate(overflow), "pixels by which the host overflows").toBe(0);
      for (const one of labs) {
        expect(await one.page(overflow), "pixels by which the lab overflows").toBe(0);
        expect(await one.page(() => window.notes), "what the page noted").toEqual([]);
      }
      expect(browser.complaints(), "what the driver was told").toEqual([]);
      await writeFile(info.outputPath("seen.png"), Buffer.from(await browser.screenshot(), "base64"));
    } finally {
      await browser.close();
      page.close();
    }
  });
}
