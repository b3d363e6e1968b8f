// The page kept on the device: only when the reader ticks the box, only our own page, and never an old release.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { serve } from "./server.mjs";
import { Lab, expect, test } from "./support/lab.js";

const DIST = process.env.GOODPUT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));

const box = (page) => page.getByRole("checkbox", { name: "Keep this page on this device, to use it offline" });
const says = (page) => page.locator("[data-offline] [data-when]:visible");

/** What the browser keeps of us: the scopes of workers, and the names of caches. */
const kept = (page) =>
  page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    return { scopes: registrations.map(({ scope }) => scope).sort(), caches: (await caches.keys()).sort() };
  });
const NOTHING = { scopes: [], caches: [] };

/** Unticks the box, once it stands there as it was left. */
async function untick(page) {
  await expect(box(page)).toBeChecked();
  await box(page).press("Space");
  await expect(says(page)).toHaveText(/^Forgotten\./);
}

async function tick(page) {
  // By key: under a pointer the page may still be laid out.
  await expect(box(page)).toBeVisible();
  await box(page).press("Space");
  await expect(says(page)).toHaveText(/^Kept\./);
}

test("before the box is ticked nothing is kept and no manifest is named", async ({ lab }) => {
  await expect(box(lab.page)).not.toBeChecked();
  await expect(says(lab.page)).toHaveCount(0);
  expect(await kept(lab.page)).toEqual(NOTHING);
  await expect(lab.page.locator("link[rel=manifest]")).toHaveCount(0);
});

for (const folder of ["", "some/sub/folder/"]) {
  test(`ticked, the page at /${folder} opens without a network and runs`, async ({ closed: lab, context, baseURL }) => {
    const { page } = lab;
    await lab.open(`/${folder}`);
    await tick(page);
    const held = await kept(page);
    expect(held.scopes).toEqual([`${baseURL}${folder}`]);
    expect(held.caches).toEqual([expect.stringMatching(/^goodput-lab \d+\.\d+\.\d+-[0-9a-f]{12} http/)]);

    await context.setOffline(true);
    for (const address of ["", "index.html", "?from=a-course"]) {
      await lab.open(`/${folder}${address}`);
      await lab.showsPublished(5);
    }
    await lab.settled(() => lab.stop(6).click());
    await lab.showsPublished(6);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(box(page)).toBeChecked();
    // Fetched: a text opened by itself makes the browser ask for an icon.
    expect(await page.evaluate(async () => (await fetch("LICENSES.txt")).text())).toContain("plotters");
  });
}

test("unticked, it is forgotten: no worker, no cache, no page without a network", async ({ lab, context }) => {
  const { page } = lab;
  await tick(page);
  await page.reload();
  await lab.runs();
  await untick(page);
  expect(await kept(page)).toEqual(NOTHING);
  await expect(page.locator("link[rel=manifest]")).toHaveCount(0);
  await page.reload();
  await expect(box(page)).not.toBeChecked();
  expect(await kept(page)).toEqual(NOTHING);
  await context.setOffline(true);
  // A page of its own, because here the browser shall complain.
  await expect((await context.newPage()).goto("/")).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
});

test("what one folder keeps is not the other's to forget", async ({ lab, baseURL }) => {
  const { page } = lab;
  await tick(page);
  await lab.open("/some/sub/folder/");
  // A worker of the folder above answers here, too, and is not ours.
  await expect(box(page)).not.toBeChecked();
  await tick(page);
  await lab.open("/");
  await untick(page);
  const held = await kept(page);
  expect(held.scopes).toEqual([`${baseURL}some/sub/folder/`]);
  expect(held.caches).toEqual([expect.stringContaining("/some/sub/folder/")]);
});

