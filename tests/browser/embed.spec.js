// The page in somebody's frame: what it shows, what it may be told, and what it tells to whom.

import { Lab, expect, test } from "./support/lab.js";
import { heard, hostOf, hosted, message, post } from "./support/host.js";

const TYPES = ["lab-change", "lab-result", "lab-predict", "lab-goal", "lab-answer", "lab-complete"];
const sections = (lab) =>
  lab.page.locator("main > *").evaluateAll((all) =>
    all.filter((element) => element.checkVisibility()).map(({ id, className }) => id || className),
  );

for (const [view, shown] of Object.entries({
  lab: ["lab"],
  predict: ["guess", "lab"],
  challenge: ["lab", "goals"],
})) {
  test(`the view ${view} shows its part of the page and no more`, async ({ closed: lab }) => {
    await lab.open(`/embed.html?view=${view}`);
    expect(await sections(lab)).toEqual(shown);
    await expect(lab.page.locator(".credit a")).toBeVisible();
    await expect(lab.page.locator(".foot fieldset")).toBeHidden();
  });
}

test("a frame shows the lab if it asks for nothing, the whole lesson if it asks", async ({ closed: lab }) => {
  await lab.open("/embed.html");
  expect(await sections(lab)).toEqual(["lab"]);
  await lab.showsPublished(5);
  await lab.open("/embed.html?view=lesson");
  expect((await sections(lab)).length).toBeGreaterThan(12);
});

test("nothing is remembered in a frame", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => localStorage.clear());
  await lab.open("/embed.html?view=predict");
  await lab.page.locator("[data-guess] [data-act=skip]").click();
  await lab.settled(() => lab.stop(6).click());
  expect(await lab.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, ""]);
});

