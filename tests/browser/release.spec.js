// What `cargo xtask dist` makes, as those meet it who take it: a host, a reader without a network, a programmer, a
// learning platform.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { serve } from "./server.mjs";
import { expect, Lab, listen, test } from "./support/lab.js";

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));
const RELEASE = process.env.GOODPUT_RELEASE ?? fromHere("../../release");
const VERSION = /\[workspace\.package\]\s+version = "([^"]+)"/.exec(readFileSync(fromHere("../../Cargo.toml"), "utf8"))[1];
const MAJOR = VERSION.split(".")[0];

const download = (end) => `${RELEASE}/goodput-lab-${VERSION}${end}`;
const digest = (algorithm, path, encoding) => createHash(algorithm).update(readFileSync(path)).digest(encoding);

/** The names of all files below a folder, sorted. */
const below = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => statSync(`${folder}/${name}`).isFile())
    .sort();

/** The names and digests that a file of `sha256sum` states. */
const stated = (path) =>
  Object.fromEntries(
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("  ").reverse()),
  );

/** A folder that is gone when the test is over. */
async function inFolder(use) {
  const folder = mkdtempSync(`${tmpdir()}/goodput-`);
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A folder on a strict host, until the test is over. */
async function served(dist, use) {
  const server = await serve({ dist });
  try {
    await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test.beforeAll(() => {
  if (!existsSync(`${RELEASE}/v${VERSION}`)) throw new Error(`${RELEASE} holds no v${VERSION}: run \`cargo xtask dist\` first`);
});

test("the digests of a release are those of its files, all of them", () => {
  const folder = `${RELEASE}/v${VERSION}`;
  const sums = stated(`${folder}/SHA256SUMS`);
  expect(Object.keys(sums).sort()).toEqual(below(folder).filter((name) => name !== "SHA256SUMS"));
  for (const [name, sum] of Object.entries(sums)) expect(digest("sha256", `${folder}/${name}`, "hex"), name).toBe(sum);

  const release = JSON.parse(readFileSync(`${folder}/release.json`, "utf8"));
  expect(release.version).toBe(VERSION);
  expect(Object.keys(release.files).sort()).toEqual(Object.keys(sums).filter((name) => name !== "release.json").sort());
  for (const [name, { bytes, sha256 }] of Object.entries(release.files)) {
    expect([bytes, sha256], name).toEqual([statSync(`${folder}/${name}`).size, sums[name]]);
  }
  const integrity = `sha384-${digest("sha384", `${folder}/goodput-lab.js`, "base64")}`;
  expect(release.integrity).toEqual({ "goodput-lab.js": integrity });

  const downloads = stated(download(".sha256"));
  expect(Object.keys(downloads)).toEqual(["-scorm12.zip", ".html", ".tgz"].map((end) => `goodput-lab-${VERSION}${end}`));
  for (const [name, sum] of Object.entries(downloads)) expect(digest("sha256", `${RELEASE}/${name}`, "hex")).toBe(sum);
});

test("the moving folder is the fixed one, and the root leads to it, also without JavaScript", async ({ browser, complaints, page }) => {
  const [fixed, moving] = [`${RELEASE}/v${VERSION}`, `${RELEASE}/v${MAJOR}`];
  expect(below(moving)).toEqual(below(fixed));
  expect(readFileSync(`${moving}/SHA256SUMS`)).toEqual(readFileSync(`${fixed}/SHA256SUMS`));
  await served(RELEASE, async (address) => {
    await page.goto(address);
    await page.waitForURL(`${address}v${MAJOR}/`);
    const lab = new Lab(page);
    await lab.runs();
    await lab.showsPublished(5);
    await lab.open(`${address}v${VERSION}/embed.html`);

    const context = await browser.newContext({ javaScriptEnabled: false });
    const still = await context.newPage();
    await still.goto(address);
    await still.waitForURL(`${address}v${MAJOR}/`);
    await context.close();
  });
  expect(complaints).toEqual([]);
});

test("the page in one file runs from the disk without a network and asks for nothing", async ({ closed: lab, context }) => {
  const { page } = lab;
  const asked = [];
  context.on("request", (request) => asked.push(request.url()));
  await context.setOffline(true);
  const address = pathToFileURL(download(".html")).href;
  await lab.open(address);
  await lab.showsPublished(5);
  await lab.settled(() => lab.stop(6).click());
  await lab.showsPublished(6);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 640 });
  await lab.settled(() => lab.stop(4).click());
  await lab.showsPublished(4);
  // The second module is in the file, too.
  const study = page.locator("[data-study=distribution]");
  await study.locator("> summary").click();
  await expect(study.locator(".drawn").first()).toContainText("p99 188 ms");
  // Every picture is a picture, also those that wait until they come near.
  await page.locator("img").evaluateAll((images) =>
    Promise.all(
      images.map((image) => {
        image.loading = "eager";
        return image.decode();
      }),
    ),
  );
  expect(await lab.run({ rate: 5 })).toMatchObject({ throughput_tokens_per_s: 1003.7037037037037 });
  await expect(page.locator("[data-offline]")).toBeHidden();
  const licences = page.locator("footer details", { hasText: "Licences of the software in this page" });
  await licences.locator("summary").click();
  await expect(licences.locator("pre")).toContainText("plotters");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([address]);
});

test("the page in one file is whole without JavaScript", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(download(".html")).href);
  const lab = new Lab(page);
  await lab.showsPublishedFigures(5);
  await expect(lab.root.locator("form")).toHaveCSS("display", "grid");
  expect(await page.locator("img").first().evaluate((image) => image.decode().then(() => image.naturalWidth))).toBeGreaterThan(100);
  await context.close();
});

