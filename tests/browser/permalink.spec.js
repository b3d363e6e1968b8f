// The address: it is read once, written when a change has settled, and nothing in it can break the page.

import { expect, test } from "./support/lab.js";

const search = (lab) => lab.page.evaluate(() => location.search);

test("an address opens the lab where it says", async ({ closed: lab }) => {
  await lab.open("/?rate=6&seed=7&max-batch=32&slo-ttft-ms=500&theory=on&seeds=20&pin=rate:4&pin=rate:5,seed:7");
  await expect(lab.slider).toHaveValue("6");
  await expect(lab.seed).toHaveValue("7");
  await expect(lab.root.locator("input[name=max-batch]")).toHaveValue("32");
  await expect(lab.root.locator("[data-toggle=theory]")).toHaveAttribute("aria-pressed", "true");
  await expect(lab.root.locator("[data-draws-said]")).toContainText("all 20 draws");
  await expect(lab.root.locator("[data-pins] > li")).toHaveCount(2);
  await lab.shows(await lab.run({ rate: 6, seed: 7, max_batch: 32, slo_ttft_ms: 500 }));
  await expect(lab.root.locator("[data-refusals]")).toBeHidden();
});

test("where an address leads, every sentence is about that run, also those far down the page", async ({ closed: lab }) => {
  await lab.open("/?rate=6");
  const headlines = () => lab.root.locator("[data-headline]").allTextContents();
  const there = await headlines();
  const readout = await lab.chart("time").readout.textContent();
  await lab.settled(() => lab.stop(5).click());
  await lab.settled(() => lab.stop(6).click());
  expect(there).toEqual(await headlines());
  expect(readout).toBe(await lab.chart("time").readout.textContent());
});

test("a change that has settled stands in the address, and the address leads back to it", async ({ lab }) => {
  expect(await search(lab)).toBe("");
  await lab.settled(() => lab.stop(6).click());
  expect(await search(lab)).toBe("?rate=6&engine=1");
  await lab.settled(() => lab.typeSeed("12"));
  await lab.action("pin").click();
  const there = await lab.settled(() => lab.typeRate("5.5"));
  expect(await search(lab)).toBe("?rate=5.5&seed=12&pin=rate:6,seed:12&engine=1");
  await lab.page.reload();
  await lab.runs();
  await lab.shows(there);
  await expect(lab.root.locator("[data-pins] > li")).toHaveCount(1);
  await lab.settled(() => lab.stop(4).click());
  await lab.settled(() => lab.action("reset").click());
  expect(await search(lab)).toBe("");
  await lab.showsPublished(5);
});

test("what stands beside the run is in the address too, and writing it asks nobody for a result", async ({ lab }) => {
  await lab.root.locator("[data-toggle=theory]").click();
  await expect.poll(() => search(lab)).toBe("?theory=on&engine=1");
  await lab.action("pin").click();
  await expect.poll(() => search(lab)).toBe("?theory=on&pin=rate:5&engine=1");
});

test("a drag writes the address once, when it has settled", async ({ lab }) => {
  await lab.page.evaluate(() => {
    window.written = [];
    const write = history.replaceState.bind(history);
    history.replaceState = (...args) => (written.push(args[2]), write(...args));
  });
  await lab.settled(() => lab.drag(7, 3, 6.4));
  expect(await lab.page.evaluate(() => written.length)).toBe(1);
  expect(await search(lab)).toBe("?rate=6.4&engine=1");
});

test("a browser that refuses to write the address loses nothing else", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => {
    history.replaceState = () => {
      throw new DOMException("too often", "SecurityError");
    };
  });
  await lab.open();
  await lab.settled(() => lab.stop(6).click());
  await lab.showsPublished(6);
});

for (const [query, sentence] of [
  ["rate=1001", "rate = 1001 requests/s: allowed are 0.01 to 1000 requests/s."],
  ["rate=5&speed=9", /^there is no parameter "speed": allowed are preset, rate, /],
  ["rate=%3Cscript%3Ealert(1)%3C/script%3E", /^rate = "<script>alert\(1\)<\/script>": allowed are numbers/],
  ["view=loadtest&theory=yes", /^view = "loadtest": allowed are .* \(1 more of the kind\.\)$/],
]) {
  test(`?${query} shows the default and one visible line`, async ({ closed: lab }) => {
    await lab.open(`/?${query}`);
    await lab.showsPublished(5);
    await expect(lab.root.locator("[data-refusals]")).toBeVisible();
    await expect(lab.root.locator("[data-refusals]")).toHaveText(sentence);
    expect(await lab.page.locator("script:not([src])").count()).toBe(0);
  });
}

test("a rate outside the lesson's widens slider and charts, and comes back", async ({ closed: lab }) => {
  await lab.open("/?rate=12");
  await expect(lab.slider).toHaveAttribute("max", "12");
  await expect(lab.slider).toHaveValue("12");
  await lab.shows(await lab.run({ rate: 12 }));
  await lab.settled(() => lab.typeRate("5"));
  await expect(lab.slider).toHaveAttribute("max", "8");
  await expect(lab.slider).toHaveAttribute("min", "0.5");
  await lab.showsPublished(5);
});

test.describe("a first visit", () => {
  test.use({ visit: "first" });

  test("asks for a guess on the lesson, not where an address leads to a state", async ({ closed: lab }) => {
    await lab.open("/?rate=6");
    await lab.showsPublishedFigures(6);
    await expect(lab.root.locator("[data-cover]")).toBeHidden();
    await lab.open("/");
    await expect(lab.root.locator("[data-cover]")).toBeVisible();
    await lab.open("/?predict=off");
    await expect(lab.root.locator("[data-cover]")).toBeHidden();
    await lab.showsPublishedFigures(5);
  });
});
