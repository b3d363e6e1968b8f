// <goodput-lab> in pages of other people's, over a stub of embed.html that speaks its protocol.

import { gzipSync } from "node:zlib";
import { expect, listen, test as base } from "./support/lab.js";
import { HOST, LAB, file, hostPage, serveAt, serveLab } from "./support/stub-site.js";

const test = base.extend({
  // A page of ours for each test that complains about nothing.
  host: async ({ page }, use) => {
    const complaints = [];
    await listen(page, complaints);
    const asked = await serveLab(page);
    const open = async (body, { head, headers, files } = {}) => {
      await serveAt(page, HOST, { "/": hostPage(body, head), ...files }, headers);
      await page.goto(`${HOST}/`);
    };
    await use({ page, open, asked, complaints, lab: page.locator("goodput-lab").first() });
    // A frame that is taken out while it loads gives up its load.
    const real = complaints.filter((text) => !/embed\.html.*net::ERR_ABORTED$/.test(text));
    expect(real, "complaints of the browser").toEqual([]);
  },
});
test.use({ visit: "first" });

const status = (lab) => lab.evaluate(({ status }) => status);
const ready = (lab) => expect.poll(() => status(lab)).toBe("ready");
/** The lab has answered the first message it got. */
const answered = (lab) => expect.poll(() => lab.evaluate(({ results }) => results !== null)).toBe(true);
const frames = (page) => page.frames().filter((frame) => frame.url().startsWith(LAB));
const received = (page, index = 0) => frames(page)[index].evaluate(() => window.received);
const query = (page) => new URL(frames(page)[0].url()).searchParams;
const asksForFrame = (asked) => asked.filter((path) => path.startsWith("/v1/embed.html")).length;
const height = (lab) => lab.evaluate(({ shadowRoot }) => shadowRoot.querySelector("iframe").getBoundingClientRect().height);

/** Keeps the events of the page by type, with their details. */
const keepEvents = (page) =>
  page.evaluate(() => {
    window.events = [];
    const types = "ready change result predict goal answer complete height error";
    for (const type of types.split(" ")) {
      document.addEventListener(`lab-${type}`, (event) => window.events.push([event.type, event.detail]));
    }
  });
const events = (page) => page.evaluate(() => window.events);

test("the script is at most 4,096 bytes, gzipped", () => {
  expect(gzipSync(file("web/element/goodput-lab.js"), { level: 9 }).length).toBeLessThanOrEqual(4096);
});

test("attributes become parameters of a frame with a title, which takes the height of its content", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab rate="6" seed="7" view="challenge" lock="rate,seed" pin="rate:4; rate:5,max-batch:32" accent="#8a2be2" lang="en"></goodput-lab>`);
  await ready(lab);
  const parameters = query(page);
  expect(parameters.getAll("pin")).toEqual(["rate:4", "rate:5,max-batch:32"]);
  parameters.delete("pin");
  expect(Object.fromEntries(parameters)).toEqual({
    rate: "6",
    seed: "7",
    view: "challenge",
    lock: "rate,seed",
    accent: "#8a2be2",
    lang: "en",
    theme: "light",
    "parent-origin": HOST,
  });
  expect(new URL(frames(page)[0].url()).pathname).toBe("/v1/embed.html");
  const frame = lab.locator("iframe");
  await expect(frame).toHaveAttribute("title", "Goodput Lab: LLM serving, simulated");
  await expect(frame).toHaveAttribute("allow", "clipboard-write");
  expect(await frame.evaluate(({ part }) => part.value)).toBe("frame");
  expect(await height(lab)).toBe(300);
  await lab.evaluate((lab) => lab.setAttribute("title", "Queues"));
  await expect(frame).toHaveAttribute("title", "Queues");
  await answered(lab);
  expect(asksForFrame(host.asked)).toBe(1);
});

test("the lab is told init once, by the name of the element, and answers in events, properties and words", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<p></p>`);
  await keepEvents(page);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", `<goodput-lab id="left" rate="4"></goodput-lab>`);
  });
  await answered(lab);
  expect(await received(page)).toEqual([{ lab: "goodput-lab", v: 1, id: "left", type: "init", payload: {} }]);
  const scenario = { rate: 4, seed: "lesson", max_batch: 64 };
  expect(await events(page)).toEqual([
    ["lab-ready", { version: "9.9.9", height: 300 }],
    ["lab-result", { rate_per_s: 4, scenario }],
  ]);
  expect(await lab.evaluate((lab) => [lab.version, lab.results, lab.scenario, lab.describe()])).toEqual([
    "9.9.9",
    { rate_per_s: 4, scenario },
    scenario,
    "4 requests/s, in words.",
  ]);
  for (const [type, payload] of [
    ["lab-goal", { goal: "p99", done: 1, of: 3 }],
    ["lab-answer", { question: "q", correct: true }],
    ["lab-complete", { score: 2, max: 3 }],
  ]) {
    await frames(page)[0].evaluate(([type, payload]) => window.learner.posts(type, payload), [type, payload]);
    await expect.poll(async () => (await events(page)).at(-1)).toEqual([type, payload]);
  }
});

