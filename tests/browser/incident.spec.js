// "What went wrong?": an incident to solve from its dashboard, in the second module.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./support/lab.js";

// Incidents by number, which are the same for ever: `cargo test -p goodput-incidents` knows them.
const BURST = 3;
const CLEARED_CACHE = 5;
const CAUSES = [
  "a burst",
  "long prompts",
  "a cleared prefix cache",
  "a lost replica",
  "KV pressure",
  "a slower GPU",
  "a retry storm",
];

const game = (page) => {
  const room = page.locator("[data-study=incident]");
  return {
    room,
    title: room.locator("h3").first(),
    panels: room.locator(".board figure"),
    cause: (name) => room.getByRole("radio", { name }),
    commit: room.getByRole("button", { name: "Commit" }),
    another: room.getByRole("button", { name: "Another incident" }),
    judged: room.locator(".judged"),
    onsets: room.locator("path.onset"),
    telling: room.locator("figure.tells"),
    score: room.locator(".judged .note"),
  };
};

/** Opens the page at an incident, which opens the game. */
async function at(page, number) {
  await page.goto(`/#incident=${number}`);
  const played = game(page);
  await expect(played.title).toHaveText(`Incident ${number}`);
  return played;
}

test("an incident is solved by keyboard alone, and then the next one", async ({ page }) => {
  await page.goto("/");
  const { room, title, cause, commit, judged, another } = game(page);
  await expect(room).not.toHaveAttribute("open");
  await room.locator("> summary").focus();
  await page.keyboard.press("Enter");
  await expect(title).toHaveText(/^Incident \d{1,6}$/);
  await expect(judged).toBeHidden();
  // The link to the incident, the table, the causes.
  for (let press = 0; press < 3; press++) await page.keyboard.press("Tab");
  await expect(cause(CAUSES[0])).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(cause(CAUSES[1])).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(commit).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(judged.locator("h3")).toBeFocused();
  await expect(judged.locator("h3")).toHaveText(/^(✓ Right: long prompts\.|✗ Not long prompts, but .+\.)$/);
  await page.keyboard.press("Shift+Tab");
  await expect(another).toBeFocused();
  const before = await title.textContent();
  await page.keyboard.press("Enter");
  await expect(title).toBeFocused();
  await expect(title).not.toHaveText(before);
  await expect(judged).toBeHidden();
  await expect(room.getByRole("radio", { checked: true })).toHaveCount(0);
});

test("a wrong answer is told what gave it away, what speaks against it, and what to do", async ({ page }) => {
  const { cause, commit, judged, telling, onsets, score } = await at(page, CLEARED_CACHE);
  await expect(onsets).toHaveCount(0);
  await expect(telling).toHaveCount(0);
  await cause("KV pressure").check();
  await commit.click();
  await expect(judged.locator("h3")).toHaveText("✗ Not KV pressure, but a cleared prefix cache.");
  await expect(judged).toContainText("The cache hit rate fell from 73 % to 0 %");
  await expect(judged).toContainText("Against KV pressure: one sequence took");
  await expect(judged).toContainText("What to do? Look for what changed");
  await expect(judged).toContainText("It set in at 6:14");
  await expect(onsets).toHaveCount(14);
  await expect(telling).toHaveCount(1);
  await expect(telling).toContainText("Prefix cache hits");
  await expect(telling).toContainText("This gave it away");
  await expect(score).toContainText("0 of 1 right");
});

test("the score is of this session alone, and the first answer counts", async ({ page }) => {
  const { cause, commit, judged, score, another, title } = await at(page, BURST);
  await cause("a burst").check();
  await commit.click();
  await expect(judged.locator("h3")).toHaveText("✓ Right: a burst.");
  await expect(score).toContainText("1 of 1 right");
  await expect(commit).toBeHidden();
  await expect(cause("a burst")).toBeDisabled();
  await another.click();
  await expect(title).not.toHaveText(`Incident ${BURST}`);
  await page.goto(`/#incident=${CLEARED_CACHE}`);
  await expect(title).toHaveText(`Incident ${CLEARED_CACHE}`);
  await cause("a burst").check();
  await commit.click();
  await expect(score).toContainText("1 of 2 right");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /incident/.test(key)))).toEqual([]);
});

test("nothing is committed without a choice", async ({ page }) => {
  const { commit, judged } = await at(page, BURST);
  await commit.click();
  await expect(judged).toBeHidden();
});

test("the address opens an incident, and the same one again", async ({ page }) => {
  const first = await at(page, 4711);
  const table = await first.room.locator("table").textContent();
  await expect(first.room.getByRole("link", { name: "Link to this incident" })).toHaveAttribute("href", "#incident=4711");
  await page.reload();
  await expect(first.title).toHaveText("Incident 4711");
  expect(await first.room.locator("table").textContent()).toBe(table);
  // The lab takes no notice of it.
  await expect(page.locator("[data-lab] [data-refusal]")).toBeHidden();
});

test("each chart is said in words and in a table, and none of them gives the cause away", async ({ page }) => {
  const { panels, room } = await at(page, CLEARED_CACHE);
  await expect(panels).toHaveCount(14);
  for (const panel of await panels.all()) {
    await expect(panel.getByRole("img")).toHaveAttribute("aria-label", /minute by minute: \S/);
    await expect(panel.locator("> p")).toHaveText(/lowest .+, highest .+, at the end/);
    await expect(panel).not.toContainText(/burst|cleared|lost|pressure|slower|storm|before|onset/i);
  }
  await room.locator("details summary").click();
  await expect(room.getByRole("row")).toHaveCount(11);
});

for (const colorScheme of ["light", "dark"]) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    for (const when of ["before", "after"]) {
      test(`axe finds nothing ${when} the answer`, async ({ page }) => {
        const { cause, commit, room, telling } = await at(page, BURST);
        await room.locator("details summary").click();
        if (when === "after") {
          await cause("a lost replica").check();
          await commit.click();
          await expect(telling).toBeVisible();
        }
        const { violations, passes } = await new AxeBuilder({ page })
          .include("[data-study=incident]")
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
          .analyze();
        expect(passes.length).toBeGreaterThan(5);
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
      });
    }
  });
}

for (const width of [320, 768]) {
  test(`at ${width} px nothing scrolls sideways, and charts are as wide as their place`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const { panels } = await at(page, BURST);
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content).toBeLessThanOrEqual(window);
    const lefts = await panels.evaluateAll((all) => all.map((panel) => Math.round(panel.getBoundingClientRect().left)));
    expect(new Set(lefts).size).toBe(width === 320 ? 1 : 2);
  });
}

test("without JavaScript its words stand there", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL);
  const { room } = game(page);
  await room.locator("> summary").click();
  await expect(room.locator("> p").first()).toBeVisible();
  await context.close();
});

test("a frame that shows the lab alone does not load it", async ({ page }) => {
  const urls = [];
  page.on("request", (request) => /goodput-studies-/.test(request.url()) && urls.push(request.url()));
  await page.goto("/embed.html#incident=3", { waitUntil: "networkidle" });
  expect(urls).toEqual([]);
});
