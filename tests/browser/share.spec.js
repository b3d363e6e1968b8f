// Taking a state away: its link, the code that brings it into another page, pictures, data, a citation.

import { readFile } from "node:fs/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { Lab, at, expect, record, test } from "./support/lab.js";
import { hostOf } from "./support/host.js";

const STATE = "?rate=6&seed=7&max-batch=32&pin=rate:4";
const SCENARIO = { rate: 6, seed: 7, max_batch: 32 };
const SAID = "The browser does not let the page copy. The text is selected: press Ctrl+C (⌘C on a Mac).";

/** The Share panel of a lab. */
function share(lab) {
  const root = lab.root.locator("[data-share]");
  const part = (name) => root.locator(`[data-text=${name}]`);
  return {
    root,
    text: (name) => part(name).locator("textarea"),
    copy: (name) => part(name).locator("[data-copy]"),
    said: (name) => part(name).locator("[data-said]"),
    option: (name) => root.locator(`[data-option=${name}]`),
    lock: (name) => root.locator(`[data-lock=${name}]`),
    save: (kind) => root.locator(`[data-save=${kind}]`),
    preview: root.locator("[data-preview]"),
    frame: root.locator("[data-preview] iframe"),
    open: () => root.locator("summary").first().click(),
    openPreview: () => root.locator("[data-preview] summary").click(),
  };
}

/** Opens the lab in a state, and its panel. */
async function opened(lab, path = `/${STATE}`) {
  await lab.open(path);
  const panel = share(lab);
  await panel.open();
  await expect(panel.text("link")).not.toHaveValue("");
  return panel;
}

