// The hosts and settings that the lab in a frame must live with; written once, for every browser.
//
// `host(frame)` is the page around: `frame(attributes, parameters)` writes a frame with the lab in it. `system` is what the
// reader has set. `opened` runs before anybody looks into a frame (some drivers focus what they look into), `before` once the
// lab runs, and `after` once it shows the figures at 6 requests/s. A browser may lack what a case `needs`: then the case asks
// for what is left, and says so.

import { expect } from "@playwright/test";
import { NAMED } from "./site.js";

const FULL = 'width="100%" height="700"';

/** The whole window is the host's, and the whole host is the lab. */
const plain = (frame) => ({ body: frame(FULL) });

/** A colour as in `rgb(1, 2, 3)`, as three numbers. */
const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);

const DARK = "rgb(20, 24, 32)";
const WHITE = [255, 255, 255];
const darkHost = (scheme, parameters) => (frame) => ({
  body: frame(FULL, parameters),
  style: `html { color-scheme: ${scheme}; background: ${DARK}; color: white; }`,
});

/** The colours of the lab's verdict and of what is behind it, as the reader sees it at the left edge of the frame [0-255]. */
async function inkAndPaper(lab) {
  const ink = await lab.page(() => getComputedStyle(document.querySelector("[data-verdict]")).color);
  return { ink: channels(ink), paper: await lab.pixel(2, 300) };
}

