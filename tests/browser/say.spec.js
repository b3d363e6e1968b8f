// The learner says it: why, in thirty seconds, to follow-ups, and as a page to keep.

import { Lab, expect, test } from "./support/lab.js";

const part = (page, selector) => page.locator(selector);
const answer = (page, name) => page.locator(`[data-attempt=${name}] [data-answer]`);
const quiz = (page) => ({
  field: page.locator("[data-quiz-answer]"),
  verdict: page.locator("[data-quiz-verdict]"),
  question: page.locator("[data-quiz-question]"),
  sum: page.locator("[data-quiz-sum]"),
  solution: page.locator("[data-quiz] [data-answer]"),
});

/** The element that has the focus. */
const focused = (page) => page.locator(":focus");

test("by keyboard alone from the first question to the last follow-up", async ({ lab: { page } }) => {
  const { keyboard } = page;
  await page.locator("#why-text").focus();
  await expect(answer(page, "why")).toBeHidden();
  await keyboard.type("Late tokens count as tokens.");
  await keyboard.press("Tab");
  await expect(focused(page)).toHaveText("I have said it: compare");
  await keyboard.press("Enter");
  await expect(answer(page, "why")).toHaveAttribute("open", "");
  for (let press = 0; press < 2; press++) await keyboard.press("Tab");
  await expect(focused(page)).toHaveAccessibleName(/^Throughput counts all tokens/);
  await keyboard.press("Space");
  await expect(page.locator("[data-points=why] [data-covered]")).toHaveText("1 of 5 covered");
  // Other parts of the lesson lie between the two.
  await page.locator("[data-timer=toggle]").focus();
  await expect(focused(page)).toHaveText("Start");
  await keyboard.press("Enter");
  await expect(focused(page)).toHaveText("Stop");
  await keyboard.press("Enter");
  await expect(focused(page)).toHaveText("Go on");
  for (let press = 0; press < 3; press++) await keyboard.press("Tab");
  for (let point = 0; point < 7; point++) {
    await expect(focused(page)).toHaveRole("checkbox");
    await keyboard.press("Space");
    await keyboard.press("Tab");
  }
  await expect(page.locator("[data-points=thirty-seconds] [data-covered]")).toHaveText("7 of 7 covered");
  // What an answer leads to lies on the way.
  const ways = { jump: ["Try a burst", "Try some", "Try a small one", "Try it on an incident"], utilisation: [] };
  for (const [name, ahead] of Object.entries(ways)) {
    await expect(focused(page)).toHaveAttribute("data-attempt-text", "");
    await expect(answer(page, name)).toBeHidden();
    await keyboard.press("Tab");
    await expect(focused(page)).toHaveText("I said it aloud");
    await keyboard.press("Enter");
    await expect(answer(page, name)).toHaveAttribute("open", "");
    await keyboard.press("Tab");
    await expect(focused(page)).toHaveText("Show the answer");
    await keyboard.press("Tab");
    for (const way of ahead) {
      await expect(focused(page)).toHaveText(way);
      await keyboard.press("Tab");
    }
  }
  await expect(focused(page)).toHaveAttribute("data-quiz-answer", "");
  await keyboard.type("9.4");
  await keyboard.press("Enter");
  await expect(quiz(page).verdict).toHaveText("✓ Right: 9.37 s.");
  await expect(quiz(page).sum).toBeVisible();
});

test("what was typed opens the answer, and an empty field takes nothing away", async ({ lab: { page } }) => {
  const text = page.locator("#jump-text");
  await text.fill("   ");
  await expect(answer(page, "jump")).toBeHidden();
  await text.fill("a burst");
  await expect(answer(page, "jump")).toBeVisible();
  await expect(answer(page, "jump")).not.toHaveAttribute("open");
  await text.fill("");
  await expect(answer(page, "jump")).toBeVisible();
});

test("ticks and notes survive a reload, until all is forgotten", async ({ lab }) => {
  const { page } = lab;
  const tick = (value) => page.locator(`[value="${value}"]`);
  await page.locator("#why-text").fill("Late tokens count.");
  await page.locator("[data-attempt=why] [data-attempt-said]").click();
  for (const value of ["queue", "tails", "headroom"]) await tick(value).check();
  await tick("tails").uncheck();
  await page.evaluate(() => localStorage.setItem("of-another-page", "kept"));
  await page.reload();
  await lab.runs();
  await expect(page.locator("#why-text")).toHaveValue("Late tokens count.");
  await expect(page.locator("[data-points] :checked")).toHaveCount(2);
  await expect(tick("headroom")).toBeChecked();
  const sheet = part(page, "[data-summary=sheet]");
  await expect(sheet).toContainText("✓ Headroom");
  await expect(sheet).toContainText("Late tokens count.");

  await page.getByText("Forget everything on this device").click();
  await page.locator("[data-summary=forget]").click();
  await expect(page.locator("[data-points] :checked")).toHaveCount(0);
  await expect(page.locator("#why-text")).toHaveValue("");
  await expect(sheet).not.toContainText("Headroom");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["of-another-page"]);
});

