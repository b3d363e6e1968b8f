// Reading values off the charts, the table behind them, and what is on the canvases.

import { CHARTS, RATE_CHARTS, expect, frames, test } from "./support/lab.js";

/** Tall enough that nothing scrolls. */
const TALL = { width: 1280, height: 3200 };

/** Where the ticks of the rate axis are in the chart's finished picture [px], by their label. */
async function ticks(lab, chart) {
  const svg = await (await lab.page.request.get(`/still/${chart}-light.svg`)).text();
  const [, scale] = /viewBox="0 0 (\d+)/.exec(svg);
  return Object.fromEntries(
    [...svg.matchAll(/<text x="(\d+)"[^>]*text-anchor="middle"[^>]*>\s*(\d)\s*</g)].map(([, x, label]) => [
      label,
      (x / scale) * 560,
    ]),
  );
}

/** The cells of the table, by rate; the table is left closed. */
async function table(lab) {
  const summary = lab.disclosure.locator("summary");
  await summary.click();
  await expect(lab.rows).toHaveCount(76);
  const rows = await lab.rows.evaluateAll((rows) => rows.map(({ cells }) => [...cells].map((cell) => cell.textContent)));
  await summary.click();
  return Object.fromEntries(rows.map((row) => [Number(row[0]), row]));
}

/** What the four rate charts read at a rate: the words of its row in the table. */
function expected([, throughput, ttft50, ttft99, tpot50, tpot99, met, goodput], rate) {
  return {
    throughput: new RegExp(`^At ${rate} requests/s: load test ${throughput}, server [\\d,]+ tokens/s$`),
    ttft: `At ${rate} requests/s: p50 ${ttft50}, p99 ${ttft99}`,
    tpot: `At ${rate} requests/s: p50 ${tpot50}, p99 ${tpot99}`,
    goodput: new RegExp(`^At ${rate} requests/s: ${goodput} of [\\d.]+ offered, ${met} meet the SLO$`),
  };
}

