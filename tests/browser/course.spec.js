// A course page with the element and the real lab in it; and course pages that were written for earlier releases.

import { Lab, at, expect, listen, test } from "./support/lab.js";
import { hostOf } from "./support/host.js";

/** A host page with the element's script, and elements as `html` says. */
async function course(page, baseURL, html) {
  await page.goto(`${hostOf(baseURL)}/host/`);
  await page.addScriptTag({ url: `${baseURL}goodput-lab.js` });
  await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), html);
}

const inside = (page, selector = "goodput-lab") => new Lab(page.locator(selector).frameLocator("iframe"));

test("attributes, properties, methods and events drive the lab and follow it", async ({ page, complaints, baseURL }) => {
  await course(page, baseURL, '<goodput-lab rate="5" view="lab" lock="seed">the lab</goodput-lab>');
  const lab = inside(page);
  await lab.runs();
  await lab.showsPublished(5);
  await expect(lab.seed).toBeDisabled();
  const element = page.locator("goodput-lab");
  await element.evaluate((element) => element.setAttribute("rate", "6"));
  await lab.showsPublished(6);
  const four = await element.evaluate((element) => element.run({ rate: 4 }));
  expect(four.throughput_tokens_per_s).toBe(804.074074074074);
  expect(await element.evaluate((element) => element.describe())).toMatch(/^At 4 requests\/s/);
  const heard = element.evaluate((element) => new Promise((done) => element.addEventListener("lab-result", ({ detail }) => done(detail))));
  await lab.stop(6).click();
  expect(at(await heard, "ttft_s.p99")).toBeCloseTo(30.026, 3);
  await element.evaluate((element) => element.setAttribute("theme", "dark"));
  await expect(element.frameLocator("iframe").locator("html")).toHaveAttribute("data-scheme", "dark");
  await expect
    .poll(async () => {
      const content = await lab.root.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
      return (await element.locator("iframe").evaluate((frame) => frame.clientHeight)) - content;
    })
    .toBe(0);
  expect(complaints).toEqual([]);
});

test("moved, removed and added again, it stands where the learner left it", async ({ page, complaints, baseURL }) => {
  await course(page, baseURL, '<div id="one"><goodput-lab rate="5"></goodput-lab></div><div id="two"></div>');
  await inside(page).runs();
  await inside(page).stop(6).click();
  await inside(page).showsPublished(6);
  await expect.poll(() => page.locator("goodput-lab").evaluate(({ results }) => results?.rate_per_s)).toBe(6);
  await page.evaluate(() => two.append(document.querySelector("goodput-lab")));
  await inside(page).runs();
  await inside(page).showsPublished(6);
  // The browser itself loads a moved frame anew, before the element hears of it and makes a new one.
  expect(complaints.splice(0).filter((text) => !text.endsWith("net::ERR_ABORTED"))).toEqual([]);
});

test("connected and disconnected fifty times, nothing is left over", async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  await course(page, baseURL, "");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const measured = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const round = async (times) => {
    for (let i = 0; i < times; i += 1) {
      await page.evaluate(async () => {
        const lab = document.createElement("goodput-lab");
        document.body.append(lab);
        await new Promise((ready) => lab.addEventListener("lab-ready", ready, { once: true }));
        lab.remove();
      });
    }
    // The browser lets go of a frame's document when it finds the time.
    await page.waitForTimeout(1000);
    return measured();
  };
  const before = await round(5);
  const after = await round(50);
  expect(page.workers()).toEqual([]);
  expect(page.frames()).toHaveLength(1);
  for (const name of ["JSEventListeners", "Documents", "Frames", "Nodes"]) expect(after[name], name).toBeLessThanOrEqual(before[name] + 5);
  expect(after.JSHeapUsedSize / before.JSHeapUsedSize).toBeLessThan(1.2);
});

for (const release of ["1.0"]) {
  test(`a course page of version ${release} still works`, async ({ page, baseURL }) => {
    test.setTimeout(90_000);
    const complaints = [];
    await listen(page, complaints);
    await page.goto(`${hostOf(baseURL)}/host/${release}/?site=${encodeURIComponent(baseURL)}`);
    await expect(page.locator("html")).toHaveAttribute("data-done", "", { timeout: 60_000 });
    expect(await page.locator("li[data-passed=false]").allTextContents()).toEqual([]);
    expect(await page.locator("li[data-passed=true]").count()).toBeGreaterThan(15);
    expect(complaints).toEqual([]);
  });
}