test("the clock counts up, is stopped, goes on, and idle asks for nothing", async ({ closed: lab }) => {
  const { page } = lab;
  await page.clock.install({ time: 0 });
  await lab.open();
  await page.clock.pauseAt(60_000);
  await page.clock.runFor(10_000);
  // From here on every timer asked for is the clock's.
  await page.evaluate(() => {
    window.asked = 0;
    const ask = window.setTimeout;
    window.setTimeout = (...args) => (window.asked++, ask(...args));
  });
  const asked = () => page.evaluate(() => window.asked);
  const [toggle, time, status] = ["toggle", "time", "status"].map((name) => page.locator(`[data-timer=${name}]`));
  await toggle.click();
  await page.clock.runFor(31_500);
  await expect(time).toHaveText("0:31");
  await expect(status, "silent while it runs").toBeEmpty();
  await expect(page.locator("[data-timer=meter]")).toHaveAttribute("value", "31");
  const ran = await asked();
  expect(ran, "once a second").toBeGreaterThan(30);
  expect(ran).toBeLessThan(36);

  // Closed, it counts without a timer.
  await page.locator("[data-timer=face] summary").click();
  await page.clock.runFor(2_000);
  const closed = await asked();
  await page.clock.runFor(28_000);
  expect(await asked()).toBe(closed);
  await page.locator("[data-timer=face] summary").click();
  await expect(time).toHaveText("1:01");

  await toggle.click();
  await expect(status).toHaveText(/^Stopped at 1:0\d\. Longer than the mark/);
  const stopped = await asked();
  await page.clock.runFor(20_000);
  expect(await asked(), "idle").toBe(stopped);
  await expect(time).toHaveText(/^1:0\d$/);
  await page.locator("[data-timer=reset]").click();
  await expect(time).toHaveText("0:00");
  await expect(toggle).toHaveText("Start");
});

test("the sum takes a point and a comma, knows the usual slips, and asks afresh", async ({ lab: { page } }) => {
  const { field, verdict, question, sum, solution } = quiz(page);
  const answered = async (text) => {
    await field.fill(text);
    await field.press("Enter");
  };
  await expect(solution).toBeHidden();
  await answered("soon");
  await expect(verdict).toHaveText(/^Write a number of seconds/);
  await expect(solution, "never locked").toBeVisible();
  for (const [text, said] of [
    ["9370", /Check the units: 400 ms is 0\.4 s, and 30 ms is 0\.03 s/],
    ["8,97", /What about the wait for the first one/],
    ["129", /once per answer, not once per token/],
    ["0.43", /299 times/],
    ["5", /too little/],
    ["9,4", /^✓ Right/],
    ["9.4", /^✓ Right/],
  ]) {
    await answered(text);
    await expect(verdict, text).toHaveText(said);
  }
  const seen = new Set([await question.textContent()]);
  for (let i = 0; i < 5; i++) {
    await page.locator("[data-quiz-another]").click();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("");
    await expect(verdict).toBeEmpty();
    await expect(solution).toBeHidden();
    seen.add(await question.textContent());
    const [tokens, ttft, tpot] = (await question.textContent()).match(/\d+/g).map(Number);
    await answered(String((ttft + tpot * (tokens - 1)) / 1000));
    await expect(verdict).toHaveText(/^✓ Right/);
    await expect(sum).toBeVisible();
  }
  expect(seen.size).toBe(6);
  await expect(page.locator("[data-summary=sheet]")).toContainText("End-to-end sums: 6 right of 6 tried");
});

test("after a push the answer and the page to keep tell of one's own run", async ({ lab }) => {
  const { page } = lab;
  const own = (kind, metric) => page.locator(`[data-own=${kind}][data-metric="${metric}"]`);
  const source = page.locator("[data-own-source]");
  await expect(own("peak", "throughput_tokens_per_s")).toHaveText("1,142");
  await expect(source).toContainText("the lesson’s runs at 5, 6 and 4");
  const run = await lab.settled(() => lab.action("push").click());
  await expect(own("peak", "rate_per_s")).toHaveText("5.9");
  await expect(own("peak", "throughput_tokens_per_s")).toHaveText("1,146");
  await expect(own("peak", "throughput_tokens_per_s")).toHaveAttribute("data-value", String(run.throughput_tokens_per_s));
  await expect(own("tail", "ttft_s.p99"), "still the lesson's").toHaveText("1.23 s");
  await expect(source).toContainText("From your own runs: throughput at 5.9 requests/s (the lesson’s draw). The rest is the lesson’s.");
  await expect(page.locator("[data-summary=sheet]")).toContainText("reached 1,146 tokens/s");
  // A gentler run afterwards takes nothing back, and adds the rate that holds.
  await lab.settled(() => lab.typeRate("4.2"));
  await expect(own("peak", "rate_per_s")).toHaveText("5.9");
  await expect(own("held", "rate_per_s")).toHaveText("4.2");
});