test.describe("on a tall screen", () => {
  test.use({ viewport: TALL });

  test("hovering one rate chart reads the nearest rate on all four", async ({ lab }) => {
    const rows = await table(lab);
    for (const name of RATE_CHARTS) {
      const at = await ticks(lab, name);
      expect(Object.keys(at)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
      const tenth = (at[8] - at[1]) / 70;
      const box = await lab.chart(name).plot.boundingBox();
      for (const [x, rate] of [
        [at[4], 4],
        [at[5] + 0.3 * tenth, 5],
        [at[5] + 0.7 * tenth, 5.1],
        [at[6] - 0.7 * tenth, 5.9],
        [box.width - 1, 8],
        [0, 0.5],
      ]) {
        await lab.page.mouse.move(box.x + x, box.y + box.height / 2);
        for (const [chart, words] of Object.entries(expected(rows[rate], rate))) {
          await expect(lab.chart(chart).readout).toHaveText(words);
        }
      }
    }
    await lab.page.mouse.move(5, 5);
    for (const name of RATE_CHARTS) await expect(lab.chart(name).readout).toHaveText("");
    await lab.showsPublished(5);
  });

  test("hovering moves a mark on the canvas, and leaving takes it away", async ({ lab }) => {
    const picture = () =>
      lab.chart("ttft").canvas.evaluate((canvas) => canvas.toDataURL());
    const before = await picture();
    await lab.chart("ttft").plot.hover({ position: { x: 200, y: 100 } });
    await expect.poll(picture).not.toBe(before);
    await lab.page.mouse.move(5, 5);
    await expect.poll(picture).toBe(before);
  });

  test("the time chart reads the nearest time, and at rest the peaks", async ({ lab }) => {
    const { plot, readout } = lab.chart("time");
    const rest = await readout.textContent();
    expect(rest).toMatch(/^At most \d+ waiting and \d+ running; 46 unfinished at the end$/);
    const seconds = [];
    for (const x of [200, 500, 900]) {
      await plot.hover({ position: { x, y: 120 } });
      await expect(readout).toHaveText(/^At [\d,]+ seconds: up to \d+ waiting, \d+ running$/);
      seconds.push(Number(/[\d,]+/.exec(await readout.textContent())[0].replace(",", "")));
    }
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    expect(new Set(seconds).size).toBe(3);
    for (const name of RATE_CHARTS) await expect(lab.chart(name).readout).toHaveText("");
    await lab.page.mouse.move(5, 5);
    await expect(readout).toHaveText(rest);
  });

  test("the keyboard reads every chart", async ({ lab }) => {
    const rows = await table(lab);
    // A pointer that rests on a chart would read, too.
    await lab.page.mouse.move(5, 5);
    await lab.root.locator("[data-toggle=theory]").focus();
    for (const name of CHARTS) {
      await lab.page.keyboard.press("Tab");
      const { reader, readout } = lab.chart(name);
      await expect(reader).toBeFocused();
      await expect(reader).toHaveCSS("opacity", "1");
      await expect(reader).toHaveAccessibleName(/^Read values: ./);
      if (name === "time") continue;
      for (const [key, rate] of [
        [null, 5],
        ["ArrowRight", 5.1],
        ["ArrowLeft", 5],
        ["ArrowLeft", 4.9],
        ["Home", 0.5],
        ["End", 8],
      ]) {
        if (key) await lab.page.keyboard.press(key);
        await expect(readout).toHaveText(expected(rows[rate], rate)[name]);
        await expect(reader).toHaveAttribute("aria-valuetext", await readout.textContent());
      }
    }
    const { reader, readout } = lab.chart("time");
    await expect(readout).toHaveText(/^At [012] seconds: /);
    await lab.page.keyboard.press("End");
    await expect(readout).toHaveText(/^At (59\d|600) seconds: /);
    await expect(reader).toHaveAttribute("aria-valuetext", await readout.textContent());
    await lab.page.keyboard.press("Tab");
    await expect(readout).toHaveText(/^At most /);
    await lab.showsPublished(5);
  });
});

test("the table has every rate of the slider and marks the current one", async ({ lab }) => {
  await lab.disclosure.locator("summary").click();
  await expect(lab.rows).toHaveCount(76);
  const marked = lab.root.locator("[data-curve] tr[aria-current=true] th");
  await expect(marked).toHaveText("5.0");
  const runs = await lab.sweep(undefined, [0.5, 4.3, 8]);
  for (const { rate_per_s, throughput_tokens_per_s, unfinished } of runs) {
    const cells = lab.rows.filter({ has: lab.page.locator("th", { hasText: rate_per_s.toFixed(1) }) }).locator("td");
    await expect(cells.first()).toHaveText(Math.round(throughput_tokens_per_s).toLocaleString("en"));
    await expect(cells.last()).toHaveText(unfinished.toLocaleString("en"));
  }
  await lab.slider.focus();
  await lab.page.keyboard.press("ArrowRight");
  await expect(marked).toHaveText("5.1");
});

test("the table follows the draw, and its caption says which", async ({ lab }) => {
  await lab.disclosure.locator("summary").click();
  await expect(lab.rows).toHaveCount(76);
  const caption = lab.root.locator("[data-curve] caption");
  await expect(caption, "76 rows are a row every tenth").not.toContainText("half");
  const texts = await lab.rows.allTextContents();
  await lab.action("another-draw").click();
  await expect.poll(() => lab.rows.allTextContents()).not.toEqual(texts);
  await expect(caption).not.toContainText("lesson’s draw");
  await lab.action("lessons-draw").click();
  await expect.poll(() => lab.rows.allTextContents()).toEqual(texts);
});

test("a draw's charts are described anew", async ({ lab }) => {
  const description = lab.chart("ttft").figure.getByRole("img");
  const lesson = await description.getAttribute("aria-label");
  await lab.settled(() => lab.action("another-draw").click());
  await expect(description).not.toHaveAttribute("aria-label", lesson);
});

/** Each canvas: its pixels, the device pixels of its box, and whether anything is on it. */
function canvases(lab) {
  return lab.root.evaluate(async (root) => {
    const all = [...root.querySelectorAll(".plot canvas")];
    const boxes = await new Promise((done) => {
      const observer = new ResizeObserver((entries) => {
        observer.disconnect();
        done(new Map(entries.map(({ target, devicePixelContentBoxSize: [box] }) => [target, box])));
      });
      for (const canvas of all) observer.observe(canvas, { box: "device-pixel-content-box" });
    });
    return all.map((canvas) => {
      const { inlineSize, blockSize } = boxes.get(canvas);
      const shrink = Math.min(1, Math.sqrt(2e6 / (inlineSize * blockSize)));
      // By way of a canvas that is there to be read: reading the page's own slows it down, and the browser says so.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return {
        chart: canvas.closest("[data-chart]").dataset.chart,
        right:
          Math.abs(canvas.width - inlineSize * shrink) <= 1 &&
          Math.abs(canvas.height - blockSize * shrink) <= 1 &&
          canvas.width * canvas.height <= 2.01e6,
        // Its corner is the ground, whatever that is.
        blank: data.every((value, i) => value === data[i % 4]),
        sizes: [canvas.width, canvas.height, inlineSize, blockSize],
      };
    });
  });
}

