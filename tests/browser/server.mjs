// Serves the built site as a strict static host would: with the Content-Security-Policy that
// Trunk.toml states, and CORS open, so that a sandboxed frame can load it too.
//
//   /                  the site
//   /some/sub/folder/  the same site from a sub-folder
//   /octet/            the same site from a host that does not know the type of .wasm files
//   /host/             an empty page of somebody else's, without any policy; under the name localhost it has another origin
//
// Everything else is 404. Run by itself: `GOODPUT_PORT=8090 node server.mjs`.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import sirv from "sirv";

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The policy the page must live with; Trunk.toml is the one place that states it. */
export const CSP = readPolicy(fromHere("../../Trunk.toml"));

const HOST_PAGE = '<!doctype html><title>Host</title><link rel="icon" href="data:,"><body></body>';

const MOUNTS = ["/some/sub/folder", "/octet", ""];

function readPolicy(trunkToml) {
  const found = /"Content-Security-Policy"\s*=\s*"([^"]+)"/.exec(readFileSync(trunkToml, "utf8"));
  if (!found) throw new Error(`${trunkToml} states no Content-Security-Policy`);
  return found[1];
}

function siteHandler(dist) {
  const strict = (response) => {
    response.setHeader("Content-Security-Policy", CSP);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("X-Content-Type-Options", "nosniff");
  };
  const unaware = (response, path) => {
    strict(response);
    if (path.endsWith(".wasm")) response.setHeader("Content-Type", "application/octet-stream");
  };
  // `dev` reads the folder at every request, so a rebuild needs no restart.
  const plain = sirv(dist, { dev: true, setHeaders: strict });
  const octet = sirv(dist, { dev: true, setHeaders: unaware });

  return (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/host/") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(HOST_PAGE);
      return;
    }
    const mount = MOUNTS.find((folder) => pathname === folder || pathname.startsWith(`${folder}/`));
    if (pathname === mount) {
      response.writeHead(301, { Location: `${mount}/` }).end();
      return;
    }
    request.url = request.url.slice(mount.length);
    const site = mount === "/octet" ? octet : plain;
    site(request, response, () => response.writeHead(404).end("not found"));
  };
}

/** Starts the server on 127.0.0.1 and resolves to it; port 0 takes any free port. */
export function serve({ dist = process.env.GOODPUT_DIST ?? fromHere("../../dist"), port = 0 } = {}) {
  if (!existsSync(`${dist}/index.html`)) {
    throw new Error(`${dist} holds no index.html: run \`cargo xtask build\` first`);
  }
  const server = createServer(siteHandler(dist));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve({ port: Number(process.env.GOODPUT_PORT ?? 8090) });
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
