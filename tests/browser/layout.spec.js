// Nothing jumps: not when the engine takes over, not while the rate moves.

import { createServer } from "node:http";
import { CHARTS, SLIDER_RATES, expect, frames, test } from "./support/lab.js";

/**
 * Collects all shifts from the first paint on: also those that a metric forgives because a press came before.
 *
 * What follows a figure on its own line, as its unit, moves when the figure has a digit more: that is not counted.
 */
async function watchShifts(page) {
  await page.addInitScript(() => {
    window.shifts = [];
    const inLine = (node) => (node instanceof Element ? node : node?.parentElement)?.closest(".now");
    const inReadout = (node) => node?.nodeType === Node.TEXT_NODE && node.parentElement.matches(".readouts *");
    const besideItsFigure = ({ node }) => inLine(node) || inReadout(node);
    const note = (entries) => {
      for (const { value, sources } of entries) {
        const moved = sources.filter((source) => !besideItsFigure(source));
        if (sources.length > 0 && moved.length === 0) continue;
        window.shifts.push([value, ...moved.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "?").slice(0, 70))]);
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.takeShifts = () => (note(observer.takeRecords()), window.shifts);
  });
}

const shifts = (page) => page.evaluate(() => window.takeShifts());

/** Goes through every rate, a frame each. */
function sweep(lab) {
  return lab.slider.evaluate(async (slider, rates) => {
    for (const rate of rates) {
      slider.value = String(rate);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
    }
  }, SLIDER_RATES);
}

for (const width of [1280, 1000, 800, 390, 320]) {
  test.describe(`${width} px wide`, () => {
    // Tall, because only what is in the window counts.
    test.use({ viewport: { width, height: 4500 } });

    test("nothing shifts when the engine takes over, nor while the rate moves", async ({ closed: lab }) => {
      await watchShifts(lab.page);
      await lab.page.addInitScript(() => {
        // In a window as tall as this, and in no other, what is laid out when it comes near comes at once.
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(".lab ~ section { content-visibility: visible !important }");
        document.addEventListener("DOMContentLoaded", () => (document.adoptedStyleSheets = [sheet]));
      });
      // Slow enough that the finished picture is painted first.
      await lab.page.route("**/*.wasm", async (route) => {
        const response = await route.fetch();
        await frames(lab.page);
        await route.fulfill({ response });
      });
      await lab.open();
      await lab.page.waitForLoadState("networkidle");
      await frames(lab.page);
      expect(await shifts(lab.page), "on take-over").toEqual([]);

      await sweep(lab);
      await frames(lab.page);
      expect(await shifts(lab.page), "on the way").toEqual([]);
      await expect(lab.number).toHaveValue("8.0");
    });
  });
}

/** Opens a page that comes as on a slow line: up to `mark`, and the rest when the first part has been painted and looked at. */
async function openInParts(page, baseURL, mark, look) {
  let arrive;
  const late = new Promise((resolve) => (arrive = resolve));
  const proxy = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url, baseURL));
    response.writeHead(200, { "Content-Type": answer.headers.get("Content-Type") });
    if (request.url !== "/") return response.end(Buffer.from(await answer.arrayBuffer()));
    const html = await answer.text();
    const half = html.indexOf(mark);
    response.write(html.slice(0, half));
    await late;
    response.end(html.slice(half));
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://127.0.0.1:${proxy.address().port}/`, { waitUntil: "commit" });
  await look();
  arrive();
  await expect(page.locator("[data-lab] .more")).toBeAttached();
  return proxy;
}

test("no figure moves when the rest of the page arrives late", async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const figure = page.locator("[data-lab] .key [data-metric='ttft_s.p99']");
  const place = () => figure.evaluate((output) => output.getBoundingClientRect().left);
  let before;
  const proxy = await openInParts(page, baseURL, '<fieldset class="choices"', async () => (before = await place()));
  expect(await place()).toBe(before);
  proxy.close();
});

for (const [where, from, there] of [
  ["the levers", "<summary>Fleet", "[data-levers]"],
  ["the picture's controls", '<label class="time">', "[data-picture=step]"],
]) {
  test(`nothing shifts when the page ends in the middle of ${where} for a while`, async ({ page, baseURL }) => {
    await page.setViewportSize({ width: 1280, height: 4500 });
    await watchShifts(page);
    const painted = async () => {
      await expect(page.locator(there).first()).toBeAttached();
      await frames(page);
    };
    const proxy = await openInParts(page, baseURL, from, painted);
    await expect(page.locator("[data-lab] .key dd").first()).toBeVisible();
    await frames(page);
    expect(await shifts(page)).toEqual([]);
    proxy.close();
  });
}