test("far from the viewport it does nothing at all; near it the lab comes", async ({ host }) => {
  const { page, lab } = host;
  await page.addInitScript(() => {
    window.work = [];
    for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "addEventListener", "fetch"]) {
      const before = window[name];
      window[name] = (...args) => {
        if (new Error().stack.includes("goodput-lab.js")) window.work.push(name);
        return before.apply(window, args);
      };
    }
  });
  await host.open(`<div class="far"></div><goodput-lab rate="5">the fallback</goodput-lab>`, {
    head: `<link rel="stylesheet" href="/far.css">`,
    files: { "/far.css": ".far { height: 3000px }" },
  });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(await status(lab)).toBe("waiting");
  expect(await page.evaluate(() => window.work)).toEqual([]);
  expect(host.asked).toEqual(["/v1/goodput-lab.js"]);
  expect(await lab.evaluate(({ shadowRoot }) => shadowRoot.querySelector("iframe"))).toBeNull();

  // 3000 px down in a window of 720: within 600 px of its lower edge after 1700 px, and not before.
  await page.evaluate(() => scrollTo(0, 1600));
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(await status(lab)).toBe("waiting");
  await page.evaluate(() => scrollTo(0, 1750));
  await ready(lab);
  // The count of work sees what there is to see.
  expect(await page.evaluate(() => window.work)).toEqual(["addEventListener", "setTimeout"]);
});

test("a hidden lab comes when it is shown", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<details><summary>More</summary><goodput-lab>fallback</goodput-lab></details>`);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(await status(lab)).toBe("waiting");
  await page.locator("summary").click();
  await ready(lab);
  expect(await height(lab)).toBe(300);
});

test("children stand there until the lab runs", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab src="${LAB}/v1/embed.html?stub=silent"><p id="still">A picture.</p></goodput-lab>`);
  await expect.poll(() => frames(page).length).toBe(1);
  await expect(page.locator("#still")).toBeVisible();
  await expect(lab.locator("iframe")).toBeHidden();
  await frames(page)[0].evaluate(() => window.learner.posts("lab-ready", { version: "9.9.9", height: 222 }));
  await ready(lab);
  await expect(page.locator("#still")).toBeHidden();
  await expect(lab.locator("iframe")).toBeVisible();
});

