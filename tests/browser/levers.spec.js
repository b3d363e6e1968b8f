// The levers: their groups, what moving one does in words, the links of the lesson that move some, presets, and the range of
// slider and axes, which follows the capacity.

import { expect, record, test } from "./support/lab.js";

const lever = (lab, name) => lab.root.locator(`[data-field][name=${name}]`);
const group = (lab, name) => lab.root.locator("[data-levers]", { has: lab.page.locator(`[name=${name}]`) });
const effect = (lab) => lab.root.locator("[data-effect]");
const words = (lab) => effect(lab).locator("> span").first();
const link = (lab, what) => lab.page.locator(`[data-try="${what}"]`);

const open = (lab, name) => group(lab, name).locator("summary").click();

async function type(lab, name, text) {
  await lever(lab, name).fill(text);
  await lever(lab, name).press("Enter");
}

const CACHE =
  "At 5 requests/s: p99 TTFT 1.23 s → 135 ms; throughput unchanged; p99 TPOT 54 ms → 37 ms; meet the SLO 89 % → 100 %; servers on average unchanged.";

test("a group says how many of its levers are moved, and shows below them what the last one has done", async ({ lab }) => {
  await expect(effect(lab)).toBeHidden();
  await open(lab, "cached-share");
  const changed = group(lab, "cached-share").locator("[data-changed]");
  await expect(changed).toHaveText("");
  await lab.settled(() => type(lab, "cached-share", "0,7"));
  await expect(changed).toHaveText("1 changed");
  await lab.settled(() => type(lab, "cached-prompt", "0.8"));
  await expect(changed).toHaveText("2 changed");
  await expect(words(lab)).toContainText("p99 TTFT 151 ms → 135 ms");
  expect(await effect(lab).evaluate((effect) => effect.closest("details")?.querySelector("[name=cached-prompt]") !== null)).toBe(true);
  await expect(lab.root.locator("[data-changed]").filter({ hasText: /./ }), "in no other group").toHaveCount(1);

  const before = await words(lab).textContent();
  await type(lab, "cached-share", "7");
  await expect(lab.refusal).toHaveText("cached-share = 7 of the requests: allowed are 0 to 1 of the requests");
  expect(await words(lab).textContent(), "what is refused has no effect").toBe(before);
  await lab.settled(() => lab.stop(4).click());
  expect(await words(lab).textContent(), "it stays until the next lever").toBe(before);
  await lab.settled(() => lab.action("reset").click());
  await expect(effect(lab)).toBeHidden();
  await expect(changed).toHaveText("");
});

test("a lever whose value is a word is a select", async ({ lab }) => {
  await open(lab, "routing");
  await lab.settled(() => type(lab, "replicas", "4"));
  await lab.settled(() => lever(lab, "routing").selectOption("random"));
  await expect(group(lab, "routing").locator("[data-changed]")).toHaveText("2 changed");
  await lab.shows(await lab.run({ rate: 5, replicas: 4, routing: "random" }));
  await expect(words(lab)).toContainText("p99 TTFT ");
  await lab.settled(() => lab.action("lessons-server").click());
  await expect(lever(lab, "routing")).toHaveValue("round-robin");
  await lab.showsPublished(5);
});

test("the effect is heard once, when it has settled", async ({ lab }) => {
  await open(lab, "cached-share");
  await lab.settled(() => type(lab, "cached-prompt", "0.8"));
  await expect(lab.status).not.toHaveText("");
  // Announcements keep a distance of five seconds.
  await lab.page.waitForTimeout(5100);
  const heard = await lab.status.evaluateHandle((status) => {
    const heard = [];
    new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
    return heard;
  });
  await lab.settled(() => type(lab, "cached-share", "0.7"));
  await expect.poll(() => heard.jsonValue()).toEqual([CACHE]);
  await expect(words(lab)).toHaveText(CACHE);
  for (const output of await effect(lab).locator("output").all()) await expect(output).toHaveAttribute("aria-live", "off");
});

test("one click in the lesson opens the group, moves the levers, shows the effect, and there is a way back", async ({ lab }) => {
  await lab.settled(() => link(lab, "cached-share=0.7,cached-prompt=0.8").click());
  await expect(group(lab, "cached-share")).toHaveAttribute("open", "");
  await expect(lever(lab, "cached-share")).toBeFocused();
  await expect(lever(lab, "cached-share")).toBeInViewport();
  await expect(lever(lab, "cached-share")).toHaveValue("0.7");
  await expect(lever(lab, "cached-prompt")).toHaveValue("0.8");
  await expect(words(lab)).toHaveText(CACHE);
  await lab.shows(await lab.run({ rate: 5, cached_share: 0.7, cached_prompt: 0.8 }));

  const back = lab.action("levers-back");
  await lab.settled(() => back.click());
  await lab.showsPublished(5);
  await expect(back, "they are where they were").toBeHidden();
  await expect(words(lab)).toContainText("p99 TTFT 135 ms → 1.23 s");
});

