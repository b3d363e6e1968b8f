// The studies under the lab: a second module, fetched when one is opened, that follows the lab while it is in sight.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./support/lab.js";

const MODULE = /goodput-studies-[0-9a-f]+/;
const STUDIES = ["distribution", "attainment", "closed-loop", "replicas", "autoscaler"];

const study = (lab, name) => lab.page.locator(`[data-study=${name}]`);

/** Opens a study and waits until it shows something. */
async function enter(lab, name) {
  const room = study(lab, name);
  await room.locator("> summary").click();
  await expect(room.locator(".finding")).toHaveText(/\d/);
  await expect(room.locator(".drawn svg").first()).toBeVisible();
  return room;
}

/** The requests for the module from now on. */
function modules(page) {
  const urls = [];
  page.on("request", (request) => MODULE.test(request.url()) && urls.push(request.url()));
  return urls;
}

for (const path of ["/", "/some/sub/folder/", "/octet/"]) {
  test(`nothing of the module is asked for before a study is opened, and then two files, at ${path}`, async ({ closed: lab }) => {
    const urls = modules(lab.page);
    await lab.page.goto(path, { waitUntil: "networkidle" });
    await lab.runs();
    await lab.settled(() => lab.stop(6).click());
    expect(urls).toEqual([]);
    await enter(lab, "distribution");
    await enter(lab, "attainment");
    expect(urls.map((url) => new URL(url).pathname.startsWith(path))).toEqual([true, true]);
    expect(urls.map((url) => url.replace(/.*\./, "")).sort()).toEqual(["js", "wasm"]);
  });
}

test("the distribution says what the lab says, and follows it", async ({ lab }) => {
  const room = await enter(lab, "distribution");
  await expect(room.locator(".finding")).toContainText("89 % do both");
  await expect(room.locator(".drawn").first()).toContainText("p99 1.23 s");
  await expect(room.locator(".drawn").nth(1)).toContainText("p50 38 ms");
  await lab.settled(() => lab.stop(6).click());
  await room.locator(".drawn").first().scrollIntoViewIfNeeded();
  await expect(room.locator(".drawn").first()).toContainText("p99 30.0 s");
  await expect(room.locator(".drawn").first()).toContainText("the lesson");
  await expect(room.locator(".finding")).toContainText("250 more are on no curve");
});

test("a study opens on the state of an address, not on the lesson's", async ({ closed: lab }) => {
  await lab.open("/?rate=4");
  const room = await enter(lab, "distribution");
  await expect(room.locator(".finding")).toContainText("100 % do both");
});

test("a closed study does not work, and is up to date when it opens again", async ({ lab }) => {
  const room = await enter(lab, "distribution");
  const before = await room.locator(".finding").textContent();
  await room.locator("> summary").click();
  await lab.settled(() => lab.stop(4).click());
  expect(await room.locator(".finding").textContent()).toBe(before);
  await room.locator("> summary").click();
  await expect(room.locator(".finding")).toContainText("100 % do both");
});

test("out of sight it waits, and is up to date when it comes into sight", async ({ lab }) => {
  const room = await enter(lab, "distribution");
  const before = await room.locator(".finding").textContent();
  await lab.page.evaluate(() => scrollTo(0, 0));
  await lab.page.waitForTimeout(200);
  await lab.settled(() => lab.stop(4).click());
  await lab.page.waitForTimeout(200);
  expect(await room.locator(".finding").textContent()).toBe(before);
  await room.scrollIntoViewIfNeeded();
  await expect(room.locator(".finding")).toContainText("100 % do both");
});

test("values are read by keyboard, in words, and by the pointer", async ({ lab }) => {
  const room = await enter(lab, "attainment");
  const [rate, goal] = [room.getByRole("slider", { name: "Rate" }), room.getByRole("slider", { name: "Goal for TTFT" })];
  const readout = room.locator("output");
  await expect(readout).toHaveText("At 5 requests/s with a goal of 1 s: 89 % meet the SLO");
  await expect(rate).toHaveAttribute("aria-valuetext", "5 requests/s");
  await rate.focus();
  await lab.page.keyboard.press("ArrowLeft");
  await lab.page.keyboard.press("ArrowLeft");
  await expect(readout).toHaveText("At 4 requests/s with a goal of 1 s: 100 % meet the SLO");
  await lab.page.keyboard.press("Tab");
  await expect(goal).toBeFocused();
  await lab.page.keyboard.press("End");
  await expect(readout).toContainText("a goal of 20 s");
  await expect(goal).toHaveAttribute("aria-valuetext", "20 s");
  await room.locator(".drawn").hover({ position: { x: 60, y: 30 } });
  await expect(readout).toHaveText("At 0.5 requests/s with a goal of 20 s: 100 % meet the SLO");
});

test("the map's own goal row is what the module's run says", async ({ lab }) => {
  const room = await enter(lab, "attainment");
  const summary = await lab.run({ rate: 4.5 });
  await room.locator("details summary").click();
  const row = room.getByRole("row").filter({ has: lab.page.getByRole("rowheader", { name: "4.5", exact: true }) });
  const shown = await row.locator("td").nth(4).textContent();
  expect(shown).toBe(`${(summary.slo_attainment * 100).toFixed(1)} %`);
});