/** What a press hands to the reader as a file. */
async function saved(lab, button) {
  const [download] = await Promise.all([lab.page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("while the panel is closed nothing stands in it; open, it follows what has settled", async ({ lab, baseURL }) => {
  const panel = share(lab);
  await lab.settled(() => lab.stop(6).click());
  await expect(panel.text("link")).toHaveValue("");
  await panel.open();
  await expect(panel.text("link")).toHaveValue(`${baseURL}?rate=6&engine=1#lab-title`);
  await lab.settled(() => lab.typeSeed("7"));
  await expect(panel.text("link")).toHaveValue(`${baseURL}?rate=6&seed=7&engine=1#lab-title`);
  await lab.root.locator("[data-toggle=theory]").click();
  await expect(panel.text("link")).toHaveValue(`${baseURL}?rate=6&seed=7&theory=on&engine=1#lab-title`);
  await panel.open();
  await lab.settled(() => lab.stop(4).click());
  await expect(panel.text("link")).toHaveValue(/rate=6&seed=7/);
});

test("the link leads to what is in view, also at the start and where everybody else is asked first", async ({ closed: lab, browser }) => {
  for (const path of [`/${STATE}`, "/"]) {
    const panel = await opened(lab, path);
    const shown = await lab.values();
    const link = await panel.text("link").inputValue();
    // Somebody who was never here.
    const other = await browser.newPage();
    const there = new Lab(other);
    await there.open(link);
    expect(await there.values()).toEqual(shown);
    expect(await there.root.locator("[data-pins] > li").count()).toBe(await lab.root.locator("[data-pins] > li").count());
    await expect.poll(() => other.evaluate(() => document.querySelector("[data-lab]").getBoundingClientRect().top)).toBeLessThan(100);
    await other.close();
  }
});

test.describe("a first visit", () => {
  test.use({ visit: "first" });

  test("shares the questions and not what they cover", async ({ closed: lab, baseURL }) => {
    const panel = await opened(lab, "/");
    await expect(panel.text("link")).toHaveValue(`${baseURL}?rate=4&engine=1#lab-title`);
    await lab.settled(() => lab.stop(6).click());
    await expect(panel.save("json")).toBeDisabled();
    const { bytes } = await saved(lab, panel.save("csv"));
    const rates = bytes.toString().trim().split("\n").slice(1).map((row) => Number(row.split(",")[1]));
    expect(Math.max(...rates)).toBe(4);
  });
});

test("a copied text is in the clipboard, and it is said once, politely", async ({ closed: lab }) => {
  await lab.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const panel = await opened(lab);
  for (const name of ["link", "citation", "code"]) {
    await panel.copy(name).click();
    await expect(panel.said(name)).toHaveText("Copied.");
    await expect(lab.status).toHaveText("Copied.");
    const text = await panel.text(name).inputValue();
    expect(await lab.page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
  // It stands beside the last of them alone.
  await expect(panel.root.locator("[data-said]")).toHaveText(["", "", "Copied."]);
  await expect(lab.root.locator("[role=status], [aria-live=polite], [aria-live=assertive]")).toHaveCount(1);
});

for (const [how, script] of Object.entries({
  "is refused": () => Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } }),
  "is not there": () => Object.defineProperty(navigator, "clipboard", { value: undefined }),
})) {
  test(`where the clipboard ${how} the text is selected, for the reader's own hand`, async ({ closed: lab }) => {
    await lab.page.addInitScript(script);
    const panel = await opened(lab);
    await panel.copy("code").click();
    await expect(panel.said("code")).toHaveText(SAID);
    await expect(lab.status).toHaveText(SAID);
    await expect(panel.text("code")).toBeFocused();
    const selected = await panel.text("code").evaluate((text) => text.value.slice(text.selectionStart, text.selectionEnd));
    expect(selected).toBe(await panel.text("code").inputValue());
  });
}

test("the iframe's code is plain, and brings the state into somebody else's page", async ({ closed: lab, baseURL }) => {
  const panel = await opened(lab);
  await panel.option("theme").selectOption("dark");
  await panel.option("height").fill("700.4");
  await panel.option("height").press("Enter");
  await panel.lock("seed").check();
  const code = await panel.text("code").inputValue();
  expect(code).toBe(
    `<iframe src="${baseURL}embed.html?rate=6&amp;max-batch=32&amp;seed=7&amp;pin=rate:4&amp;view=lab&amp;theme=dark&amp;lock=seed&amp;engine=1"` +
      ` width="100%" height="700" title="Goodput Lab: LLM serving at 6 requests/s" loading="lazy"></iframe>`,
  );
  await expect(panel.option("height")).toHaveValue("700");

  await lab.page.goto(`${hostOf(baseURL)}/host/`);
  await lab.page.evaluate((code) => document.body.insertAdjacentHTML("beforeend", code), code);
  const there = new Lab(lab.page.frameLocator("iframe"));
  await there.runs();
  await there.shows(await there.run(SCENARIO));
  await expect(there.seed).toBeDisabled();
  await expect(there.slider).toBeEnabled();
  await expect(there.root.locator("[data-pins] > li")).toHaveCount(1);
  await expect(there.root.locator("[data-refusals]")).toBeHidden();
});

test("the element's code brings the same state", async ({ closed: lab, baseURL }) => {
  const panel = await opened(lab);
  await panel.option("form").selectOption("element");
  await expect(panel.option("height")).toBeDisabled();
  for (const name of ["rate", "seed", "server", "beside"]) await panel.lock(name).check();
  const code = await panel.text("code").inputValue();

  await lab.page.goto(`${hostOf(baseURL)}/host/`);
  await lab.page.evaluate((code) => {
    // As a parser would: what is set as HTML runs no script.
    const { content } = Object.assign(document.createElement("template"), { innerHTML: code });
    const script = document.createElement("script");
    for (const { name, value } of content.querySelector("script").attributes) script.setAttribute(name, value);
    document.body.append(content.querySelector("goodput-lab"), script);
  }, code);
  const there = new Lab(lab.page.frameLocator("goodput-lab iframe"));
  await there.runs();
  await there.shows(await there.run(SCENARIO));
  for (const control of [there.slider, there.seed, there.root.locator("input[name=max-batch]"), there.action("pin")]) {
    await expect(control).toBeDisabled();
  }
});

test("the preview is made when it is opened, shows what the code says, and goes when it is closed", async ({ closed: lab }) => {
  const panel = await opened(lab);
  await expect(panel.frame).toHaveCount(0);
  await panel.openPreview();
  const src = () => panel.text("code").evaluate((text) => new DOMParser().parseFromString(text.value, "text/html").querySelector("iframe").src);
  await expect(panel.frame).toHaveAttribute("src", await src());
  const there = new Lab(panel.preview.frameLocator("iframe"));
  await there.runs();
  await there.shows(await there.run(SCENARIO));
  await panel.option("view").selectOption("challenge");
  expect(await src()).toContain("view=challenge");
  await expect(panel.frame).toHaveAttribute("src", await src());
  await there.runs();
  await lab.settled(() => lab.stop(4).click());
  expect(await src()).toContain("rate=4");
  await expect(panel.frame).toHaveAttribute("src", await src());
  await expect(panel.preview.locator("a")).toHaveAttribute("href", await src());
  await there.runs();
  await panel.openPreview();
  await expect(panel.frame).toHaveCount(0);
});

test("where the host's policy grants no frames, a link stands in place of the preview", async ({ page }) => {
  // The browser is right to complain of the frame.
  await page.route(/\/\?/, async (route) => {
    const response = await route.fetch();
    const csp = response.headers()["content-security-policy"].replace(" frame-src 'self';", "");
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": csp } });
  });
  const lab = new Lab(page);
  const panel = await opened(lab, "/?rate=6&view=lab");
  await panel.openPreview();
  await expect(panel.frame).toHaveCount(0);
  await expect(panel.preview.locator("a")).toBeVisible();
  await panel.option("theme").selectOption("dark");
  await expect(panel.preview.locator("a")).toHaveAttribute("href", /embed\.html\?rate=6&view=lab&theme=dark&engine=1$/);
  await expect(panel.frame).toHaveCount(0);
  await lab.settled(() => lab.stop(5).click());
  await expect(panel.text("link")).toHaveValue(/\?view=lab&engine=1#lab-title$/);
});

for (const colorScheme of ["light", "dark"]) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("each chart can be saved as lines and as pixels, in the page's colours", async ({ closed: lab }) => {
      const panel = await opened(lab);
      const ground = await lab.page.evaluate(() => getComputedStyle(document.body).backgroundColor.replaceAll(" ", ""));
      for (const chart of ["throughput", "ttft", "tpot", "goodput", "time"]) {
        await panel.option("chart").selectOption(chart);
        const lines = await saved(lab, panel.save("svg"));
        expect(lines.name).toBe(`goodput-lab-${chart}-6.svg`);
        const svg = lines.bytes.toString();
        const drawn = await lab.page.evaluate((svg) => {
          const { documentElement } = new DOMParser().parseFromString(svg, "image/svg+xml");
          return {
            name: documentElement.localName,
            size: ["width", "height"].map((side) => Number(documentElement.getAttribute(side))),
            ground: documentElement.querySelector("rect").getAttribute("fill"),
            description: documentElement.querySelector("desc").textContent,
          };
        }, svg);
        const { plot, canvas } = lab.chart(chart);
        expect(drawn.name).toBe("svg");
        expect(drawn.size).toEqual(await plot.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]));
        expect(drawn.ground).toBe(ground);
        // What the picture shows is what the chart in the page shows.
        expect(drawn.description).toBe(await canvas.getAttribute("aria-label"));

        const pixels = await saved(lab, panel.save("png"));
        expect(pixels.name).toBe(`goodput-lab-${chart}-6.png`);
        expect([pixels.bytes.readUInt32BE(16), pixels.bytes.readUInt32BE(20)]).toEqual(drawn.size.map((side) => 2 * side));
        const inks = await lab.page.evaluate(async (base64) => {
          const image = Object.assign(new Image(), { src: `data:image/png;base64,${base64}` });
          await image.decode();
          const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, image.width, image.height);
          const colours = new Set();
          for (let i = 0; i < data.length; i += 4) colours.add(data.slice(i, i + 4).join());
          return { corner: `rgb(${data.slice(0, 3).join()})`, alpha: data[3], count: colours.size };
        }, pixels.bytes.toString("base64"));
        expect([inks.corner, inks.alpha]).toEqual([ground, 255]);
        expect(inks.count, "something is drawn").toBeGreaterThan(20);
      }
    });
  });
}