test("every link of the lesson moves the levers of the lesson's server, whatever stands in the lab", async ({ lab }) => {
  for (const button of await lab.page.locator("[data-try]").all()) {
    const what = await button.getAttribute("data-try");
    const settings = Object.fromEntries(what.split(",").map((setting) => setting.split("=")));
    // Some stand in answers that are opened later.
    await lab.settled(() => button.evaluate((button) => button.click()));
    const number = (text) => (Number.isNaN(Number(text)) ? text : Number(text));
    const scenario = Object.entries(settings).map(([name, text]) => [name.replaceAll("-", "_"), number(text)]);
    await expect(lab.refusal, what).toBeHidden();
    await lab.shows(await lab.run({ rate: 5, ...Object.fromEntries(scenario) }));
    await expect(words(lab), what).toContainText(`At ${settings.rate ?? 5} requests/s: p99 TTFT `);
  }
});

test("the lesson's curve stands beside every other one, and is named", async ({ lab }) => {
  const named = lab.chart("ttft").figure.locator(".lessons");
  await expect(named).toBeHidden();
  await lab.settled(() => link(lab, "replicas=2").click());
  await expect(named).toBeVisible();
  await expect(named).toHaveText("; grey, the lesson’s curve");
  await lab.settled(() => lab.action("lessons-server").click());
  await expect(named).toBeHidden();
  await lab.settled(() => lab.action("another-draw").click());
  await expect(named, "another draw is another curve").toBeVisible();
});

for (const [query, range, typed] of [
  ["?replicas=8&rate=41.5", ["4.0", "64.0", "0.8"], "41.5"],
  ["?replicas=2&rate=5", ["1.0", "16.0", "0.2"], "5.0"],
  ["?max-batch=1&rate=0.43", ["0.05", "0.8", "0.01"], "0.43"],
  ["?rate=12", ["0.6", "12.0", "0.2"], "12.0"],
  ["?rate=0.2", ["0.1", "8.0", "0.1"], "0.2"],
  ["?rate=6", ["0.5", "8", "0.1"], "6.0"],
]) {
  test(`slider, axes and table go as far as the capacity: ${query}`, async ({ closed: lab }) => {
    await lab.open(`/${query}`);
    const [min, max, step] = range.map(Number);
    for (const [name, value] of [["min", min], ["max", max], ["step", step]]) {
      expect(Number(await lab.slider.getAttribute(name)), name).toBe(value);
    }
    await expect(lab.number).toHaveValue(typed);
    await lab.disclosure.locator("summary").click();
    await expect.poll(() => lab.rows.count(), "once the curve is whole").toBeGreaterThan(56);
    await expect(lab.rows.first().locator("th")).toHaveText(range[0]);
    await expect(lab.rows.last().locator("th")).toHaveText(max.toFixed(1));
    const rates = await lab.rows.locator("th").allTextContents();
    expect(rates).toContain(typed);
    expect(rates.length).toBeGreaterThan(56);
    expect(rates.length).toBeLessThan(82);
    await expect(lab.chart("ttft").canvas).toHaveAttribute("aria-label", new RegExp(`arrival rates from ${min} to ${max} requests/s`));
    await lab.settled(() => lab.action("slower").click());
    const slower = Number(await lab.number.inputValue());
    expect(Math.abs(slower / step - Math.round(slower / step)), "minus goes to a position of the slider").toBeLessThan(1e-6);
  });
}

test("a rate is never outside, and one that the server cannot stand is refused", async ({ lab }) => {
  await lab.settled(() => lab.typeRate("900"));
  await expect(lab.number).toHaveValue("900.0");
  expect(Number(await lab.slider.getAttribute("max"))).toBe(1000);
  await lab.typeRate("1000.1");
  await expect(lab.refusal).toHaveText("rate = 1000.1 requests/s: allowed are 0.01 to 1000 requests/s");
  await lab.settled(() => lab.action("reset").click());
  await lab.showsPublished(5);
  expect(Number(await lab.slider.getAttribute("max"))).toBe(8);
});

test("a fleet's curve becomes whole, and what was asked last is what stands there", async ({ lab }) => {
  await open(lab, "replicas");
  const results = await record(lab, "lab-result");
  await lab.settled(async () => {
    await type(lab, "replicas", "16");
    await type(lab, "replicas", "3");
  });
  await lab.disclosure.locator("summary").click();
  await expect(lab.rows).toHaveCount(76 + 1, { timeout: 20_000 });
  await expect(lab.rows.last().locator("th")).toHaveText("24.0");
  await expect(lab.chart("ttft").canvas).toHaveAttribute("aria-label", /arrival rates from 1.5 to 24 requests/);
  expect((await results()).at(-1).detail.scenario.replicas).toBe(3);
  await lab.shows(await lab.run({ rate: 5, replicas: 3 }));
});