test("what an author locks the reader cannot change, and what is hidden is not there", async ({ closed: lab }) => {
  await lab.open("/embed.html?rate=6&lock=seed,max-batch&hide=time,table,beside&rates=2,6,12");
  await expect(lab.seed).toBeDisabled();
  await expect(lab.action("another-draw")).toBeDisabled();
  await expect(lab.slider).toBeEnabled();
  await expect(lab.root.locator("[data-locked]")).toBeVisible();
  await expect(lab.chart("time").figure).toBeHidden();
  await expect(lab.disclosure).toBeHidden();
  expect(await lab.root.locator("[data-stop]").allTextContents()).toEqual(["2", "6", "12"]);
  await lab.settled(() => lab.stop(12).click());
  await lab.shows(await lab.run({ rate: 12 }));
  // Also not by a script that takes the lock off the control.
  await lab.seed.evaluate((field) => {
    field.disabled = false;
    field.value = "9";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect(lab.seed).toHaveValue("lesson");
});

test("an accent is made readable in either scheme", async ({ closed: lab }) => {
  await lab.open("/embed.html?accent=ffd500");
  const colour = () => lab.stop(5).evaluate((button) => getComputedStyle(button).backgroundColor);
  const light = await colour();
  await lab.page.emulateMedia({ colorScheme: "dark" });
  const dark = await colour();
  expect(light).not.toBe(dark);
  expect(dark).toBe("rgb(255, 213, 0)");
});

test("a theme of the address counts more than the system's", async ({ closed: lab }) => {
  await lab.page.emulateMedia({ colorScheme: "light" });
  await lab.open("/embed.html?theme=dark");
  expect(await lab.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  expect(await lab.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgba(0, 0, 0, 0)");
});

test.describe("messages", () => {
  test("before a greeting a parent hears that the lab is there, how high it is, and what went wrong", async ({ page, complaints, baseURL }) => {
    const lab = await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL), rate: "1001" } });
    await lab.stop(6).click();
    await lab.showsPublished(6);
    await lab.root.locator("summary").first().click();
    await expect.poll(() => heard(page, "lab-height")).not.toEqual([]);
    for (const type of TYPES) expect(await heard(page, type), type).toEqual([]);
    const [ready] = await heard(page, "lab-ready");
    expect(ready).toMatchObject({ lab: "goodput-lab", v: 1, id: "", payload: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) } });
    expect(ready.payload.height).toBeGreaterThan(300);
    expect((await heard(page, "lab-error")).map(({ payload }) => payload.message)).toEqual([
      "rate = 1001 requests/s: allowed are 0.01 to 1000 requests/s",
    ]);
    expect(complaints).toEqual([]);
  });

  test("after its greeting the named origin hears what the learner does", async ({ page, complaints, baseURL }) => {
    const lab = await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL), view: "challenge" }, greet: { theme: "dark", rate: 6 } });
    await lab.showsPublished(6);
    await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-scheme", "dark");
    await expect.poll(async () => (await heard(page, "lab-result")).at(-1)?.payload.rate_per_s).toBe(6);
    const [result] = await heard(page, "lab-result");
    expect(result.id).toBe("one");
    expect(result.text).toBe("At 6 requests/s the typical user waits 12.4 s, and no request meets the SLO.");
    await lab.action("push").click();
    await expect.poll(async () => (await heard(page, "lab-goal")).map(({ payload }) => payload.goal)).toContain("peak");
    expect(complaints).toEqual([]);
  });

  test("a guess is told with its score", async ({ page, complaints, baseURL }) => {
    const lab = await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL), view: "predict" }, greet: {} });
    const guess = page.frameLocator("iframe").locator("[data-guess]");
    await guess.locator("input[name=late][value=yes]").check();
    await guess.locator("button[type=submit]").click();
    await expect(lab.root.locator("[data-cover]")).toBeHidden();
    await expect.poll(async () => (await heard(page, "lab-predict"))[0]?.payload.late).toBe(true);
    await expect.poll(async () => (await heard(page, "lab-complete"))[0]?.payload).toEqual({ score: 1, max: 3 });
    expect(complaints).toEqual([]);
  });

  test("set changes the run, refuses in words, and always answers", async ({ page, complaints, baseURL }) => {
    const lab = await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL) }, greet: {} });
    const results = async () => (await heard(page, "lab-result")).length;
    await expect.poll(results).toBe(1);
    await post(page, message("set", { rate: 6, scenario: { max_batch: 32 }, theory: true }));
    await expect.poll(results).toBe(2);
    await lab.shows(await lab.run({ rate: 6, max_batch: 32 }));
    await expect(lab.root.locator("[data-toggle=theory]")).toHaveAttribute("aria-pressed", "true");
    await post(page, message("set", { rate: 6 }));
    await expect.poll(results).toBe(3);
    await post(page, message("set", { rate: "quick", view: "lesson" }));
    await expect.poll(results).toBe(4);
    await expect.poll(async () => (await heard(page, "lab-error")).at(-1)?.payload.message).toBe("view: it can be given in the address only");
    await expect(lab.root.locator("[data-refusals]")).toContainText("(1 more of the kind.)");
    await post(page, message("set", { action: "pin" }));
    await expect(lab.root.locator("[data-pins] > li")).toHaveCount(1);
    await post(page, message("set", { routing: "random", replicas: 4 }));
    const routed = async () => (await heard(page, "lab-result")).at(-1)?.payload.scenario;
    await expect.poll(routed).toMatchObject({ routing: "random", replicas: 4, rate: 6 });
    await post(page, message("set", { action: "reset" }));
    await lab.showsPublished(5);
    await expect.poll(routed).toMatchObject({ routing: "round-robin", replicas: 1, rate: 5 });
    expect(complaints).toEqual([]);
  });

  test("whoever is not the named origin is neither heard nor told", async ({ page, complaints, baseURL }) => {
    const lab = await hosted(page, baseURL, { query: { "parent-origin": "https://school.example" }, greet: { rate: 6 } });
    await post(page, message("set", { rate: 6 }));
    // Nor a window that is not the parent.
    await lab.root.evaluate(() => postMessage({ lab: "goodput-lab", v: 1, id: "", type: "init", payload: { rate: 6 } }, "*"));
    await lab.stop(4).click();
    await lab.showsPublished(4);
    for (const type of TYPES) expect(await heard(page, type), type).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("never more than twenty messages in a second, and the last height arrives", async ({ page, complaints, baseURL }) => {
    const lab = await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL) }, greet: {} });
    await expect.poll(() => heard(page, "lab-result")).not.toEqual([]);
    await page.evaluate(
      (make) => {
        const frame = document.querySelector("iframe");
        let step = 0;
        const timer = setInterval(() => {
          frames[0].postMessage({ ...make, payload: { rate: 4 + (step % 20) / 10 } }, "*");
          frame.width = 320 + (step % 40) * 20;
          if (++step === 300) clearInterval(timer), (window.over = true);
        }, 10);
      },
      message("set", {}),
    );
    await page.waitForFunction(() => window.over);
    await page.waitForTimeout(1500);
    const times = await page.evaluate(() => heard.map(({ at }) => at));
    // When they arrive is not quite when they were sent: a busy host hears some late and the next in time. (The exact rule
    // is a law in web/src/wire.rs.)
    for (let i = 20; i < times.length; i += 1) expect(times[i] - times[i - 20]).toBeGreaterThan(500);
    expect(times.length).toBeLessThanOrEqual(20 * (1 + (times.at(-1) - times[0]) / 1000));
    const height = await lab.root.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    expect((await heard(page, "lab-height")).at(-1).payload.height).toBe(height);
    expect(complaints).toEqual([]);
  });

  test("a host that gives the frame the height it hears is not asked for more", async ({ page, complaints, baseURL }) => {
    await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL) }, attributes: `width="700" height="150"` });
    await page.evaluate(() => {
      addEventListener("message", ({ data }) => {
        if (data.type === "lab-height" || data.type === "lab-ready") document.querySelector("iframe").height = data.payload.height;
      });
    });
    await page.setViewportSize({ width: 640, height: 700 });
    await page.locator("iframe").evaluate((frame) => (frame.width = 500));
    await page.waitForTimeout(1500);
    const heights = (await heard(page, "lab-height")).map(({ payload }) => payload.height);
    expect(heights.length).toBeLessThan(6);
    const { inner, content } = await page.frameLocator("iframe").locator("body").evaluate((body) => ({
      inner: innerHeight,
      content: Math.ceil(body.getBoundingClientRect().height),
    }));
    expect(inner).toBe(content);
    expect(complaints).toEqual([]);
  });

  test("ten thousand hostile messages and addresses do no harm", async ({ page, complaints, baseURL }) => {
    test.setTimeout(120_000);
    const lab = await hosted(page, baseURL, { query: { "parent-origin": hostOf(baseURL) }, greet: {} });
    await page.evaluate(() => {
      const pick = (list) => list[Math.floor(Math.random() * list.length)];
      const NAMES = ["rate", "seed", "pin", "theory", "routing", "replicas", "lock", "hide", "accent", "theme", "action", "scenario", "__proto__", "constructor", "view", "", "seeds"];
      const VALUES = [null, 0, -1, 1e308, NaN, "", "5", "<img src=x onerror=alert(1)>", "javascript:alert(1)", [], [[]], {}, { rate: {} }, true, "all", "rate:4", "x".repeat(10_000), "\u202e\u0000"];
      const payload = () => Object.fromEntries(Array.from({ length: 4 }, () => [pick(NAMES), pick(VALUES)]));
      for (let i = 0; i < 10_000; i += 1) {
        const whole = { lab: "goodput-lab", v: 1, id: pick(VALUES), type: pick(["init", "set", "lab-result", 7]), payload: pick([payload(), pick(VALUES)]) };
        frames[0].postMessage(pick([whole, whole, whole, { ...whole, lab: "x" }, { ...whole, v: "1" }, pick(VALUES)]), "*");
      }
    });
    // Unlocked first: a reset leaves alone what is locked.
    await post(page, message("set", { lock: "", hide: "", theory: "off", seeds: 1 }));
    await post(page, message("set", { action: "reset" }));
    await lab.stop(6).click();
    await expect(lab.figure("ttft_s.p99").first()).toHaveText("30.0 s");
    expect(await lab.root.evaluate(() => document.querySelectorAll("img[src=x], script:not([src])").length)).toBe(0);
    expect(complaints).toEqual([]);
  });
});