test("where the frame fails the children stay, the page is told, and who waits is told", async ({ page }) => {
  await serveLab(page);
  await page.clock.install({ time: 0 });
  await serveAt(page, HOST, { "/": hostPage(`<goodput-lab src="${LAB}/v1/nothing.html"><p id="still">A picture.</p></goodput-lab>`) });
  await page.goto(`${HOST}/`);
  await keepEvents(page);
  const lab = page.locator("goodput-lab");
  await expect.poll(() => status(lab)).toBe("loading");
  const refused = lab.evaluate((lab) => lab.run({ rate: 6 }).catch(({ message }) => message));
  await page.clock.runFor(29_000);
  expect(await status(lab)).toBe("loading");
  await page.clock.runFor(2_000);
  expect(await refused).toBe("The lab did not start.");
  expect(await status(lab)).toBe("failed");
  await expect(page.locator("#still")).toBeVisible();
  expect(await events(page)).toEqual([["lab-error", { message: "The lab did not start." }]]);
});

test("an address that is no web page is not loaded", async ({ host }) => {
  await host.open(`<goodput-lab src="javascript:alert(1)">fallback</goodput-lab>`);
  await expect.poll(() => status(host.lab)).toBe("failed");
  await expect(host.lab.locator("iframe")).not.toHaveAttribute("src");
});

test("attributes drive a running lab, many of them in one message", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab rate="5"></goodput-lab>`);
  await answered(lab);
  await lab.evaluate((lab) => {
    lab.setAttribute("rate", "4");
    lab.setAttribute("rate", "6");
    lab.setAttribute("max-batch", "32");
  });
  await expect.poll(() => lab.evaluate(({ results }) => results.scenario)).toEqual({ rate: 6, seed: "lesson", max_batch: 32 });
  expect((await received(page)).slice(1).map(({ type, payload }) => [type, payload])).toEqual([
    ["set", { rate: "6", "max-batch": "32" }],
  ]);
  expect(asksForFrame(host.asked)).toBe(1);

  // The same value again: the learner may have moved the lab in between.
  await frames(page)[0].evaluate(() => window.learner.moves(7));
  await expect.poll(() => lab.evaluate(({ scenario }) => scenario.rate)).toBe(7);
  await lab.evaluate((lab) => lab.setAttribute("rate", "6"));
  await expect.poll(() => lab.evaluate(({ results }) => results.rate_per_s)).toBe(6);
});

test("an attribute that a running lab cannot take, or that goes away, starts it anew without a step in the history", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab rate="6" max-batch="32"></goodput-lab>`);
  await answered(lab);
  const steps = await page.evaluate(() => history.length);
  await lab.evaluate((lab) => {
    lab.setAttribute("view", "challenge");
    lab.setAttribute("lang", "en");
    lab.removeAttribute("rate");
  });
  await expect.poll(() => lab.evaluate(({ results }) => results.rate_per_s)).toBe(5);
  expect(asksForFrame(host.asked)).toBe(2);
  expect(Object.fromEntries(query(page))).toMatchObject({ view: "challenge", lang: "en", "max-batch": "32" });
  expect(query(page).has("rate")).toBe(false);
  expect(await page.evaluate(() => history.length)).toBe(steps);
  expect(await lab.evaluate(({ shadowRoot }) => shadowRoot.querySelectorAll("iframe").length)).toBe(1);
});

test("run, reset and pin", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab rate="5"></goodput-lab>`);
  await answered(lab);
  // Also two at once, the first of which changes nothing and is answered at once.
  const rates = await lab.evaluate(async (lab) => {
    const all = await Promise.all([lab.run({ rate: 5 }), lab.run({ rate: 6, max_batch: 32 }), lab.run()]);
    return all.map(({ rate_per_s, scenario }) => [rate_per_s, scenario.max_batch]);
  });
  expect(rates).toEqual([[5, 64], [6, 32], [6, 32]]);
  expect(await lab.evaluate((lab) => lab.describe())).toBe("6 requests/s, in words.");
  const [refused, after] = await lab.evaluate((lab) => Promise.allSettled([lab.run({ rate: -1 }), lab.run({ rate: 4 })])
    .then(([first, second]) => [first.reason?.message, second.value?.rate_per_s]));
  expect([refused, after]).toEqual(["rate = -1 is not allowed", 4]);
  await lab.evaluate((lab) => {
    lab.pin();
    lab.reset();
  });
  await expect.poll(() => lab.evaluate(({ scenario }) => scenario)).toEqual({ rate: 5, seed: "lesson", max_batch: 64 });
  expect((await received(page)).slice(-2).map(({ payload }) => payload)).toEqual([{ action: "pin" }, { action: "reset" }]);
});

test("a run asked for as soon as the lab is ready is not answered by an older one", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<p></p>`);
  const rate = await page.evaluate(
    () =>
      new Promise((done) => {
        document.addEventListener("lab-ready", ({ target }) => target.run({ rate: 6 }).then((summary) => done(summary.rate_per_s)));
        document.body.insertAdjacentHTML("beforeend", `<goodput-lab rate="4"></goodput-lab>`);
      }),
  );
  expect(rate).toBe(6);
  await ready(lab);
});