test("a preset is a server to try: its figures, its words, its address, its way back", async ({ lab }) => {
  const preset = lab.root.locator("[data-preset]");
  const about = lab.root.locator("[data-preset-about]");
  await expect(preset).toHaveValue("assistant");
  await lab.settled(() => preset.selectOption("batch-summaries"));
  await expect(about).toContainText("the p99 of 12 s breaks no SLO");
  await expect(lab.figure("slo_attainment").first()).toHaveText("100 %");
  await expect(lab.number).toHaveValue("2.4");
  expect(new URL(lab.page.url()).searchParams.get("prompt")).toBe("4000");

  await lab.page.reload();
  await lab.runs();
  await expect(preset, "the address leads back to it").toHaveValue("batch-summaries");
  await open(lab, "prompt");
  await lab.settled(() => type(lab, "prompt", "500"));
  await expect(preset, "it is no preset any more").toHaveValue("");
  await expect(about).toHaveText("");
  await lab.settled(() => lab.action("reset").click());
  await lab.showsPublished(5);
  await expect(preset).toHaveValue("assistant");
  await lab.settled(() => lab.stop(6).click());
  await expect(preset).toHaveValue("overload");
  await expect(about).toHaveText("the same server at 6 requests/s: busy, and nothing in time");
  await lab.settled(() => lab.typeRate("5.7"));
  await expect(about, "no rate is told that is not there").toHaveText("the same server and traffic, at another rate");
});

test("what is true of the lesson's server alone is not said of another, and no group grows when it is changed", async ({ lab }) => {
  const lessons = lab.root.locator("[data-lessons-server]");
  await expect(lessons).toHaveText("99.5 % at 2 req/s");
  const heights = () => lab.root.locator("[data-levers] summary").evaluateAll((all) => all.map(({ offsetHeight }) => offsetHeight));
  const before = await heights();
  await open(lab, "replicas");
  await lab.settled(() => type(lab, "replicas", "2"));
  await expect(group(lab, "replicas").locator("[data-changed]")).toHaveText("1 changed");
  expect(await heights()).toEqual(before);
  await expect(lessons).toBeHidden();
  await lab.settled(() => lab.action("reset").click());
  await expect(lessons).toBeVisible();
});

test("each preset is what the engine says of it", async ({ lab }) => {
  const preset = lab.root.locator("[data-preset]");
  const names = await preset.locator("option:not([value=''])").evaluateAll((options) => options.map(({ value }) => value));
  expect(names.length).toBeGreaterThan(9);
  for (const name of names.slice(1)) {
    const { scenario } = await lab.settled(() => preset.selectOption(name));
    await lab.shows(await lab.run(scenario));
    await expect(lab.refusal).toBeHidden();
  }
});

test("what is locked is out of use, whether its value is a number or a word", async ({ closed: lab }) => {
  await lab.open("/?lock=replicas,routing&replicas=2");
  await expect(lever(lab, "replicas")).toBeDisabled();
  await expect(lever(lab, "routing")).toBeDisabled();
  await expect(lever(lab, "autoscale")).toBeEnabled();
  await lab.settled(() => lab.root.locator("[data-preset]").selectOption("agent"));
  await expect(lever(lab, "replicas")).toHaveValue("2");
  await expect(lever(lab, "prompt")).toHaveValue("3000");
});

test("the groups stand in one row, and none moves when one opens: what it holds comes below", async ({ lab }) => {
  const summaries = lab.root.locator("[data-levers] > summary");
  await summaries.nth(1).scrollIntoViewIfNeeded();
  const places = () => summaries.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  const before = await places();
  expect(new Set(before.map(({ y }) => y)).size).toBe(1);
  expect(new Set(before.map(({ x }) => x)).size).toBe(before.length);
  await summaries.nth(1).click();
  expect(await places()).toEqual(before);
  const field = await lab.root.locator("[name=arrival-cv]").boundingBox();
  expect(field.y).toBeGreaterThan(before[1].bottom);
  const figure = await lab.root.locator(".readouts.more").locator("dt").first().boundingBox();
  expect(figure.y).toBeGreaterThan(field.y);
});

for (const width of [1280, 320]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("the rate of a fleet stands whole in its field", async ({ closed: lab }) => {
      for (const rate of ["13.0", "40.3", "120.5"]) {
        await lab.open(`/?replicas=30&rate=${rate}`);
        await expect(lab.number).toHaveValue(rate);
        const cut = await lab.number.evaluate((field) => field.scrollWidth - field.clientWidth);
        expect(cut, rate).toBeLessThanOrEqual(0);
      }
    });
  });
}