/** Contrast of two colours, by WCAG. */
function contrast(one, other) {
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Whether each canvas in sight has one pixel for each of the device's. */
async function sharp(lab) {
  const blurred = () =>
    lab.page(() =>
      [...document.querySelectorAll("[data-chart] .plot")]
        .filter((plot) => plot.getBoundingClientRect().top < innerHeight && plot.querySelector("canvas"))
        .filter((plot) => Math.abs(plot.querySelector("canvas").width - plot.clientWidth * devicePixelRatio) > 1)
        .map((plot) => plot.outerHTML.slice(0, 200)),
    );
  await expect.poll(blurred).toEqual([]);
}

export const CASES = [
  {
    name: "a plain frame, which takes neither focus nor scroll",
    host: (frame) => ({
      body: `<script>addEventListener("message", ({ data }) => { window.heard = data.type; });</script>${frame(FULL)}`,
    }),
    opened: async ({ browser }) => {
      await expect.poll(() => browser.evaluate(() => window.heard)).toMatch(/^lab-/);
      const untouched = await browser.evaluate(() => [document.activeElement.localName, scrollY]);
      expect(untouched).toEqual(["body", 0]);
    },
  },
  {
    name: "a sandboxed frame, which may only run scripts",
    needs: "sandboxedSelf",
    host: (frame, { lacks }) => ({ body: frame(`${FULL} sandbox="allow-scripts"`, {}, lacks ? NAMED : "") }),
    after: async ({ lab }) => expect(await lab.page(() => origin)).toBe("null"),
  },
  {
    name: "a host with a strict policy",
    host: (frame, { site }) => ({
      body: frame(FULL),
      csp: `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-src ${site}`,
    }),
  },
  {
    name: "storage blocked",
    system: { storage: "blocked" },
    host: plain,
    before: async ({ lab }) => {
      const storage = await lab.page(() => {
        try {
          return String(localStorage);
        } catch (error) {
          return error.name;
        }
      });
      expect(["SecurityError", "null"]).toContain(storage);
    },
  },
  {
    name: "a dark host on a light system, theme=dark: the host shows through",
    host: darkHost("dark", { theme: "dark" }),
    after: async ({ lab }) => {
      const { ink, paper } = await inkAndPaper(lab);
      expect(paper).toEqual(channels(DARK));
      expect(contrast(ink, paper)).toBeGreaterThan(7);
    },
  },
  {
    name: "a dark host that says nothing of it, theme=dark",
    host: darkHost("normal", { theme: "dark" }),
    after: async ({ lab }) => {
      // Browsers lay something opaque behind a frame of another scheme than its surroundings: it must be dark, too.
      const { ink, paper } = await inkAndPaper(lab);
      expect(contrast(paper, WHITE), "the paper is dark").toBeGreaterThan(7);
      expect(contrast(ink, paper)).toBeGreaterThan(7);
    },
  },
  {
    name: "a dark host on a light system, theme=auto: ink and paper are of one scheme",
    host: darkHost("dark", { theme: "auto" }),
    after: async ({ lab }) => {
      // Some browsers tell the frame its surroundings' scheme, others the system's: either is whole.
      const { ink, paper } = await inkAndPaper(lab);
      expect(contrast(ink, paper)).toBeGreaterThan(7);
    },
  },
  {
    name: "hidden, then shown",
    host: (frame) => ({ body: `<div hidden>${frame(FULL)}</div>` }),
    before: async ({ browser, lab }) => {
      await browser.evaluate(() => {
        document.querySelector("[hidden]").hidden = false;
      });
      await sharp(lab);
    },
  },
  {
    name: "four instances",
    host: (frame) => ({ body: frame(FULL).repeat(4) }),
    frames: 4,
    after: async ({ labs }) => {
      for (const other of labs.slice(1)) await other.shows(5);
    },
  },
  {
    name: "a host that reads from right to left",
    host: (frame) => ({ body: frame(FULL), attributes: 'dir="rtl"' }),
    after: async ({ lab }) => expect(await lab.page(() => getComputedStyle(document.body).direction)).toBe("ltr"),
  },
  {
    name: "320 px",
    system: { width: 320 },
    host: (frame) => ({ body: frame('width="320" height="480"') }),
  },
  {
    name: "zoom 200 %",
    system: { zoom: 2, height: 1600 },
    host: plain,
    after: async ({ lab }) => {
      expect(await lab.page(() => devicePixelRatio)).toBe(2);
      await sharp(lab);
    },
  },
  {
    name: "forced colours",
    needs: "forcedColors",
    system: { forcedColors: true },
    host: plain,
    after: async ({ lab, lacks }) => {
      expect(await lab.page(() => matchMedia("(forced-colors: active)").matches)).toBe(!lacks);
      // The pressed button differs from its neighbours, whoever chooses the colours.
      const [four, six] = await lab.page(() =>
        ["4", "6"].map((stop) => {
          const { color, backgroundColor, borderColor, outlineStyle } = getComputedStyle(document.querySelector(`[data-stop="${stop}"]`));
          return [color, backgroundColor, borderColor, outlineStyle].join();
        }),
      );
      expect(six).not.toBe(four);
      if (lacks) return;
      // What browsers paint of a slider they leave to no rule that is checked above.
      const slider = await lab.page(() => {
        const { left, top, width, height } = document.querySelector("[data-lab] input[name=rate]").getBoundingClientRect();
        return { left, width, middle: top + height / 2 };
      });
      const half = 12;
      const thumb = slider.left + half + ((slider.width - 2 * half) * (6 - 0.5)) / 7.5;
      const paper = await lab.pixel(2, slider.middle);
      for (const [part, x] of Object.entries({ thumb, track: slider.left + slider.width / 4 })) {
        expect(contrast(await lab.pixel(x, slider.middle), paper), `the slider's ${part}`).toBeGreaterThan(3);
      }
    },
  },
  {
    name: "reduced motion",
    system: { reducedMotion: true },
    host: plain,
    after: async ({ lab }) => {
      expect(await lab.page(() => matchMedia("(prefers-reduced-motion: reduce)").matches)).toBe(true);
      expect(await lab.page(() => document.getAnimations().filter((one) => one.playState === "running").length)).toBe(0);
    },
  },
  {
    name: "print",
    needs: "print",
    host: plain,
    after: async ({ browser, lab, lacks }) => {
      // Heard after the page's own preparations.
      await lab.page(() => {
        addEventListener("beforeprint", () => {
          const pictures = [...document.querySelectorAll("[data-chart] svg")];
          window.printed = pictures.map((svg) => svg.textContent).join(" ");
        });
      });
      if (lacks) await lab.page(() => void dispatchEvent(new Event("beforeprint")));
      else expect(Buffer.from(await browser.print(), "base64").toString("latin1", 0, 5)).toBe("%PDF-");
      expect(await lab.page(() => window.printed)).toContain("30.0 s");
    },
  },
];
