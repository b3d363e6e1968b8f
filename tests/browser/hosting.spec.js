// Hosts of all kinds: strict, in a sub-folder, ignorant of wasm, in a sandboxed frame; and a page that nobody shows.

import { CHARTS, Lab, expect, test } from "./support/lab.js";

/** The policy that a host must grant. */
const SHORT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:";
/** And what the page needs besides: for the preview of an embed, and where a reader may keep it on the device. */
const CSP = `${SHORT}; frame-src 'self'; manifest-src 'self'; worker-src 'self'`;

/** Records every request from now on. */
function requests(page) {
  const urls = [];
  page.on("request", (request) => urls.push(request.url()));
  return urls;
}

for (const path of ["/", "/some/sub/folder/", "/octet/", "/octet"]) {
  test(`the lab runs at ${path} under the strict policy, asking nobody else`, async ({ closed: lab, baseURL }) => {
    const urls = requests(lab.page);
    const wasm = lab.page.waitForResponse(/\.wasm$/);
    const response = await lab.open(path);
    expect(response.headers()["content-security-policy"]).toBe(CSP);
    expect((await wasm).headers()["content-type"]).toBe(
      path.startsWith("/octet") ? "application/octet-stream" : "application/wasm",
    );
    await lab.settled(() => lab.stop(6).click());
    await lab.showsPublished(6);
    await lab.page.emulateMedia({ colorScheme: "dark" });
    await lab.disclosure.locator("summary").click();
    await lab.settled(() => lab.action("another-draw").click());

    const folder = new URL(path.endsWith("/") ? path : `${path}/`, baseURL).href;
    expect(urls.length).toBeGreaterThan(4);
    const elsewhere = urls.filter((url) => !url.startsWith("data:") && !url.startsWith(folder));
    expect(elsewhere.filter((url) => url !== new URL(path, baseURL).href)).toEqual([]);
  });
}

test("a host may grant less: what only a kept page needs is not missed", async ({ closed: lab }) => {
  await lab.page.route("**/*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": SHORT } });
  });
  const response = await lab.open();
  expect(response.headers()["content-security-policy"]).toBe(SHORT);
  await lab.settled(() => lab.stop(6).click());
  await lab.showsPublished(6);
});

test("after it is loaded the lab asks for nothing and keeps nothing but guess and goals", async ({ closed: lab }) => {
  await lab.page.goto("/", { waitUntil: "networkidle" });
  await lab.runs();
  const urls = requests(lab.page);
  await lab.settled(() => lab.stop(6).click());
  await lab.settled(() => lab.action("another-draw").click());
  await lab.settled(() => lab.action("push").click());
  await lab.disclosure.locator("summary").click();
  await expect(lab.rows).toHaveCount(76);
  expect(urls).toEqual([]);
  expect(await lab.page.evaluate(() => [sessionStorage.length, document.cookie])).toEqual([0, ""]);
  const kept = await lab.page.evaluate(() => Object.keys(localStorage).sort());
  expect(kept).toEqual(["goodput-lab.goals", "goodput-lab.guess"]);
});

