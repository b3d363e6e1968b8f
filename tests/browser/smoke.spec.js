import { expect, test } from "@playwright/test";

test("the page opens, has a title and leaves the console clean", async ({ page }) => {
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));

  await page.goto("/", { waitUntil: "networkidle" });

  await expect(page).toHaveTitle(/\S/);
  expect(complaints).toEqual([]);
});
