// What stands beside the run: more draws, pinned runs, theory; the server's settings; Little's law.

import { expect, test } from "./support/lab.js";

const field = (lab, name) => lab.root.locator(`input[name="${name}"]`);
const open = (lab) => lab.root.locator(".server summary").first().click();

async function type(lab, name, text) {
  await field(lab, name).fill(text);
  await field(lab, name).press("Enter");
}

test("fifty more draws: one strip of dots a figure, and a sentence that counts them at 4, 5 and 6", async ({ lab }) => {
  const button = lab.root.locator("[data-toggle=draws]");
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  const said = lab.root.locator("[data-draws-said]");
  await expect(said).toHaveText(/^At 5 requests\/s, \d+ of 51 draws broke .*; at 4, none; at 6, all of them\.$/);
  await expect(lab.root.locator(".strip:visible")).toHaveCount(6);

  // The sentence counts what the engine says of the same seeds.
  const scenario = await lab.engine("default_scenario");
  const seeds = ["lesson", ...Array.from({ length: 50 }, (_, i) => i + 1)];
  let broken = 0;
  for (const seed of seeds) broken += (await lab.run({ ...scenario, rate: 5, seed })).ttft_s.p99 > 1;
  await expect(said).toContainText(`${broken} of 51`);

  // Another rate fills in; the slider does not wait for it.
  await lab.stop(4).click();
  await lab.showsPublished(4);
  await expect(said).toHaveText(/^At 4 requests\/s, none of 51 draws broke/);
  await button.click();
  await expect(said).toBeHidden();
  await expect(lab.root.locator(".strip:visible")).toHaveCount(0);
});

test("up to three runs are pinned, told apart and compared in words", async ({ lab }) => {
  const pins = lab.root.locator("[data-pins] li");
  await lab.action("pin").click();
  await expect(pins).toHaveText([/^A: 5 requests\/s, the lesson’s draw.*this is the run in view/]);
  await expect(lab.action("pin")).toBeDisabled();
  await lab.stop(6).click();
  await expect(pins.first()).toContainText("TTFT p99 is 24x higher, its median 154x higher");
  await expect(pins.first()).toContainText("goodput down to zero");
  await lab.action("pin").click();
  await lab.stop(4).click();
  await lab.action("pin").click();
  await expect(pins).toHaveCount(3);
  await lab.typeRate("4.5");
  await expect(lab.action("pin")).toBeDisabled();
  await pins.nth(1).getByRole("button", { name: "Unpin B" }).press("Enter");
  await expect(pins).toHaveText([/^A/, /^C/]);
  await lab.action("reset").click();
  await expect(pins).toHaveCount(0);
});

test("theory says in one sentence why it lies below", async ({ lab }) => {
  const button = lab.root.locator("[data-toggle=theory]");
  const said = lab.root.locator("[data-theory-said]");
  await expect(said).toBeHidden();
  await button.press("Space");
  await expect(said).toBeVisible();
  const none = lab.root.locator("[data-no-theory]");
  await expect(none).toBeHidden();
  await button.press("Space");
  await expect(said).toBeHidden();
  await button.press("Space");
  await lab.root.locator("details:has([name=users]) > summary").click();
  await type(lab, "users", "64");
  await expect(none, "clients that wait leave no steady rate").toBeVisible();
  await expect(said).toBeHidden();
  await button.press("Space");
  await expect(none).toBeHidden();
});

test("a setting of the server changes run, curve and capacity; what is refused changes nothing", async ({ lab }) => {
  await open(lab);
  await type(lab, "max-batch", "32");
  const scenario = await lab.engine("default_scenario");
  const expected = await lab.run({ ...scenario, rate: 5, max_batch: 32 });
  await expect(lab.figure("ttft_s.p99")).toHaveAttribute("data-value", String(expected.ttft_s.p99));
  await expect(lab.root.locator("[data-theory=capacity]")).not.toHaveText("5.84");

  await type(lab, "max-batch", "0");
  await expect(lab.refusal).toHaveText("max-batch = 0 sequences: allowed are 1 to 4096 sequences");
  await expect(lab.figure("ttft_s.p99")).toHaveAttribute("data-value", String(expected.ttft_s.p99));
  await lab.action("lessons-server").click();
  await expect(lab.refusal).toBeHidden();
  await lab.showsPublished(5);
  await expect(field(lab, "max-batch")).toHaveValue("64");
});

test("a lever of the traffic or of protection changes the run, and the lesson's server takes all of them back", async ({ lab }) => {
  for (const summary of await lab.root.locator(".server summary").all()) await summary.click();
  for (const [name, text] of Object.entries({ "arrival-cv": "3", "output-cv": "1", "cached-share": "0,5", "max-queue": "10" })) {
    await type(lab, name, text);
  }
  const expected = await lab.run({ arrival_cv: 3, output_cv: 1, cached_share: 0.5, max_queue: 10 });
  await lab.shows(expected);
  expect(expected.rejected).toBeGreaterThan(0);
  await expect(lab.figure("rejected")).toHaveText(String(expected.rejected));
  await lab.action("lessons-server").click();
  await lab.showsPublished(5);
  await expect(lab.figure("rejected")).toHaveText("0");
});

test("Little's law holds on the page as it does in the engine", async ({ lab }) => {
  await lab.stop(6).click();
  const slot = (name) => lab.root.locator(`[data-little=${name}]`);
  await expect(slot("l")).not.toHaveText("38.17");
  expect(await slot("product").textContent()).toBe(await slot("l").textContent());
});