test("the policy is one that would be heard when it is broken", async ({ page }) => {
  const lab = new Lab(page);
  await lab.open();
  const broken = page.evaluate(
    () =>
      new Promise((done) => {
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => done(effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.inline = true";
        document.head.append(script);
      }),
  );
  expect(await broken).toBe("script-src-elem");
  expect(await page.evaluate(() => window.inline)).toBeUndefined();
});

/** A page of somebody else's with the lab in a frame, which runs. */
async function framed(page, baseURL, attributes) {
  const host = `${baseURL}host-for-a-test`;
  await page.route(host, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Host</title><link rel="icon" href="data:,">
        <iframe title="lab" ${attributes}></iframe>`,
    }),
  );
  await page.goto(host);
  const lab = new Lab(page.frameLocator("iframe"));
  await lab.runs();
  return lab;
}

test("the lab runs in a sandboxed frame that may do nothing but run scripts", async ({ page, complaints, baseURL }) => {
  const lab = await framed(page, baseURL, `width="1200" height="620" sandbox="allow-scripts" src="${baseURL}some/sub/folder/"`);
  expect(await page.evaluate(() => [document.activeElement.localName, scrollY])).toEqual(["body", 0]);
  // Nothing can be remembered there, so it asks at each visit.
  await lab.showsPublished(4);
  await lab.root.locator("[data-cover] button").click();
  await lab.showsPublished(5);
  await lab.stop(6).click();
  await lab.showsPublished(6);
  expect(await lab.root.evaluate(() => origin)).toBe("null");
  // The style sheet has come, too.
  await expect(lab.root.locator("form")).toHaveCSS("display", "grid");
  expect(complaints).toEqual([]);
});

test("opening the page takes neither the focus nor the scroll", async ({ lab }) => {
  expect(await lab.page.evaluate(() => [document.activeElement.localName, scrollY])).toEqual(["body", 0]);
  await lab.stop(6).click();
  await lab.showsPublished(6);
  await expect(lab.stop(6)).toBeFocused();
});

/** What is on the canvases, without asking for a frame. */
const pictures = (lab) =>
  lab.root.locator(".plot canvas").evaluateAll((all) =>
    all.map((canvas) => {
      const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      const context = copy.getContext("2d", { willReadFrequently: true });
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      // Nothing but the ground, which is in the corner.
      const blank = data.every((value, i) => value === data[i % 4]);
      return { chart: canvas.closest("[data-chart]").dataset.chart, url: canvas.toDataURL(), blank };
    }),
  );

test("where animation frames never come the first picture is there and a change still settles", async ({
  closed: lab,
}) => {
  await lab.page.addInitScript(() => {
    window.requestAnimationFrame = () => 1;
  });
  await lab.open();
  await lab.showsPublished(5);
  const first = await pictures(lab);
  expect(first.length).toBeGreaterThanOrEqual(CHARTS.length);
  expect(first.filter(({ blank }) => blank)).toEqual([]);

  // What stands in the page at the very moment of the event.
  const heard = lab.root.evaluate(
    (root) =>
      new Promise((done) =>
        root.addEventListener("lab-result", ({ detail }) => {
          const output = root.querySelector("[data-metric='ttft_s.p99']");
          done({ rate: detail.rate_per_s, figure: output.textContent, verdict: root.querySelector("[data-verdict]").textContent });
        }),
      ),
  );
  await lab.stop(6).evaluate((button) => button.click());
  expect(await heard).toEqual({
    rate: 6,
    figure: "30.0 s",
    verdict: "At 6 requests/s the typical user waits 12.4 s, and no request meets the SLO.",
  });
  await lab.showsPublished(6);
  const second = await pictures(lab);
  for (const chart of CHARTS) {
    const urls = (all) => all.filter((one) => one.chart === chart).map(({ url }) => url);
    expect(urls(second), chart).not.toEqual(urls(first));
  }
});

test("a lab in a hidden frame runs, and is sharp when it is shown", async ({ page, complaints, baseURL }) => {
  const lab = await framed(page, baseURL, `width="1200" height="1400" src="${baseURL}" style="display: none"`);
  await lab.stop(6).evaluate((button) => button.click());
  await lab.showsPublished(6);
  await page.locator("iframe").evaluate((frame) => (frame.style.display = "block"));
  for (const name of CHARTS) {
    await lab.chart(name).plot.scrollIntoViewIfNeeded();
    const blank = async () => (await pictures(lab)).filter((one) => one.chart === name && one.blank).length;
    await expect.poll(blank, name).toBe(0);
  }
  const width = await lab.chart("ttft").plot.evaluate((plot) => plot.clientWidth);
  await expect(lab.chart("ttft").canvas).toHaveAttribute("width", String(width));
  expect(complaints).toEqual([]);
});

test("the server knows its folders and no other", async ({ request }) => {
  for (const path of ["/nope.js", "/../../package.json", "/some/sub/", "/octet/nope"]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
});