test("a loop that hides its queue: three clocks, of which the open one is the lab's", async ({ lab }) => {
  const room = await enter(lab, "closed-loop");
  await expect(room.locator(".finding")).toContainText("in an open loop, 1.23 s");
  await room.getByRole("slider", { name: "Rate" }).press("End");
  await expect(room.locator("output")).toContainText("At 8 requests/s: open loop");
  const { ttft_s } = await lab.run({ rate: 8 });
  await expect(room.locator("output")).toContainText(`open loop ${ttft_s.p99.toFixed(0)} s`);
});

test("the p99 of all is the lab's, and their mean is another", async ({ closed: lab }) => {
  await lab.open("/?replicas=3&rate=15.6&routing=random");
  const room = await enter(lab, "replicas");
  const { ttft_s } = await lab.run({ rate: 15.6, replicas: 3, routing: "random" });
  await expect(room.locator(".finding")).toContainText(`The p99 of all requests is ${ttft_s.p99.toFixed(2)} s`);
  await expect(room.locator(".drawn")).toContainText("server 3");
  await expect(room.getByRole("slider")).toHaveCount(0);
});

test("the autoscaler stands on both signals side by side", async ({ lab }) => {
  const room = await enter(lab, "autoscaler");
  await expect(room.locator(".drawn svg")).toHaveCount(6);
  await expect(room.locator(".finding")).toContainText("On the queue: 1 ready before the spike");
  const time = room.getByRole("slider", { name: "Time" });
  await expect(time).toHaveCount(2);
  await time.first().press("Home");
  await expect(room.locator("output").first()).toHaveText(/^At 5 s: 1 ready, 0 on order/);
});

for (const colorScheme of ["light", "dark"]) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("axe finds nothing in the open studies", async ({ lab }) => {
      for (const name of STUDIES) {
        const room = await enter(lab, name);
        await room.locator("details summary").click();
      }
      const { violations, passes } = await new AxeBuilder({ page: lab.page })
        .include("[data-studies]")
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
        .analyze();
      expect(passes.length).toBeGreaterThan(5);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
    });
  });
}

test("pictures follow light and dark", async ({ lab }) => {
  const room = await enter(lab, "distribution");
  const picture = () => room.locator(".drawn").first().innerHTML();
  const light = await picture();
  await lab.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(picture).not.toBe(light);
  await lab.page.evaluate(() => (document.documentElement.dataset.scheme = "light"));
  await expect.poll(picture).toBe(light);
});

for (const width of [320, 768]) {
  test(`at ${width} px nothing is cut off or scrolls sideways`, async ({ lab }) => {
    await lab.page.setViewportSize({ width, height: 800 });
    for (const name of STUDIES) await enter(lab, name);
    const page = await lab.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(page[0]).toBeLessThanOrEqual(page[1]);
    const widths = await lab.page.locator(".drawn").evaluateAll((plots) =>
      plots.map((plot) => [plot.clientWidth, Math.round(plot.querySelector("svg").getBoundingClientRect().width)]),
    );
    for (const [plot, picture] of widths) expect(picture).toBe(plot);
  });
}

test("a module that does not come is said in one sentence, and the lab goes on", async ({ page }) => {
  await page.route(MODULE, (route) => route.fulfill({ status: 404, body: "no" }));
  await page.goto("/?predict=off");
  await expect(page.locator("[data-lab]")).toHaveAttribute("data-state", "running");
  const room = page.locator("[data-study=distribution]");
  await room.locator("> summary").click();
  await expect(room.locator("[data-when=failed]")).toBeVisible();
  await expect(page.locator("[data-when]:visible")).toHaveCount(1);
  await expect(page.locator("[data-failure]:visible")).toHaveCount(0);
  await page.locator("[data-stop='6']").click();
  await expect(page.locator("[data-metric='ttft_s.p99']:not([data-rate])").first()).toHaveText("30.0 s");
});

test("a module that stops is said in its part, and the lab goes on", async ({ page }) => {
  await page.goto("/?predict=off");
  await expect(page.locator("[data-lab]")).toHaveAttribute("data-state", "running");
  const room = page.locator("[data-study=distribution]");
  await room.locator("> summary").click();
  await expect(room.locator(".finding")).toHaveText(/\d/);
  await page.evaluate(async () => {
    const { js } = document.querySelector("[data-studies]").dataset;
    const glue = await import(new URL(js, document.baseURI).href);
    const wasm = await glue.default();
    new Uint8Array(wasm.memory.buffer).fill(255);
  });
  await page.locator("[data-stop='6']").click();
  await expect(page.locator("[data-metric='ttft_s.p99']:not([data-rate])").first()).toHaveText("30.0 s");
  await page.locator("[data-stop='4']").click();
  await expect(page.locator("[data-metric='ttft_s.p99']:not([data-rate])").first()).toHaveText("188 ms");
  await expect(page.locator("[data-failure]:visible")).toHaveCount(0);
});

test("without JavaScript the words stand there, and the module is not missed", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL);
  const room = page.locator("[data-study=distribution]");
  await room.locator("> summary").click();
  await expect(room.locator("> p").first()).toBeVisible();
  await expect(page.locator("[data-when]:visible")).toHaveCount(0);
  await expect(page.locator("#closer noscript .note")).toBeVisible();
  await context.close();
});

test("a frame shows the lab alone", async ({ closed: lab }) => {
  await lab.open("/embed.html");
  await expect(lab.page.locator("[data-studies]")).toBeHidden();
});