test("the curves are saved as the command line prints them, the run as the events hand it out", async ({ closed: lab }) => {
  const panel = await opened(lab);
  const curve = await saved(lab, panel.save("csv"));
  expect(curve.name).toBe("goodput-lab-curve.csv");
  const [head, ...rows] = curve.bytes.toString().trimEnd().split("\n").map((line) => line.split(","));
  // The slider of a server with half the slots ends where its own curve does.
  const [from, to, step] = [0.4, 6.4, 0.08];
  const positions = await lab.slider.evaluate(({ min, max, step }) => [min, max, step].map(Number));
  expect(positions).toEqual([from, to, step]);
  const rates = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Math.round(100 * (from + i * step)) / 100);
  const summaries = await lab.sweep(SCENARIO, rates);
  const paths = (value, path) =>
    value !== null && typeof value === "object"
      ? Object.entries(value).flatMap(([name, value]) => paths(value, path ? `${path}.${name}` : name))
      : [path];
  expect(head).toEqual(["seed", ...paths({ ...summaries[0], scenario: {} }, "")]);
  expect(rows.map(([seed]) => seed)).toEqual(rates.map(() => "7"));
  for (const [i, row] of rows.entries()) {
    const wanted = head.slice(1).map((path) => at(summaries[i], path));
    expect(row.slice(1).map(Number), `at ${rates[i]}`).toEqual(wanted);
  }

  const run = await saved(lab, panel.save("json"));
  expect(run.name).toBe("goodput-lab-run-6.json");
  expect(JSON.parse(run.bytes.toString())).toEqual(await lab.run(SCENARIO));
});