async function crisp(lab) {
  const blurred = async () => (await canvases(lab)).filter(({ right, blank }) => !right || blank);
  await expect.poll(blurred).toEqual([]);
  expect((await canvases(lab)).length).toBeGreaterThanOrEqual(CHARTS.length);
}

for (const deviceScaleFactor of [1, 1.5, 2, 3]) {
  test.describe(`with ${deviceScaleFactor} device pixels a pixel`, () => {
    test.use({ deviceScaleFactor, viewport: TALL });

    test("each canvas has the device's pixels, also after a resize", async ({ lab }) => {
      await crisp(lab);
      await lab.page.setViewportSize({ width: 1013, height: 3200 });
      await crisp(lab);
    });
  });
}

test("each canvas has the device's pixels when the page is zoomed", async ({ closed: lab }) => {
  const cdp = await lab.page.context().newCDPSession(lab.page);
  const zoom = (factor) =>
    cdp.send("Emulation.setDeviceMetricsOverride", {
      width: Math.round(1280 / factor),
      height: Math.round(4000 / factor),
      deviceScaleFactor: factor,
      mobile: false,
    });
  await zoom(1);
  await lab.open();
  for (const factor of [2, 1.25, 0.5]) {
    await zoom(factor);
    await expect.poll(() => lab.page.evaluate(() => devicePixelRatio)).toBe(factor);
    await crisp(lab);
  }
});

test("while the rate moves, a chart in sight is drawn in every frame and no other; at rest all are right", async ({
  lab,
}) => {
  const { page, slider } = lab;
  const top = async (name) => (await lab.chart(name).plot.boundingBox()).y;
  // The second row of charts begins just below the window.
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.mouse.wheel(0, (await top("goodput")) - 705);
  await expect.poll(() => top("goodput")).toBeCloseTo(705, -1);
  await expect(lab.chart("goodput").plot).toHaveAttribute("data-unseen");
  await frames(page, 3);

  const [below, above] = await slider.evaluate(async (slider) => {
    let counts = {};
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      const chart = this.canvas.closest("[data-chart]")?.dataset.chart;
      if (chart) counts[chart] = (counts[chart] ?? 0) + 1;
      return clearRect.apply(this, box);
    };
    const move = async (from, to) => {
      counts = {};
      for (let tenths = from; tenths < to; tenths++) {
        slider.value = tenths / 10;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
      return counts;
    };
    const below = await move(40, 60);
    scrollBy({ top: 200, behavior: "instant" });
    const above = await move(60, 68);
    CanvasRenderingContext2D.prototype.clearRect = clearRect;
    return [below, above];
  });
  expect(below.ttft).toBeGreaterThanOrEqual(19);
  expect(below.goodput).toBeUndefined();
  // That it is seen now is known a frame or two later.
  expect(above.goodput).toBeGreaterThanOrEqual(4);

  // At rest its picture is the one that another way to the same rate leads to.
  const picture = () =>
    lab.chart("goodput").canvas.evaluate((canvas) => canvas.toDataURL());
  await expect(lab.root).not.toHaveAttribute("data-moving");
  const after = await picture();
  await lab.settled(() => lab.stop(4).click());
  expect(await picture()).not.toBe(after);
  await lab.settled(() => lab.typeRate("6.7"));
  expect(await picture()).toBe(after);
});

test("prose that follows the lab does so in sight while the rate moves, and out of sight at rest", async ({ lab }) => {
  const law = lab.root.locator("[data-little=l]");
  const moves = () =>
    lab.slider.evaluate(async (slider) => {
      const law = document.querySelector("[data-little=l]");
      const shown = new Set();
      for (let tenths = 40; tenths < 68; tenths++) {
        slider.value = tenths / 10;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
        shown.add(law.textContent);
      }
      return shown.size;
    });
  for (const [height, isInSight] of [[700, false], [3200, true]]) {
    await lab.page.setViewportSize({ width: 1280, height });
    await lab.settled(() => lab.stop(4).click());
    await lab.slider.evaluate((slider) => slider.scrollIntoView());
    await frames(lab.page, 3);
    const atFour = await law.textContent();
    const shown = await moves();
    if (isInSight) expect(shown).toBeGreaterThanOrEqual(3);
    else expect(shown).toBe(1);
    await expect(law).not.toHaveText(atFour);
  }
});

