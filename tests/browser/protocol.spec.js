// The parent-side test page: it passes a lab that keeps the contract and fails one that does not.

import { expect, listen, test as base } from "./support/lab.js";
import { CSP } from "./server.mjs";
import { file, labFiles, serveAt } from "./support/stub-site.js";

const SITE = "https://site.test";

const test = base.extend({
  bench: async ({ page }, use) => {
    const complaints = [];
    await listen(page, complaints);
    const authors = Object.fromEntries(
      ["protocol.html", "protocol.js", "protocol.css", "protocol.contract.js", "authors.css"].map((name) => [
        `/authors/${name}`,
        file(`web/authors/${name}`),
      ]),
    );
    await serveAt(page, SITE, { ...labFiles(), ...authors }, { "Content-Security-Policy": CSP });
    await page.goto(`${SITE}/authors/protocol.html`);
    const load = async (address = "../embed.html") => {
      await page.getByLabel("Address of the frame").fill(address);
      await page.getByRole("button", { name: "Load" }).click();
      await expect(page.locator("[data-log] tr").filter({ hasText: "lab-ready" })).toHaveCount(1);
    };
    const lab = () => page.frames().find((frame) => frame.url().includes("/embed.html"));
    const rule = (sentence) => page.locator("[data-rules] li").filter({ hasText: sentence }).locator("b");
    const button = (name) => page.getByRole("button", { name, exact: true });
    await use({ page, load, lab, rule, button });
    expect(complaints, "complaints of the browser").toEqual([]);
  },
});
test.use({ visit: "first" });

test("a lab that keeps the contract breaks no rule", async ({ bench }) => {
  const { page, button } = bench;
  await bench.load();
  await bench.lab().evaluate(() => {
    for (const height of [310, 320]) {
      window.learner.posts("lab-height", { height });
      parent.postMessage({ subject: "lti.frameResize", height }, "*");
    }
  });
  await button("Send init").click();
  await button("Send set").click();
  await expect(page.locator("[data-log] tr").filter({ hasText: "lab-result" })).toHaveCount(2);
  await expect(page.locator("[data-tally]")).toHaveText("12 rules hold, 0 are broken, 0 were not seen at work yet.");
  expect(await page.locator("iframe").getAttribute("height")).toBe("320");
});

test("hostile messages go out one by one and all at once", async ({ bench }) => {
  const { page } = bench;
  // The stub would stumble over them; what counts here is that they are sent.
  await bench.load("../embed.html?stub=deaf");
  await page.getByText("Hostile messages").click();
  const buttons = page.locator("[data-hostile] button");
  const all = await buttons.count();
  expect(all).toBeGreaterThan(15);
  await page.locator("[data-hostile-all]").click();
  await expect(page.locator("[data-log] tr").filter({ hasText: "to the lab" })).toHaveCount(all);
});

for (const [what, sentence, misdeed] of [
  ["answers before init", "Before a valid init", () => window.learner.posts("lab-result", { rate_per_s: 5, scenario: {} }, { text: "5" })],
  ["repeats a height", "No height is said twice", () => [1, 2].forEach(() => window.learner.posts("lab-height", { height: 400 }))],
  ["says a height in fractions", "has the fields of its type", () => window.learner.posts("lab-height", { height: 400.5 })],
  ["invents a type", "one of the nine", () => window.learner.posts("lab-cookies", { all: true })],
  ["speaks another version", "has lab, v, id, type and payload", () => parent.postMessage({ lab: "goodput-lab", v: 2, id: "", type: "lab-height", payload: { height: 1 } }, "*")],
  ["talks too much", "At most 20 messages", () => Array.from({ length: 25 }, (_, i) => window.learner.posts("lab-height", { height: 400 + i }))],
  ["bears a name nobody gave", "The id is empty", () => parent.postMessage({ lab: "goodput-lab", v: 1, id: "mine", type: "lab-error", payload: { message: "No." } }, "*")],
  ["says nothing in words", "says the verdict in words", () => window.learner.posts("lab-result", { rate_per_s: 5, scenario: {} })],
]) {
  test(`a lab that ${what} is told on`, async ({ bench }) => {
    await bench.load();
    await bench.lab().evaluate(misdeed);
    await expect(bench.rule(sentence)).toHaveText("✗ fail");
  });
}

test("a lab that never answers is told on, and a field that holds no JSON is refused", async ({ bench }) => {
  const { page } = bench;
  await page.clock.install();
  await page.reload();
  await bench.load("../embed.html?stub=deaf");
  await page.locator("[name=set]").fill("{rate: 6}");
  await bench.button("Send set").click();
  await expect(page.locator("[data-refusal]")).toContainText("The field for set holds no JSON");
  await bench.button("Send init").click();
  await page.clock.runFor(7000);
  await expect(bench.rule("is answered by")).toHaveText("✗ fail");
});
