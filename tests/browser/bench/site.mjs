// Serves what the benchmark opens, from one origin:
//
//   /site/    the built site, under its own Content-Security-Policy
//   /peer/    the model in plain JavaScript
//   /bench/   the benchmark's own pages
//
// Every answer asks for cross-origin isolation: Chromium's clock then has steps of 5 us instead of 100.

import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { CSP } from "../server.mjs";

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));

const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

function folder(path, headers) {
  const setHeaders = (response) => {
    for (const [name, value] of Object.entries({ ...ISOLATION, ...headers })) response.setHeader(name, value);
  };
  return sirv(path, { dev: true, setHeaders });
}

/** Starts the server on a free port of 127.0.0.1 and resolves to its addresses. */
export async function serveBench(dist = process.env.GOODPUT_DIST || fromHere("../../../dist")) {
  if (!existsSync(`${dist}/index.html`)) {
    throw new Error(`${dist} holds no index.html: run \`cargo xtask build\` first`);
  }
  const { glue, wasm } = engineModule(dist);
  const mounts = {
    "/site": folder(dist, { "Content-Security-Policy": CSP }),
    "/peer": folder(fromHere("../../peer")),
    "/bench": folder(fromHere("./")),
  };
  const server = createServer((request, response) => {
    const mount = Object.keys(mounts).find((path) => request.url.startsWith(`${path}/`));
    const notFound = () => response.writeHead(404).end("not found");
    if (!mount) return notFound();
    request.url = request.url.slice(mount.length);
    mounts[mount](request, response, notFound);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    lab: `${origin}/site/`,
    floor: `${origin}/bench/floor.html`,
    engine: `${origin}/bench/engine.html`,
    module: { glue: `${origin}/site/${glue}`, wasm: `${origin}/site/${wasm}` },
    close: () => server.close(),
  };
}

/** The engine's module and its glue, whose names carry a hash: the page's first module, not the one of the studies. */
function engineModule(dist) {
  const found = readdirSync(dist).filter((name) => /^goodput-web-.*_bg\.wasm$/.test(name));
  if (found.length !== 1) throw new Error(`${dist} holds ${found.length} files goodput-web-*_bg.wasm, not one`);
  const [wasm] = found;
  return { glue: wasm.replace("_bg.wasm", ".js"), wasm };
}