test("a run that is never answered is given up", async ({ host }) => {
  const { page, lab } = host;
  await page.clock.install({ time: 0 });
  await host.open(`<goodput-lab src="${LAB}/v1/embed.html?stub=deaf"></goodput-lab>`);
  await ready(lab);
  const run = lab.evaluate((lab) => lab.run({ rate: 6 }).catch(({ message }) => message));
  await lab.evaluate(() => Promise.resolve());
  await page.clock.runFor(61_000);
  expect(await run).toBe("The lab did not answer.");
});

test("run brings a lab that is far away", async ({ host }) => {
  await host.open(`<div class="far"></div><goodput-lab></goodput-lab>`, {
    head: `<link rel="stylesheet" href="/far.css">`,
    files: { "/far.css": ".far { height: 5000px }" },
  });
  expect(await host.lab.evaluate(async (lab) => (await lab.run({ rate: 6 })).rate_per_s)).toBe(6);
  expect(await host.page.evaluate(() => scrollY)).toBe(0);
  expect(await host.page.evaluate(() => document.createElement("goodput-lab").run().catch(({ message }) => message))).toBe("The lab is in no page.");
});

test("a scenario that was set before the element was defined counts", async ({ host }) => {
  const { lab } = host;
  await host.open(`<goodput-lab rate="4"></goodput-lab>`, {
    head: `<script src="/early.js" defer></script>`,
    files: { "/early.js": `document.querySelector("goodput-lab").scenario = { rate: 6, max_batch: 32 };` },
  });
  await answered(lab);
  expect(await lab.evaluate((lab) => [lab.results.scenario, lab.scenario, Object.hasOwn(lab, "scenario")])).toEqual([
    { rate: 6, seed: "lesson", max_batch: 32 },
    { rate: 6, seed: "lesson", max_batch: 32 },
    false,
  ]);
});

test("what the learner moved outlives a move, and a removal from the page", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab rate="4"></goodput-lab><section></section>`);
  await answered(lab);
  await frames(page)[0].evaluate(() => window.learner.moves(6));
  await expect.poll(() => lab.evaluate(({ results }) => results.rate_per_s)).toBe(6);
  await keepEvents(page);
  await lab.evaluate((lab) => document.querySelector("section").append(lab));
  await expect.poll(async () => (await events(page)).at(-1)).toEqual(["lab-result", { rate_per_s: 6, scenario: { rate: 6, seed: "lesson", max_batch: 64 } }]);
  expect(frames(page)).toHaveLength(1);

  const rejected = await page.evaluate(() => {
    window.lab = document.querySelector("goodput-lab");
    const run = window.lab.run({ rate: 7 }).catch(({ message }) => message);
    return Promise.resolve().then(() => {
      window.lab.remove();
      return run;
    });
  });
  expect(rejected).toBe("The lab was taken out of the page.");
  expect(await page.evaluate(() => [window.lab.status, window.lab.shadowRoot.querySelector("iframe")])).toEqual(["waiting", null]);
  await page.evaluate(() => document.body.append(window.lab));
  await expect.poll(() => lab.evaluate(({ results }) => results.rate_per_s)).toBe(7);
  // Back to the author's own.
  await lab.evaluate((lab) => lab.reset());
  await expect.poll(() => lab.evaluate(({ results }) => results.rate_per_s)).toBe(4);
});

test("moveBefore keeps the very frame", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab></goodput-lab><section></section>`);
  test.skip(!(await page.evaluate(() => "moveBefore" in Element.prototype)), "this browser has no moveBefore");
  await answered(lab);
  await lab.evaluate((lab) => document.querySelector("section").moveBefore(lab, null));
  expect(await lab.evaluate(async (lab) => (await lab.run({ rate: 6 })).rate_per_s)).toBe(6);
  expect(asksForFrame(host.asked)).toBe(1);
});

