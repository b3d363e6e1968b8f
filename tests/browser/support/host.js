// A page of somebody else's with the lab in a frame, which keeps what it hears.

import { Lab } from "./lab.js";

/** The host's origin: the same server as the site's, under another name. */
export const hostOf = (baseURL) => new URL(baseURL).origin.replace("127.0.0.1", "localhost");

/**
 * Opens a host page with one frame and resolves to its lab, running.
 * `query` are the frame's parameters, `attributes` those of the iframe, `greet` the payload of the host's `init`.
 */
export async function hosted(page, baseURL, { query = {}, attributes = `width="1200" height="700"`, greet } = {}) {
  await page.goto(`${hostOf(baseURL)}/host/`);
  const src = new URL("embed.html", baseURL);
  for (const [name, value] of Object.entries(query)) src.searchParams.append(name, value);
  await page.evaluate(
    ({ src, attributes, greet }) => {
      window.heard = [];
      addEventListener("message", ({ data, origin, source }) => {
        heard.push({ at: performance.now(), origin, data });
        if (greet && data.type === "lab-ready") source.postMessage({ lab: "goodput-lab", v: 1, id: "one", type: "init", payload: greet }, "*");
      });
      document.body.insertAdjacentHTML("beforeend", `<iframe title="lab" ${attributes} src="${src}"></iframe>`);
    },
    { src: src.href, attributes, greet },
  );
  const lab = new Lab(page.frameLocator("iframe"));
  await lab.runs();
  return lab;
}

/** What the host has heard of a type. */
export const heard = (page, type) =>
  page.evaluate((type) => heard.filter(({ data }) => data.type === type).map(({ data }) => data), type);

/** Sends a message to the frame. */
export const post = (page, message, target = "*") =>
  page.evaluate(({ message, target }) => frames[0].postMessage(message, target), { message, target });

/** A message of the contract. */
export const message = (type, payload, id = "one") => ({ lab: "goodput-lab", v: 1, id, type, payload });