test("the package installs, runs in Node.js and in a browser, and its types compile", async ({ page, complaints }) => {
  await inFolder(async (folder) => {
    const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });
    writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }');
    run("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", download(".tgz"));
    const installed = `${folder}/node_modules/goodput-lab`;
    const manifest = JSON.parse(readFileSync(`${installed}/package.json`, "utf8"));
    expect([manifest.name, manifest.version, manifest.type]).toEqual(["goodput-lab", VERSION, "module"]);
    for (const name of ["README.md", "LICENSES.txt", "goodput-lab.js", "goodput-lab.d.ts"]) expect(below(installed)).toContain(name);

    writeFileSync(
      `${folder}/node.js`,
      `import init, { run, sweep, default_scenario } from "goodput-lab";
       await init();
       const peak = sweep({ ...default_scenario(), max_batch: 128 }, [4, 6]).map((summary) => summary.rate_per_s);
       console.log(JSON.stringify([run({ rate: 5 }).throughput_tokens_per_s, peak]));`,
    );
    expect(JSON.parse(run("node", "node.js"))).toEqual([1003.7037037037037, [4, 6]]);

    writeFileSync(
      `${folder}/types.ts`,
      `import init, { run, type Scenario, type Summary } from "goodput-lab";
       import "goodput-lab/element";
       await init();
       const scenario: Scenario = { rate: 5, seed: "lesson" };
       const p99: number | undefined = (run(scenario) satisfies Summary).ttft_s?.p99;
       // @ts-expect-error there is no such field
       run({ speed: 5 });
       // @ts-expect-error a rate is a number
       run({ rate: "5" });
       const lab: HTMLElement = document.createElement("goodput-lab");
       console.log(p99, lab);`,
    );
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "esnext,dom"];
    run("node", fromHere("node_modules/typescript/bin/tsc"), ...options, "types.ts");

    // As a plain host serves it, from beside the page.
    writeFileSync(`${folder}/index.html`, '<!doctype html><title>Page</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>');
    writeFileSync(
      `${folder}/page.js`,
      `import init, { run } from "./node_modules/goodput-lab/goodput-lab.mjs";
       await init();
       document.title = String(run({ rate: 5 }).throughput_tokens_per_s);`,
    );
    await served(folder, async (address) => {
      await page.goto(address);
      await expect(page).toHaveTitle("1003.7037037037037");
    });
  });
  expect(complaints).toEqual([]);
});

test("the zip for SCORM lists its files and opens on a lab that runs", async ({ page, complaints }) => {
  await inFolder(async (folder) => {
    const files = unzipSync(readFileSync(download("-scorm12.zip")));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
      writeFileSync(`${folder}/${name}`, content);
    }
    const parsed = await page.evaluate((text) => {
      const manifest = new DOMParser().parseFromString(text, "application/xml");
      const all = (name, attribute) => [...manifest.getElementsByTagName(name)].map((one) => one.getAttribute(attribute));
      return { broken: all("parsererror", "x"), starts: all("resource", "href"), files: all("file", "href") };
    }, readFileSync(`${folder}/imsmanifest.xml`, "utf8"));
    expect(parsed.broken).toEqual([]);
    expect(parsed.files.sort()).toEqual(Object.keys(files).filter((name) => name !== "imsmanifest.xml").sort());
    await served(folder, async (address) => {
      const start = `${address}${parsed.starts[0]}`;
      await page.goto(start);
      await new Lab(page.locator("goodput-lab").frameLocator("iframe")).runs();
    });
  });
  expect(complaints).toEqual([]);
});