test("connected and disconnected 50 times, it leaves nothing behind", async ({ host }) => {
  const { page, lab } = host;
  await page.addInitScript(() => {
    window.alive = { timers: new Set(), observed: 0 };
    const { alive } = window;
    const [set, clear] = [setTimeout, clearTimeout];
    window.setTimeout = (...args) => {
      const timer = set(...args);
      if (new Error().stack.includes("goodput-lab.js")) alive.timers.add(timer);
      return timer;
    };
    window.clearTimeout = (timer) => (alive.timers.delete(timer), clear(timer));
    const { observe, disconnect } = IntersectionObserver.prototype;
    const observing = new Set();
    IntersectionObserver.prototype.observe = function (element) {
      observing.add(this);
      alive.observed = observing.size;
      observe.call(this, element);
    };
    IntersectionObserver.prototype.disconnect = function () {
      observing.delete(this);
      alive.observed = observing.size;
      disconnect.call(this);
    };
  });
  await host.open(`<goodput-lab></goodput-lab>`);
  await answered(lab);
  const counts = () => page.evaluate(() => [window.alive.timers.size, window.alive.observed]);
  expect(await counts()).toEqual([0, 0]);
  const listening = async () => {
    const client = await page.context().newCDPSession(page);
    const { result } = await client.send("Runtime.evaluate", { expression: "window" });
    const { listeners } = await client.send("DOMDebugger.getEventListeners", { objectId: result.objectId });
    await client.detach();
    return listeners.filter(({ type }) => type === "message").length;
  };
  expect(await listening()).toBe(1);

  await page.evaluate(() => (window.lab = document.querySelector("goodput-lab")));
  for (let time = 0; time < 50; time += 1) {
    await page.evaluate(async (loads) => {
      window.lab.remove();
      document.body.append(window.lab);
      // Every fifth time for long enough to load.
      if (loads) await new Promise((done) => window.lab.addEventListener("lab-ready", done, { once: true }));
    }, time % 5 === 0);
  }
  await page.evaluate(() => window.lab.remove());
  expect(await listening()).toBe(0);
  expect(await counts()).toEqual([0, 0]);
  expect(frames(page)).toHaveLength(0);
  expect(await page.evaluate(() => [window.lab.shadowRoot.childNodes.length, window.lab.status])).toEqual([1, "waiting"]);
  await page.evaluate(() => document.body.append(window.lab));
  await ready(lab);
  expect(await listening()).toBe(1);
});

test("a script that is loaded twice defines it once", async ({ host }) => {
  await host.open(`<goodput-lab></goodput-lab>`, { head: `<script src="${LAB}/v1/goodput-lab.js?again" defer></script>` });
  await answered(host.lab);
  expect(host.asked.filter((path) => path.includes("goodput-lab.js"))).toHaveLength(2);
  expect(frames(host.page)).toHaveLength(1);
});

test("four labs on a page keep to themselves", async ({ host }) => {
  const { page } = host;
  await host.open([3, 4, 5, 6].map((rate) => `<goodput-lab rate="${rate}" id="lab-${rate}"></goodput-lab>`).join(""));
  const rates = () => page.locator("goodput-lab").evaluateAll((labs) => labs.map(({ results }) => results?.rate_per_s));
  await expect.poll(rates).toEqual([3, 4, 5, 6]);
  await page.locator("#lab-4").evaluate((lab) => lab.run({ rate: 8 }));
  expect(await rates()).toEqual([3, 8, 5, 6]);
});