test("forty hostile addresses each open a lab, with a sentence where one is due", async ({ page, complaints }) => {
  test.setTimeout(120_000);
  const names = ["rate", "seed", "routing", "pin", "lock", "hide", "view", "accent", "lang", "rates", "parent-origin", "horizon", "__proto__", "%00", "rate[]"];
  const values = ["", "-1", "1e400", "%3Cscript%3Ealert(1)%3C/script%3E", "javascript:alert(1)", "%", "%FF%FE", "%F0%9F%98%80".repeat(50), "rate:4;;", "'\"><img src=x onerror=alert(1)>"];
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  for (let i = 0; i < 40; i += 1) {
    const query = [0, 3, 7].map((step) => `${names[(i + step) % names.length]}=${values[(i * 3 + step) % values.length]}`).join("&");
    await page.goto(`/embed.html?${query}`);
    const lab = new Lab(page);
    await lab.runs();
    await expect(lab.root.locator("[data-refusals]"), query).toBeVisible();
    await expect(lab.figure("throughput_tokens_per_s").first()).not.toBeEmpty();
    expect(await page.locator("img[src=x], script:not([src])").count()).toBe(0);
  }
  expect(complaints).toEqual([]);
});

test("four labs on a page go their own ways, and one that stops leaves the others running", async ({ page, baseURL }) => {
  await page.goto(`${hostOf(baseURL)}/host/`);
  await page.evaluate((base) => {
    window.errors = [];
    addEventListener("message", ({ data }) => data.type === "lab-error" && errors.push(data.payload.message));
    for (const rate of [4, 5, 6, 12]) {
      document.body.insertAdjacentHTML("beforeend", `<iframe title="lab ${rate}" width="600" height="400" src="${base}embed.html?rate=${rate}"></iframe>`);
    }
  }, baseURL);
  const labs = [0, 1, 2, 3].map((index) => new Lab(page.frameLocator("iframe").nth(index)));
  for (const lab of labs) await lab.runs();
  await labs[0].showsPublished(4);
  await labs[2].showsPublished(6);
  await labs[1].root.evaluate(() => {
    dispatchEvent(new ErrorEvent("error", { error: new WebAssembly.RuntimeError("unreachable") }));
  });
  await expect(labs[1].root.locator("[data-failure=stop]")).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.errors)).toEqual([expect.stringMatching(/^The engine stopped because of an error/)]);
  await labs[0].stop(6).click();
  await labs[0].showsPublished(6);
});
