// Two origins: the built site, as a strict host serves it, and somebody else's page with the lab in frames.

import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { CSP } from "../server.mjs";

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The page of the site that stands in the frames. */
const EMBED = "embed.html";

/** Names for one machine that browsers take for two sites: so the frames are third parties, as at a course's host. */
const [LAB_NAME, HOST_NAME] = ["127.0.0.1", "localhost"];

function listening(server, name) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, name, () => resolve({ url: `http://${name}:${server.address().port}`, close: () => server.close() }));
  });
}

/** Below it the site is served with a policy that names the site's address, too. */
export const NAMED = "named/";

/** The built site with one script more, which notes what goes wrong where no driver is told of it. */
export function serveSite(dist = process.env.GOODPUT_DIST ?? fromHere("../../../dist")) {
  if (!existsSync(`${dist}/${EMBED}`)) throw new Error(`${dist} holds no ${EMBED}: run \`cargo xtask build\` first`);
  const files = sirv(dist, { dev: true });
  const server = createServer((request, response) => {
    const isNamed = request.url.startsWith(`/${NAMED}`);
    if (isNamed) request.url = request.url.slice(NAMED.length);
    const self = isNamed ? `'self' http://${request.headers.host}` : "'self'";
    response.setHeader("Content-Security-Policy", CSP.replaceAll("'self'", self));
    response.setHeader("Access-Control-Allow-Origin", "*");

    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/note.js") {
      response.writeHead(200, { "Content-Type": "text/javascript" });
      return createReadStream(fromHere("note.js")).pipe(response);
    }
    if (pathname === `/${EMBED}`) {
      response.writeHead(200, { "Content-Type": "text/html" });
      const page = readFileSync(`${dist}/${EMBED}`, "utf8");
      return response.end(page.replace("<head>", '<head><script src="note.js"></script>'));
    }
    return files(request, response, () => response.writeHead(404).end("not found"));
  });
  return listening(server, LAB_NAME);
}

/** The address of the lab for a frame. */
export function lab(site, parameters = {}, folder = "") {
  return `${site}/${folder}${EMBED}?${new URLSearchParams(parameters)}`;
}

/** A page of somebody else's around its frames. Its colours are in a style sheet, since it may have a strict policy. */
export function serveHost({ attributes = "", body, csp, style = "" }) {
  const page = `<!doctype html>
<html lang="en" ${attributes}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Somebody else's course</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="host.css">
  </head>
  <body>${body}</body>
</html>
`;
  const server = createServer((request, response) => {
    if (csp) response.setHeader("Content-Security-Policy", csp);
    const isStyle = request.url === "/host.css";
    response.writeHead(200, { "Content-Type": isStyle ? "text/css" : "text/html" });
    response.end(isStyle ? `body { margin: 0; }\niframe { border: 0; display: block; }\n${style}` : page);
  });
  return listening(server, HOST_NAME);
}