test("a host with a strict policy is not broken", async ({ host }) => {
  const csp = `default-src 'none'; script-src ${LAB}; style-src 'self'; frame-src ${LAB}; img-src data:`;
  await host.open(`<goodput-lab rate="6" theme="dark"><p>fallback</p></goodput-lab>`, { headers: { "Content-Security-Policy": csp } });
  await answered(host.lab);
  expect(await height(host.lab)).toBe(300);
  await expect(host.lab.locator("iframe")).toHaveCSS("border-top-width", "0px");
  await expect(host.lab.locator("iframe")).toHaveCSS("color-scheme", "dark");
});

test("a script with an integrity attribute runs", async ({ host }) => {
  const digest = await crypto.subtle.digest("SHA-384", new TextEncoder().encode(file("web/element/goodput-lab.js")));
  const integrity = `sha384-${Buffer.from(digest).toString("base64")}`;
  await host.page.route(`${LAB}/v1/signed.js`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: file("web/element/goodput-lab.js"), headers: { "Access-Control-Allow-Origin": "*" } }),
  );
  await serveAt(host.page, HOST, {
    "/": `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><goodput-lab></goodput-lab>
      <script src="${LAB}/v1/signed.js" integrity="${integrity}" crossorigin="anonymous"></script>`,
  });
  await host.page.goto(`${HOST}/`);
  await answered(host.lab);
});