test("a page for frames, or our own in a frame, offers nothing and is kept by nobody", async ({ lab, context, baseURL }) => {
  const { page } = lab;
  await tick(page);
  const embed = await context.newPage();
  await embed.goto("/embed.html");
  await expect(embed.locator("[data-lab]")).toHaveAttribute("data-state", "running");
  await expect(embed.locator("[data-offline]")).toBeHidden();
  await embed.route(`${baseURL}host-for-a-test`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><title>Host</title><iframe src="${baseURL}"></iframe>` }),
  );
  await embed.goto("/host-for-a-test");
  const framed = new Lab(embed.frameLocator("iframe"));
  await framed.runs();
  await expect(embed.frameLocator("iframe").locator("[data-offline]")).toBeHidden();
  await context.setOffline(true);
  await expect(embed.goto("/embed.html")).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
});

test("a new release is shown at once, and then takes the place of the old one", async ({ context }) => {
  const site = mkdtempSync(`${tmpdir()}/goodput-`);
  cpSync(DIST, site, { recursive: true });
  const server = await serve({ dist: site });
  const root = `http://127.0.0.1:${server.address().port}/`;
  const address = `${root}some/sub/folder/`;
  try {
    // Looks on from above the folder, where the worker does not answer.
    const watch = await context.newPage();
    await watch.goto(root);
    const page = await context.newPage();
    await page.goto(address);
    await tick(page);
    const [before] = (await kept(page)).caches;

    const change = (name, from, to) => {
      const text = readFileSync(`${site}/${name}`, "utf8");
      expect(text).toContain(from);
      writeFileSync(`${site}/${name}`, text.replace(from, to));
    };
    change("index.html", "<title>", "<title>New: ");
    change("sw.js", 'const RELEASE = "', 'const RELEASE = "9.');
    await page.reload();
    await expect(page).toHaveTitle(/^New: /);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update();
    });
    await expect.poll(async () => (await kept(watch)).caches.length).toBe(2);

    // The new worker waits for the last page of the old one.
    await page.goto("about:blank");
    await expect.poll(async () => (await kept(watch)).caches).toEqual([before.replace("goodput-lab ", "goodput-lab 9.")]);
    await context.setOffline(true);
    await page.goto(address);
    await expect(page).toHaveTitle(/^New: /);
    await new Lab(page).runs();
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(site, { recursive: true });
  }
});

test("if a file does not come, nothing is kept and the page says so", async ({ context }) => {
  const site = mkdtempSync(`${tmpdir()}/goodput-`);
  cpSync(DIST, site, { recursive: true });
  rmSync(`${site}/icons/icon-512.png`);
  const server = await serve({ dist: site });
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await expect(box(page)).toBeVisible();
    await box(page).press("Space");
    await expect(says(page)).toHaveText(/^It could not be kept/);
    await expect(box(page)).not.toBeChecked();
    expect(await kept(page)).toEqual(NOTHING);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(site, { recursive: true });
  }
});

test("the manifest lets the page be installed, and its pictures are the drawn icon", async ({ lab }) => {
  const { page } = lab;
  await tick(page);
  const cdp = await page.context().newCDPSession(page);
  const { errors, data } = await cdp.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const { icons, start_url, display } = JSON.parse(data);
  expect([start_url, display]).toEqual(["./", "standalone"]);
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  // A private window, as tests have, installs nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);

  for (const { src, sizes } of icons.filter(({ type }) => type === "image/png")) {
    const [size] = sizes.split("x").map(Number);
    const difference = await page.evaluate(
      async ({ src, size }) => {
        const pixels = async (src) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          const canvas = document.createElement("canvas");
          canvas.width = canvas.height = size;
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0, size, size);
          return [image.naturalWidth, context.getImageData(0, 0, size, size).data];
        };
        const [width, picture] = await pixels(src);
        const [, drawing] = await pixels("icons/icon.svg");
        const sum = picture.reduce((sum, value, i) => sum + Math.abs(value - drawing[i]), 0);
        return { width, mean: sum / picture.length };
      },
      { src, size },
    );
    expect(difference.width).toBe(size);
    // Two renderers smooth an edge a little differently.
    expect(difference.mean).toBeLessThan(0.5);
  }
});
