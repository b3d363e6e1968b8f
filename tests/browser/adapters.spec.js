// The optional adapters, in front of course systems that the test plays itself.

import { expect, listen, test as base } from "./support/lab.js";
import { JSINPUT, SCORM } from "./support/stub-lms.js";
import { file, labFiles, serveAt } from "./support/stub-site.js";

const COURSE = "https://course.test";
const LMS = "https://lms.test";
const WARNING = "scores made in the learner's browser can be forged";

const adapters = () =>
  Object.fromEntries(
    ["xapi.js", "scorm12.js", "sco.html", "openedx.js", "openedx.html", "page.css"].map((name) => [`/adapters/${name}`, file(`web/adapters/${name}`)]),
  );
const lmsPage = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>LMS</title><link rel="icon" href="data:,">${body}`;

const test = base.extend({
  course: async ({ page }, use) => {
    const complaints = [];
    await listen(page, complaints);
    const open = async (origin, files, path) => {
      await serveAt(page, origin, { ...labFiles(), ...adapters(), ...files });
      await page.goto(`${origin}${path}`);
    };
    const lab = () => page.frames().find((frame) => frame.url().includes("/embed.html"));
    const settled = () => expect.poll(() => lab()?.evaluate(() => window.received?.length)).toBeGreaterThan(0);
    const learns = (type, payload) => lab().evaluate(([type, payload]) => window.learner.posts(type, payload), [type, payload]);
    const moves = (rate) => lab().evaluate((rate) => window.learner.moves(rate), rate);
    await use({ page, open, lab, settled, learns, moves });
    expect(complaints, "complaints of the browser").toEqual([]);
  },
});

for (const name of ["xapi.js", "scorm12.js", "sco.html", "imsmanifest.xml", "openedx.js", "openedx.html"]) {
  test(`${name} begins with the warning that scores can be forged`, () => {
    expect(file(`web/adapters/${name}`).split("\n").slice(0, 2).join(" ")).toContain(WARNING);
  });
}

test("the manifest names files that exist, and the page to open", async ({ page }) => {
  const { hrefs, launch } = await page.evaluate((text) => {
    const manifest = new DOMParser().parseFromString(text, "text/xml");
    const hrefs = [...manifest.querySelectorAll("file")].map((node) => node.getAttribute("href"));
    const resource = manifest.querySelector("resource");
    const item = manifest.querySelector("item");
    const organization = manifest.querySelector("organization");
    return {
      hrefs,
      launch: [
        resource.getAttribute("href"),
        item.getAttribute("identifierref") === resource.getAttribute("identifier"),
        manifest.querySelector("organizations").getAttribute("default") === organization.getAttribute("identifier"),
        resource.getAttribute("adlcp:scormtype"),
      ],
    };
  }, file("web/adapters/imsmanifest.xml"));
  expect(launch).toEqual(["adapters/sco.html", true, true, "sco"]);
  const sources = hrefs.filter((href) => href.startsWith("adapters/"));
  expect(sources).toContain(launch[0]);
  for (const href of sources) expect(file(`web/${href}`).length).toBeGreaterThan(100);
});

/** An LMS of SCORM 1.2 with the package in a frame in a frame. */
async function scorm(course, stored) {
  const files = {
    "/lms.html": lmsPage(`<script src="/api.js"></script><iframe title="outer" src="/outer.html"></iframe>`),
    "/api.js": SCORM(stored),
    "/outer.html": lmsPage(`<iframe title="sco" src="/adapters/sco.html"></iframe>`),
  };
  await course.open(COURSE, files, "/lms.html");
  await course.settled();
}
const cmi = (page) => page.evaluate(() => window.cmi);
const calls = (page) => page.evaluate(() => window.calls.map(([name]) => name));
const said = (course) =>
  course.page
    .frames()
    .find((frame) => frame.url().endsWith("/sco.html"))
    .evaluate(() => [...document.querySelectorAll("[data-scorm]")].filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.scorm));

test("SCORM 1.2: a first visit is begun, scored, and finished once", async ({ course }) => {
  const { page } = course;
  await scorm(course);
  expect(await calls(page)).toEqual(["LMSInitialize", "LMSCommit"]);
  expect(await cmi(page)).toEqual({ "cmi.core.lesson_status": "incomplete" });
  expect(await said(course)).toEqual(["connected"]);

  await course.moves(6);
  await course.learns("lab-complete", { score: 2, max: 3 });
  await expect.poll(() => cmi(page)).toMatchObject({
    "cmi.core.lesson_status": "completed",
    "cmi.core.score.raw": "67",
    "cmi.core.score.min": "0",
    "cmi.core.score.max": "100",
  });
  expect(await said(course)).toEqual(["reported"]);
  // A worse second attempt takes nothing away, a better one counts.
  await course.learns("lab-complete", { score: 1, max: 3 });
  await expect.poll(async () => (await calls(page)).length).toBe(4);
  expect((await cmi(page))["cmi.core.score.raw"]).toBe("67");
  await course.learns("lab-complete", { score: 3, max: 3 });
  await expect.poll(async () => (await cmi(page))["cmi.core.score.raw"]).toBe("100");

  await page.evaluate(() => document.querySelector("iframe").remove());
  expect((await calls(page)).slice(-2)).toEqual(["LMSCommit", "LMSFinish"]);
  expect((await calls(page)).filter((name) => name === "LMSFinish")).toHaveLength(1);
  const last = await cmi(page);
  expect(JSON.parse(last["cmi.suspend_data"])).toMatchObject({ rate: 6 });
  expect(last["cmi.core.session_time"]).toMatch(/^\d{4}:[0-5]\d:[0-5]\d\.\d\d$/);
  expect(last["cmi.core.exit"]).toBe("");
});

test("SCORM 1.2: a later visit goes on where the last one ended, and keeps what was reached", async ({ course }) => {
  const { page } = course;
  await scorm(course, {
    "cmi.suspend_data": `{"rate":6,"max_batch":32}`,
    "cmi.core.lesson_status": "passed",
    "cmi.core.score.raw": "90",
  });
  await expect.poll(() => course.lab().evaluate(() => window.received.at(-1).payload)).toMatchObject({ rate: 6, "max-batch": 32 });
  await course.learns("lab-complete", { score: 1, max: 2 });
  await expect.poll(() => said(course)).toEqual(["reported"]);
  expect((await cmi(page))["cmi.core.score.raw"]).toBe("90");
});

test("SCORM 1.2: an unfinished visit is suspended", async ({ course }) => {
  await scorm(course);
  await course.page.evaluate(() => document.querySelector("iframe").remove());
  expect(await cmi(course.page)).toMatchObject({ "cmi.core.lesson_status": "incomplete", "cmi.core.exit": "suspend" });
});

test("SCORM 1.2: without a course system the lab works and the page says so", async ({ course }) => {
  await course.open(COURSE, {}, "/adapters/sco.html");
  await course.settled();
  await expect(course.page.getByText("nothing is reported")).toBeVisible();
  await course.learns("lab-complete", { score: 1, max: 1 });
  await expect(course.page.getByText("nothing is reported")).toBeVisible();
});

/** An LMS of another origin, with JSInput around the page in `html`. */
async function jsinput(course, html = "openedx.html") {
  await serveAt(course.page, COURSE, { ...labFiles(), ...adapters() });
  const files = { "/": lmsPage(`<iframe title="jsinput" src="${COURSE}/adapters/${html}"></iframe><script src="/jsinput.js"></script>`), "/jsinput.js": JSINPUT };
  await course.open(LMS, files, "/");
  await course.settled();
}
const ask = (page, ...args) => page.evaluate((args) => window.ask(...args), args);

test("Open edX: grade and state over messages", async ({ course }) => {
  const { page } = course;
  await jsinput(course);
  expect(JSON.parse(await ask(page, "getGrade"))).toEqual({ score: 0, max: 0 });
  await course.moves(6);
  await course.learns("lab-complete", { score: 2, max: 3 });
  await expect.poll(async () => JSON.parse(await ask(page, "getGrade"))).toEqual({ score: 2, max: 3 });
  const state = await ask(page, "getState");
  await expect.poll(async () => JSON.parse(await ask(page, "getState")).scenario.rate).toBe(6);
  expect(JSON.parse(state).grade).toEqual({ score: 2, max: 3 });

  // A new visit: asked at once, before the lab has come.
  await page.reload();
  await ask(page, "setState", JSON.stringify({ grade: { score: 2, max: 3 }, scenario: { rate: 7 } }));
  expect(JSON.parse(await ask(page, "getGrade"))).toEqual({ score: 2, max: 3 });
  await expect.poll(() => course.lab()?.evaluate(() => window.received?.at(-1)?.payload)).toMatchObject({ rate: 7 });
  expect(await ask(page, "setState", "no JSON")).toMatch(/^failed: /);
});

test("Open edX: a page that names its LMS answers no other", async ({ course }) => {
  const { page } = course;
  const named = (origin) => file("web/adapters/openedx.html").replace(`data-lms="*"`, `data-lms="${origin}"`);
  await serveAt(page, COURSE, {
    ...labFiles(),
    ...adapters(),
    "/adapters/ours.html": named(LMS),
    "/adapters/theirs.html": named("https://other.test"),
  });
  const files = { "/jsinput.js": JSINPUT };
  for (const name of ["ours", "theirs"]) {
    files[`/${name}`] = lmsPage(`<iframe title="jsinput" src="${COURSE}/adapters/${name}.html"></iframe><script src="/jsinput.js"></script>`);
  }
  await course.open(LMS, files, "/ours");
  expect(JSON.parse(await ask(page, "getGrade"))).toEqual({ score: 0, max: 0 });
  await page.goto(`${LMS}/theirs`);
  await course.settled();
  const asked = page.evaluate(() => Promise.race([window.ask("getGrade"), new Promise((done) => setTimeout(done, 500, "silence"))]));
  expect(await asked).toBe("silence");
});

test("Open edX: functions of the window for a page of the same origin", async ({ course }) => {
  const { page } = course;
  await course.open(COURSE, { "/": lmsPage(`<iframe title="jsinput" src="/adapters/openedx.html"></iframe>`) }, "/");
  await course.settled();
  await course.learns("lab-complete", { score: 1, max: 3 });
  const grade = () => page.evaluate(() => JSON.parse(document.querySelector("iframe").contentWindow.GoodputLab.getGrade()));
  await expect.poll(grade).toEqual({ score: 1, max: 3 });
  await page.evaluate(() => {
    const { GoodputLab } = document.querySelector("iframe").contentWindow;
    GoodputLab.setState(unescape(GoodputLab.getState()));
  });
  expect(await grade()).toEqual({ score: 1, max: 3 });
});

/** A course page that reports by xAPI, as the script says. */
async function xapi(course, script) {
  await course.open(COURSE, { "/": lmsPage(`<script src="goodput-lab.js" defer></script><goodput-lab></goodput-lab><script type="module" src="/course.js"></script>`), "/course.js": script }, "/");
  await course.settled();
}
const ACTOR = `actor: { mbox: "mailto:learner@example.org" }, activity: "https://example.org/course#top"`;

test("xAPI: statements for what the learner does, and for nothing else", async ({ course }) => {
  const { page } = course;
  await xapi(
    course,
    `import { reportXapi } from "./adapters/xapi.js";
     window.statements = [];
     window.stop = reportXapi(document.querySelector("goodput-lab"), { ${ACTOR}, send: (statement) => window.statements.push(statement) });`,
  );
  await course.moves(6);
  await expect.poll(() => page.evaluate(() => window.statements.length)).toBe(2);
  await course.learns("lab-predict", { p99: "explodes" });
  await course.learns("lab-answer", { question: "which p99", correct: false });
  await course.learns("lab-complete", { score: 2, max: 4 });
  await expect.poll(() => page.evaluate(() => window.statements.length)).toBe(5);
  const statements = await page.evaluate(() => window.statements);
  expect(statements.map(({ verb }) => verb.id.split("/").at(-1))).toEqual(["initialized", "interacted", "answered", "answered", "completed"]);
  expect(statements.map(({ object }) => object.id.replace("https://example.org/course", ""))).toEqual(["", "", "#guess", "#which%20p99", ""]);
  expect(statements[1].result.extensions["https://example.org/course#scenario"].rate).toBe(6);
  expect(statements[2].result).toEqual({ response: `{"p99":"explodes"}` });
  expect(statements[3].result).toEqual({ success: false });
  expect(statements[4].result).toEqual({ completion: true, score: { raw: 2, min: 0, max: 4, scaled: 0.5 } });
  for (const { id, actor, timestamp } of statements) {
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(actor).toEqual({ mbox: "mailto:learner@example.org" });
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
  }
  expect(new Set(statements.map(({ id }) => id)).size).toBe(5);

  await page.evaluate(() => window.stop());
  await course.learns("lab-complete", { score: 4, max: 4 });
  await course.moves(4);
  await expect.poll(() => page.locator("goodput-lab").evaluate(({ results }) => results.rate_per_s)).toBe(4);
  expect(await page.evaluate(() => window.statements.length)).toBe(5);
});

test("xAPI: statements are posted to the LRS that the author names", async ({ course }) => {
  const posted = [];
  await course.page.route("https://lrs.test/**", async (route) => {
    const request = route.request();
    if (request.method() === "POST") posted.push([request.url(), await request.allHeaders(), request.postDataJSON()]);
    await route.fulfill({ status: 200, headers: { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" }, body: "[]" });
  });
  await xapi(
    course,
    `import { reportXapi } from "./adapters/xapi.js";
     reportXapi(document.querySelector("goodput-lab"), { ${ACTOR}, endpoint: "https://lrs.test/xapi", authorization: "Basic abc" });`,
  );
  await expect.poll(() => posted.length).toBe(1);
  const [url, headers, statement] = posted[0];
  expect(url).toBe("https://lrs.test/xapi/statements");
  expect(headers).toMatchObject({ authorization: "Basic abc", "x-experience-api-version": "1.0.3", "content-type": "application/json" });
  expect(statement.verb.id).toBe("http://adlnet.gov/expapi/verbs/initialized");
});