test("messages of others, of wrong origins and of wrong shapes are ignored", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab></goodput-lab><iframe title="another" src="/other.html"></iframe>
    <iframe title="a lab of the same origin" src="${LAB}/v1/embed.html?stub=silent"></iframe>`, {
    files: { "/other.html": `<!doctype html><title>Other</title>` },
  });
  await answered(lab);
  await keepEvents(page);
  await page.evaluate(() => {
    for (const type of ["lab-unknown", "click", "null"]) document.addEventListener(type, () => window.events.push([type]));
  });
  const own = frames(page).find((frame) => !frame.url().includes("stub=silent"));
  const complete = { lab: "goodput-lab", v: 1, id: "", type: "lab-complete", payload: { score: 9, max: 9 } };
  // The page itself, and frames beside.
  await page.evaluate((message) => postMessage(message, "*"), complete);
  await page.frame({ url: `${HOST}/other.html` }).evaluate((message) => parent.postMessage(message, "*"), complete);
  await page.frame({ url: /stub=silent/ }).evaluate((message) => parent.postMessage(message, "*"), complete);
  // The lab's own frame, but not in the shape agreed.
  await own.evaluate((complete) => {
    const wrong = [
      { ...complete, lab: "other" },
      { ...complete, v: 2 },
      { ...complete, type: "lab-unknown" },
      { ...complete, type: "click" },
      { ...complete, type: "lab-completed" },
      { ...complete, type: null },
      { ...complete, payload: null },
      { ...complete, payload: "text" },
      "goodput-lab",
      null,
      42,
      [complete],
      JSON.stringify(complete),
    ];
    for (const message of wrong) parent.postMessage(message, "*");
    for (const height of [NaN, -5, 0, "tall", null, {}, undefined]) {
      parent.postMessage({ ...complete, type: "lab-height", payload: { height } }, "*");
    }
  }, complete);
  // Messages come in order, so after this one all others have come.
  await own.evaluate(() => window.learner.posts("lab-goal", { goal: "last", done: 1, of: 1 }));
  await expect.poll(async () => (await events(page)).at(-1)[0]).toBe("lab-goal");
  expect((await events(page)).map(([type]) => type).filter((type) => type !== "lab-height")).toEqual(["lab-goal"]);
  expect(await height(lab)).toBe(300);

  // The lab's own frame from another origin: it was led elsewhere.
  await serveAt(page, "https://evil.test", { "/": `<!doctype html><title>Evil</title>` });
  await own.evaluate(() => location.replace("https://evil.test/"));
  await expect.poll(() => page.frames().some((frame) => frame.url() === "https://evil.test/")).toBe(true);
  const evil = page.frames().find((frame) => frame.url() === "https://evil.test/");
  await evil.evaluate((message) => parent.postMessage(message, "*"), complete);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
  expect((await events(page)).filter(([type]) => type === "lab-complete")).toEqual([]);
});

test("the height follows the content within reason, and a content that grows with its frame does not run away", async ({ host }) => {
  const { page, lab } = host;
  await host.open(`<goodput-lab></goodput-lab><goodput-lab src="${LAB}/v1/embed.html?stub=grow"></goodput-lab>`);
  await answered(lab);
  const steady = frames(page).find((frame) => !frame.url().includes("stub=grow"));
  const says = (height) => steady.evaluate((height) => window.learner.posts("lab-height", { height }), height);
  for (const [said, is] of [[512, 512], [480.2, 481], [3, 80], [1e9, 20_000], [640, 640]]) {
    await says(said);
    await expect.poll(() => height(lab)).toBe(is);
  }
  const grown = () => height(page.locator("goodput-lab").nth(1));
  let before = 0;
  // On a busy machine it takes more than the usual five seconds until the growth is stopped.
  await expect.poll(async () => before === (before = await grown()), { timeout: 15_000 }).toBe(true);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
  expect(await grown()).toBe(before);
  expect(before).toBeLessThanOrEqual(600);
});

/** Themes that a running lab was sent. */
const themes = async (page) => (await received(page)).flatMap(({ payload }) => payload.theme ?? []);

test("the author's theme comes before all others and changes live", async ({ host }) => {
  const { page, lab } = host;
  await page.emulateMedia({ colorScheme: "dark" });
  await host.open(`<goodput-lab theme="light"></goodput-lab>`);
  await answered(lab);
  expect(query(page).get("theme")).toBe("light");
  await lab.evaluate((lab) => lab.setAttribute("theme", "dark"));
  await expect.poll(() => themes(page)).toEqual(["dark"]);
  await expect(lab.locator("iframe")).toHaveCSS("color-scheme", "dark");
  expect(asksForFrame(host.asked)).toBe(1);
  await lab.evaluate((lab) => lab.setAttribute("theme", "auto"));
  // The page says nothing of a dark scheme, so it is a light one.
  await expect.poll(() => themes(page)).toEqual(["dark", "light"]);
});

test("without a theme of its own it follows the colour scheme of the host, whatever the system's is", async ({ host }) => {
  const { page, lab } = host;
  await page.emulateMedia({ colorScheme: "light" });
  await host.open(`<goodput-lab></goodput-lab>`, {
    head: `<link rel="stylesheet" href="/host.css">`,
    files: { "/host.css": ":root { color-scheme: dark } :root[data-theme=light] { color-scheme: light } :root[data-theme=auto] { color-scheme: light dark }" },
  });
  await answered(lab);
  expect(query(page).get("theme")).toBe("dark");
  const hostIs = (theme) => page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
  await hostIs("light");
  await expect.poll(() => themes(page)).toEqual(["light"]);
  await hostIs("auto");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => themes(page)).toEqual(["light", "dark"]);
});

test("it loads from nowhere else, keeps nothing and takes neither focus nor scroll", async ({ host }) => {
  const { page, lab } = host;
  const urls = [];
  page.on("request", (request) => urls.push(new URL(request.url()).origin));
  await host.open(`<goodput-lab rate="5"></goodput-lab>`);
  await answered(lab);
  expect([...new Set(urls.filter((origin) => origin !== "null"))].sort()).toEqual([HOST, LAB]);
  expect(await page.evaluate(() => [document.activeElement.localName, scrollY, document.cookie, localStorage.length])).toEqual(["body", 0, "", 0]);
});