test("a citation says who, when, where, and with which version", async ({ closed: lab }) => {
  await lab.page.addInitScript(() => addEventListener("lab-ready", ({ detail }) => (window.version = detail.version)));
  const panel = await opened(lab);
  const link = await panel.text("link").inputValue();
  const version = await lab.page.evaluate(() => window.version);
  const title = await lab.page.title();
  await expect(panel.text("citation")).toHaveValue(`Goodput Lab (2026). ${title} Version ${version}, engine 1. ${link}`);
  await panel.option("citation").selectOption("bibtex");
  const entry = await panel.text("citation").inputValue();
  for (const line of [`title = {{${title}}}`, "year = {2026}", `howpublished = {\\url{${link}}}`, `note = {Version ${version}, engine 1}`]) {
    expect(entry).toContain(line);
  }
});

test("in a sandboxed frame it says that nothing may be saved, and goes on", async ({ page, baseURL }) => {
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${hostOf(baseURL)}/host/`);
  await page.evaluate((src) => {
    document.body.insertAdjacentHTML("beforeend", `<iframe sandbox="allow-scripts" width="1200" height="2000" src="${src}"></iframe>`);
  }, `${baseURL}embed.html?rate=6`);
  const lab = new Lab(page.frameLocator("iframe"));
  await lab.runs();
  const panel = share(lab);
  await panel.open();
  await expect(panel.text("link")).toHaveValue(`${baseURL}embed.html?rate=6&engine=1`);
  await expect(panel.root.locator("[data-boxed]")).toBeVisible();
  for (const kind of ["svg", "png", "csv", "json"]) await panel.save(kind).click();
  await panel.copy("link").click();
  await expect(panel.said("link")).not.toHaveText("");
  await panel.openPreview();
  const there = new Lab(panel.preview.frameLocator("iframe"));
  await there.runs();
  await lab.settled(() => lab.stop(5).click());
  await expect(panel.text("link")).toHaveValue(`${baseURL}embed.html?engine=1`);
  expect(errors).toEqual([]);
});

test("an author can leave the panel out; opening it tells the page nothing and stores nothing", async ({ closed: lab }) => {
  await lab.open("/embed.html?hide=share");
  await expect(share(lab).root).toBeHidden();
  await lab.open("/embed.html");
  const log = await record(lab, "lab-change", "lab-result");
  const panel = share(lab);
  await expect(panel.root.locator("[data-boxed]")).toBeHidden();
  await panel.open();
  await expect(panel.text("link")).toHaveValue(/embed\.html\?engine=1$/);
  await panel.option("view").selectOption("predict");
  await panel.lock("rate").check();
  expect(await log()).toEqual([]);
  await expect(lab.slider).toBeEnabled();
  expect(await lab.page.evaluate(() => [Object.keys(localStorage), location.search])).toEqual([["goodput-lab.guess"], ""]);
});

for (const [width, colorScheme] of [[1280, "light"], [320, "dark"]]) {
  test.describe(`${width} px wide, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme });

    test("axe finds nothing in the open panel, nothing scrolls sideways", async ({ closed: lab }) => {
      const panel = await opened(lab);
      await panel.option("form").selectOption("element");
      await panel.option("citation").selectOption("bibtex");
      const { violations, passes } = await new AxeBuilder({ page: lab.page })
        .include("[data-share]")
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
        .analyze();
      expect(passes.length).toBeGreaterThan(5);
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => [id, target]))).toEqual([]);
      expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const small = await panel.root
        .locator("button, select, input, label:has(> input), summary")
        .evaluateAll((all) => all.filter((one) => one.type !== "checkbox" && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML));
      expect(small).toEqual([]);
    });
  });
}