test("a sentence about a push tells the learner's own, and until then what stands there", async ({ closed: lab }) => {
  const { page } = lab;
  await page.route("/", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("<main>", "<main><p id=told data-own-run>The lesson's.</p>") });
  });
  await lab.open();
  const told = page.locator("#told");
  await lab.settled(() => lab.stop(4).click());
  await expect(told).toHaveText("The lesson's.");
  await lab.typeSeed("3");
  const run = await lab.settled(() => lab.action("push").click());
  await expect(told).toHaveText(
    `You pushed throughput to ${Math.round(run.throughput_tokens_per_s).toLocaleString("en")} tokens/s at ${run.rate_per_s} requests/s (draw 3). ` +
      `There ${await lab.figure("slo_attainment").first().textContent()} of the requests met the SLO.`,
  );
});

test("the page is copied as text, or stands there selected", async ({ lab: { page }, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(baseURL).origin });
  await page.locator("#why-text").fill("Late tokens count.");
  const status = page.locator("[data-summary=status]");
  const plain = page.locator("[data-summary=plain]");
  await expect(plain).toBeHidden();
  await page.locator("[data-summary=copy]").click();
  await expect(status).toHaveText("Copied.");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^How do you measure LLM serving\? My page\n/);
  expect(text).toContain("\n- Late tokens count.\n");

  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.locator("[data-summary=copy]").click();
  await expect(status).toContainText("selected");
  await expect(plain).toBeFocused();
  expect(await plain.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe(text);
});

test("the page prints alone when asked, and else every answer is open on paper", async ({ closed: lab }) => {
  const { page } = lab;
  await page.addInitScript(() => {
    window.print = () => {
      window.printed = document.documentElement.className;
    };
  });
  await lab.open();
  await page.locator("[data-attempt=why] [data-attempt-said]").click();
  await answer(page, "why").locator("summary").click();
  await expect(answer(page, "why").locator("p").first(), "closed").toBeHidden();
  await page.emulateMedia({ media: "print" });
  for (const name of ["why", "jump", "utilisation"]) {
    await expect(answer(page, name).locator("p").first(), name).toBeVisible();
  }
  await page.emulateMedia({ media: "screen" });
  await page.locator("[data-summary=print]").click();
  expect(await page.evaluate(() => window.printed)).toBe("print-summary");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("[data-summary=sheet]")).toBeVisible();
  await expect(page.locator("h1")).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator("h1")).toBeVisible();
});

test("where storage is refused everything works and nothing is remembered", async ({ closed: lab }) => {
  const { page } = lab;
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("refused", "SecurityError");
      },
    });
  });
  await lab.open();
  await page.locator("#why-text").fill("Late tokens count.");
  await page.locator("[value=tails]").check();
  await expect(page.locator("[data-points=thirty-seconds] [data-covered]")).toHaveText("1 of 7 covered");
  await expect(page.locator("[data-summary=sheet]")).toContainText("Late tokens count.");
  await page.getByText("Forget everything on this device").click();
  await page.locator("[data-summary=forget]").click();
  await expect(page.locator("#why-text")).toHaveValue("");
});

test("without JavaScript every answer can be opened, and what needs it says so", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  const still = new Lab(page);
  for (const name of ["why", "jump", "utilisation"]) {
    await answer(page, name).locator("summary").click();
    await expect(answer(page, name).locator("p").first()).toBeVisible();
  }
  await quiz(page).solution.locator("summary").click();
  await expect(quiz(page).sum).toHaveText("0.4 s + 0.03 s × (300 − 1) = 0.4 s + 8.97 s = 9.37 s");
  for (const button of await page.locator("#say-it button, #summary button").all()) await expect(button).toBeDisabled();
  await expect(page.locator("[data-attempt-said]:visible, [data-covered]:visible, [data-summary=plain]:visible")).toHaveCount(0);
  await expect(page.locator("[data-own-source]")).toContainText("the lesson’s runs");
  await expect(still.root).toHaveAttribute("data-state", "static");
  await context.close();
});