/** What a chart's canvas has in its corner, where nothing is drawn. */
const corner = (lab) =>
  lab.chart("ttft").canvas.evaluate((canvas) => {
    const copy = new OffscreenCanvas(1, 1).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const [red, green, blue, alpha] = copy.getImageData(0, 0, 1, 1).data;
    return alpha === 255 ? `rgb(${red}, ${green}, ${blue})` : alpha;
  });

test("behind a chart is the colour of the page, and in a frame whatever lies behind that", async ({ closed: lab }) => {
  const page = () => lab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const colorScheme of ["light", "dark"]) {
    await lab.page.emulateMedia({ colorScheme });
    await lab.open();
    expect(await corner(lab)).toBe(await page());
    // The same canvas in the other colours.
    await lab.page.emulateMedia({ colorScheme: colorScheme === "light" ? "dark" : "light" });
    await expect.poll(() => corner(lab)).toBe(await page());
    await lab.open("/embed.html?theme=" + colorScheme);
    expect(await corner(lab)).toBe(0);
  }
});

test("no canvas is shown before something is painted on it", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => {
    window.early = [];
    new MutationObserver((changes) => {
      const plots = changes.flatMap(({ addedNodes }) => [...addedNodes].filter(({ localName }) => localName === "canvas"));
      for (const canvas of plots) {
        if (!canvas.parentElement.matches("[data-live]")) window.early.push(getComputedStyle(canvas).display);
      }
    }).observe(document, { subtree: true, childList: true });
  });
  await lab.open();
  const early = await lab.page.evaluate(() => window.early);
  expect(early.length).toBeGreaterThanOrEqual(1);
  expect(new Set(early)).toEqual(new Set(["none"]));
});

test("a change of the colour scheme repaints every canvas", async ({ lab }) => {
  const colours = [];
  for (const colorScheme of ["light", "dark", "light"]) {
    await lab.page.emulateMedia({ colorScheme });
    const pictures = {};
    for (const name of CHARTS) {
      const { plot, canvas } = lab.chart(name);
      await plot.scrollIntoViewIfNeeded();
      const picture = () => canvas.evaluate((canvas) => canvas.toDataURL());
      const last = colours.at(-1)?.[name];
      if (last) {
        await expect.poll(picture, `${name}, ${colorScheme}`).not.toBe(last);
      }
      await frames(lab.page);
      pictures[name] = await picture();
    }
    colours.push(pictures);
  }
  expect(colours[2]).toEqual(colours[0]);
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a swipe up over a chart scrolls the page", async ({ lab }) => {
    const { plot } = lab.chart("ttft");
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await plot.boundingBox();
    const cdp = await lab.page.context().newCDPSession(lab.page);
    const before = await lab.page.evaluate(() => scrollY);
    const touch = (type, ...touchPoints) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
    const finger = { x: x + width / 2, y: y + height * 0.8 };
    await touch("touchStart", finger);
    for (let moved = 20; moved <= 300; moved += 20) {
      await touch("touchMove", { ...finger, y: finger.y - moved });
      await frames(lab.page);
    }
    await touch("touchEnd");
    await expect.poll(() => lab.page.evaluate(() => scrollY)).toBeGreaterThan(before + 200);
    await expect(lab.chart("ttft").readout, "the chart's part ends when the page scrolls").toHaveText("");
  });

  test("a swipe sideways over a chart reads values and does not move the page", async ({ lab }) => {
    const { plot, readout } = lab.chart("ttft");
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await plot.boundingBox();
    const cdp = await lab.page.context().newCDPSession(lab.page);
    const touch = (type, ...touchPoints) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
    const scrolled = () => lab.page.evaluate(() => [scrollX, scrollY]);
    const before = await scrolled();
    const read = [];
    await touch("touchStart", { x: x + width * 0.2, y: y + height / 2 });
    for (const share of [0.3, 0.45, 0.6]) {
      await touch("touchMove", { x: x + width * share, y: y + height / 2 });
      const last = read.at(-1) ?? "";
      await expect(readout).not.toHaveText(last);
      await expect(readout).toHaveText(/^At [\d.]+ requests\/s: p50 /);
      read.push(await readout.textContent());
    }
    expect(new Set(read).size).toBe(3);
    expect(await scrolled()).toEqual(before);
    await touch("touchEnd");
    await expect(readout).toHaveText("");
    await lab.showsPublished(5);
  });
});
