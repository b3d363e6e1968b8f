// The gallery for authors: every line is copyable and names this site, every example works.

import { Lab, expect, listen, test } from "./support/lab.js";

test("every line names the site it stands on and can be copied", async ({ page, context, baseURL }) => {
  const complaints = [];
  await listen(page, complaints);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(baseURL).origin });
  await page.goto("/authors/");
  const lines = page.locator("pre code");
  const buttons = page.getByRole("button", { name: "Copy" });
  expect(await lines.count()).toBe(await page.locator(".copy").count());
  expect((await lines.allTextContents()).filter((text) => text.includes("HOST"))).toEqual([]);
  await buttons.first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`<iframe src="${baseURL}embed.html?rate=5&amp;view=lab" title=`);
  await expect(page.getByRole("status")).toHaveText("Copied");
  expect(complaints).toEqual([]);
});

test("every view in it runs", async ({ page, complaints }) => {
  test.setTimeout(90_000);
  await page.goto("/authors/");
  const views = page.locator("figure");
  await expect(views).toHaveCount(4);
  for (let index = 0; index < 4; index += 1) {
    await views.nth(index).scrollIntoViewIfNeeded();
    await new Lab(views.nth(index).frameLocator("iframe")).runs();
  }
  expect(complaints).toEqual([]);
});

test("every address in it is one that the lab takes", async ({ page, baseURL }) => {
  test.setTimeout(90_000);
  await page.goto("/authors/");
  const text = (await page.locator("pre code").allTextContents()).join("\n").replaceAll("&amp;", "&");
  const addresses = [...new Set(text.match(new RegExp(`${baseURL}(embed.html)?\\?[^"#\\s)]+`, "g")))];
  expect(addresses.length).toBeGreaterThanOrEqual(6);
  for (const address of addresses) {
    await page.goto(address);
    await new Lab(page).runs();
    await expect(page.locator("[data-refusals]"), address).toBeHidden();
  }
  const files = [...new Set(text.match(new RegExp(`${baseURL}[a-z/]*[a-z-]+\\.(svg|png|js|html)`, "g")))];
  expect(files.length).toBeGreaterThan(3);
  for (const address of files) expect((await page.request.get(address)).status(), address).toBe(200);
});

test("every parameter of the lab is in its table, and an attribute of the element, and no other", async ({ lab }) => {
  await lab.page.goto("/?speed=9");
  await lab.runs();
  const sentence = await lab.root.locator("[data-refusals]").textContent();
  const known = /allowed are ([^.]*)\./.exec(sentence)[1].split(", ").sort();
  await lab.page.goto("/authors/");
  const named = await lab.page.locator("[aria-labelledby=parameters] tbody th code").allTextContents();
  expect(named.sort()).toEqual(known);
  // The element says where it stands by itself; it also takes attributes that are no parameters.
  const attributes = await lab.page.evaluate(() => customElements.get("goodput-lab").observedAttributes);
  expect([...attributes, "parent-origin"].sort()).toEqual([...known, "aria-label", "src", "title"].sort());
});
