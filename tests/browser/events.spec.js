// What the lab tells: events for the page around it, one sentence for those who listen.

import { expect, record, test } from "./support/lab.js";

/** Opens the page with a clock that only moves when told to, so that long drags are short and exact. */
async function openWithClock(lab) {
  await lab.page.clock.install({ time: 0 });
  await lab.open();
  await lab.page.clock.pauseAt(60_000);
  await lab.page.clock.runFor(20_000);
}

/** Moves the slider every 20 ms for some seconds, between 0.5 and 8. */
async function dragFor(lab, seconds) {
  await lab.page.clock.runFor(20);
  await lab.slider.evaluate((slider) => {
    let rate = 50;
    let step = 1;
    window.hand = setInterval(() => {
      rate += step;
      if (rate === 80 || rate === 5) step = -step;
      slider.value = String(rate / 10);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }, 20);
  });
  await lab.page.clock.runFor(seconds * 1000);
  await lab.page.evaluate(() => clearInterval(window.hand));
}

/** Records what is put into the status from now on, and when. */
async function announcements(lab) {
  const log = await lab.status.evaluateHandle((status) => {
    const log = [];
    new MutationObserver(() => log.push({ text: status.textContent, at: performance.now() })).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return log;
  });
  return () => log.jsonValue();
}

const SENTENCE =
  "6 requests/s: throughput 1,142 tokens/s, TTFT p50 12.4 s, p99 30.0 s, 0 % meet the SLO, goodput 0.00 requests/s.";

test("lab-result comes once after a change has settled, with what run() returns", async ({ closed: lab }) => {
  await openWithClock(lab);
  const events = await record(lab, "lab-result");
  for (const act of [
    () => lab.stop(6).click(),
    () => lab.typeSeed("7"),
    () => lab.action("push").click(),
    () => lab.action("reset").click(),
  ]) {
    const before = (await events()).length;
    await act();
    await lab.page.clock.runFor(3000);
    const { length, [length - 1]: last } = await events();
    expect(length).toBe(before + 1);
    const { rate, seed } = last.detail.scenario;
    expect(rate).toBe(Number(await lab.slider.inputValue()));
    expect(String(seed)).toBe(await lab.seed.inputValue());
    expect(last.detail).toEqual(await lab.run({ rate, seed }));
  }
});

test("what is no change is no event", async ({ closed: lab }) => {
  await openWithClock(lab);
  const events = await record(lab, "lab-result", "lab-change");
  await lab.stop(5).click();
  await lab.action("reset").click();
  await lab.action("lessons-draw").click();
  await lab.typeRate("5");
  await lab.slider.dispatchEvent("input");
  await lab.chart("throughput").plot.hover();
  await lab.page.clock.runFor(3000);
  expect(await events()).toEqual([]);
  expect(await lab.status.textContent()).toBe("");
  await lab.stop(6).click();
  await lab.page.clock.runFor(3000);
  expect((await events()).map(({ name }) => name)).toEqual(["lab-change", "lab-result"]);
});

test("a drag of ten seconds tells at most ten changes a second; result and announcement come once, after it", async ({
  closed: lab,
}) => {
  await openWithClock(lab);
  const events = await record(lab, "lab-change", "lab-result");
  const said = await announcements(lab);
  await dragFor(lab, 10);
  const during = await events();
  expect(await said()).toEqual([]);
  expect(during.map(({ name }) => name)).not.toContain("lab-result");
  expect(during.length).toBeGreaterThan(50);
  expect(during.length).toBeLessThanOrEqual(101);
  const gaps = during.slice(1).map(({ at }, i) => at - during[i].at);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(99.9);
  for (const { detail } of [during[0], during[30], during.at(-1)]) {
    expect(detail).toEqual(await lab.run({ rate: detail.rate_per_s }));
  }
  await lab.page.clock.runFor(10_000);
  expect(await said()).toHaveLength(1);
  const after = (await events()).slice(during.length);
  expect(after.map(({ name }) => name)).toEqual(["lab-result"]);
  expect(after[0].detail.rate_per_s).toBe(Number(await lab.slider.inputValue()));
});

test("a hand's drag tells its changes and ends in a result", async ({ lab }) => {
  const events = await record(lab, "lab-change", "lab-result");
  await lab.settled(() => lab.drag(8, 6));
  const names = (await events()).map(({ name }) => name);
  expect(names.filter((name) => name === "lab-change").length).toBeGreaterThan(0);
  expect(names.at(-1)).toBe("lab-result");
});

test("whoever listens may use the lab", async ({ lab }) => {
  await lab.root.evaluate((root) => {
    root.addEventListener("lab-result", () => root.querySelector("[data-stop='4']").click(), { once: true });
  });
  await lab.stop(6).click();
  await lab.showsPublished(6);
  await lab.showsPublished(4);
});

test("one sentence is announced when a change has settled", async ({ closed: lab }) => {
  await openWithClock(lab);
  await expect(lab.status).toHaveRole("status");
  const said = await announcements(lab);
  await lab.stop(6).click();
  await lab.page.clock.runFor(300);
  expect(await said(), "not yet").toEqual([]);
  await lab.page.clock.runFor(20_000);
  expect((await said()).map(({ text }) => text)).toEqual([SENTENCE]);
});

test("announcements come at least five seconds apart, and the last one is the latest", async ({ closed: lab }) => {
  await openWithClock(lab);
  const said = await announcements(lab);
  for (const rate of [4, 5, 4, 5, 6]) {
    await lab.stop(rate).click();
    await lab.page.clock.runFor(900);
  }
  await lab.page.clock.runFor(10_000);
  const all = await said();
  expect(all).toHaveLength(2);
  expect(all[0].text).toMatch(/^4 requests\/s: throughput 804 tokens\/s/);
  expect(all[1].text).toBe(SENTENCE);
  expect(all[1].at - all[0].at).toBeGreaterThanOrEqual(5000);
});

test("no figure speaks by itself", async ({ lab }) => {
  // An output is a live region unless it says otherwise.
  const outputs = lab.root.locator("output:not([data-rate])");
  expect(await outputs.evaluateAll((all) => all.map((output) => output.getAttribute("aria-live") ?? "polite"))).toEqual(
    Array(await outputs.count()).fill("off"),
  );
  await expect(lab.root.locator("[role=status], [role=log], [aria-live=polite], [aria-live=assertive]")).toHaveCount(1);
  await expect(lab.root.locator("[role=alert]:visible")).toHaveCount(0);
});
