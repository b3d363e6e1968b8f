// A host page and a lab of stubs, on two origins that exist only in the test.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const HOST = "https://host.test";
export const LAB = "https://lab.test";

/** A file of the repository, as text. */
export const file = (path) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

const STUB = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Stub</title>
  <script src="stub-embed.js"></script><p>The lab.</p>`;

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Serves texts by path on an origin; anything else is 404. Returns the paths asked for, with their queries. */
export async function serveAt(page, origin, files, headers = {}) {
  const asked = [];
  await page.route(`${origin}/**`, (route) => {
    const { pathname, search } = new URL(route.request().url());
    asked.push(pathname + search);
    const body = files[pathname];
    if (body === undefined) return route.fulfill({ status: 404, contentType: "text/plain", body: "not found" });
    return route.fulfill({ contentType: TYPES[pathname.split(".").at(-1)] ?? "text/html", body, headers });
  });
  return asked;
}

/** The site of the lab: the element's script beside the stub. */
export const serveLab = (page) =>
  serveAt(page, LAB, {
    "/v1/goodput-lab.js": file("web/element/goodput-lab.js"),
    "/v1/embed.html": STUB,
    "/v1/stub-embed.js": file("tests/browser/support/stub-embed.js"),
  });

/** The files of a lab beside others on one origin. */
export const labFiles = (folder = "") => ({
  [`${folder}/goodput-lab.js`]: file("web/element/goodput-lab.js"),
  [`${folder}/embed.html`]: STUB,
  [`${folder}/stub-embed.js`]: file("tests/browser/support/stub-embed.js"),
});

/** A page of somebody else's. */
export const hostPage = (body, head = "") => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
  <link rel="icon" href="data:,">${head}<script src="${LAB}/v1/goodput-lab.js" defer></script></head><body>${body}</body></html>`;