test.describe("390 px wide", () => {
  test.use({ viewport: { width: 390, height: 4500 } });

  test("nothing moves under the hand that drags", async ({ lab }) => {
    // Not by the browser's own account: it forgives what happens while a button is held.
    const seen = await lab.root.evaluateHandle((root) => {
      const seen = new Set();
      const boxes = [...root.querySelectorAll("fieldset, button, dt, .verdict, figure, .plot, [data-readout], details")];
      const look = () => {
        const places = boxes.map((box) => [box.className || box.localName, box.getBoundingClientRect()]);
        seen.add(JSON.stringify(places.map(([name, { x, y, width }]) => [name, x, y, width].join())));
        requestAnimationFrame(look);
      };
      look();
      return seen;
    });
    await lab.drag(8, 0.5, 6);
    await lab.showsPublished(6);
    const moved = await seen.evaluate((seen) => {
      const [first, ...others] = [...seen].map((places) => JSON.parse(places));
      return others.flatMap((places) => places.filter((place, i) => place !== first[i]));
    });
    expect(moved).toEqual([]);
  });
});

for (const width of [1280, 390, 320]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 4500 } });

    test("nothing moves when values are read off a chart", async ({ lab }) => {
      const places = () =>
        lab.root.locator("figure, .plot, details").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y + scrollY));
      const before = await places();
      for (const name of CHARTS) {
        const { plot, readout } = lab.chart(name);
        const { width } = await plot.boundingBox();
        for (const share of [0.1, 0.3, 0.5, 0.55, 0.7]) {
          await plot.hover({ position: { x: share * width, y: 100 } });
          await frames(lab.page);
          await expect(readout).toHaveText(/^At \d/);
          expect(await places(), `${name}: ${await readout.textContent()}`).toEqual(before);
        }
      }
    });
  });
}

test("the canvases stand exactly where the pictures stood", async ({ closed: lab }) => {
  const places = (selector) =>
    lab.root.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      }),
    );
  let release;
  const held = new Promise((done) => (release = done));
  await lab.page.route("**/*.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await lab.page.goto("/");
  const before = await places(".plot img");
  const text = await places("[data-headline], [data-verdict], [data-metric], [data-readout], button");
  release();
  await lab.runs();
  expect(await places(".plot canvas")).toEqual(before);
  expect(before).toHaveLength(CHARTS.length);
  expect(await places("[data-headline], [data-verdict], [data-metric], [data-readout], button")).toEqual(text);
});

test("a figure, a sentence or the slider that changes is laid out by itself, and not the page around it", async ({ browser, lab }) => {
  await lab.open("/");
  const changing = "[name=rate], [data-rate-number], .value output, [data-headline], [data-verdict]";
  const count = await lab.root.locator(changing).count();
  expect(count).toBeGreaterThan(15);
  // Sentences are while the rate moves.
  await lab.root.evaluate((root) => root.setAttribute("data-moving", ""));
  await browser.startTracing(lab.page, { categories: ["devtools.timeline"] });
  await lab.root.locator(changing).evaluateAll(async (all) => {
    const shown = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (const one of all) {
      if (one instanceof HTMLInputElement) one.value = "4.2";
      else one.firstChild.nodeValue = `${one.textContent}9`;
      await shown();
    }
  });
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const laidOut = traceEvents.filter(({ name, ph }) => name === "Layout" && ph === "X").map(({ args }) => args.beginData);
  expect(laidOut.length, "each had its own layout").toBeGreaterThan(15);
  expect(laidOut.filter(({ totalObjects }) => totalObjects > 20), "layouts of more than a few boxes").toEqual([]);
});

/** The rules under which a reader who needs them spaced out must still be able to read all: WCAG 1.4.12. */
const SPACED_OUT = "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }";

for (const [width, spacing] of [1280, 1000, 600, 390, 320].flatMap((width) => [[width, ""], [width, SPACED_OUT]])) {
  test(`no sentence runs into what stands below it: ${width} px wide${spacing && ", spaced out"}`, async ({ lab }) => {
    await lab.page.setViewportSize({ width, height: 900 });
    await lab.open("/");
    const met = await lab.slider.evaluate(async (slider, rule) => {
      if (rule) document.styleSheets[0].insertRule(rule, document.styleSheets[0].cssRules.length);
      const root = slider.form.closest("[data-lab]");
      const sentences = [...root.querySelectorAll("[data-headline], [data-verdict]")];
      const isShown = (one) => one.getClientRects().length > 0;
      const below = (one) => (isShown(one) ? one : below(one.nextElementSibling));
      const met = new Set();
      for (let rate = 0.5; rate <= 8; rate += 0.5) {
        slider.value = String(rate);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        // One frame moves, the next writes every sentence, the third shows it.
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        // As at rest, where all of them must be read; without the rule also while it moves.
        if (rule) root.removeAttribute("data-moving");
        for (const sentence of sentences) {
          const text = document.createRange();
          text.selectNodeContents(sentence);
          const room = below(sentence.parentElement.nextElementSibling).getBoundingClientRect().top;
          // A line reaches a little beyond its letters.
          if (text.getBoundingClientRect().bottom > room + 4) met.add(sentence.textContent);
        }
      }
      return [...met];
    }, spacing);
    expect(met).toEqual([]);
  });
}
