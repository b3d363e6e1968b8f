// The service worker of our own page. offline.js registers it when the reader ticks the box, and never before.
//
// The build writes two lines in front of this file: RELEASE, the version with a digest of the files, and FILES, their
// names. A new release is a new worker, because these lines differ, and it brings its files into a cache of its own.
"use strict";

const PREFIX = "goodput-lab ";
const { scope } = self.registration;
const CACHE = `${PREFIX}${RELEASE} ${scope}`;

// Past the browser's own store, which may still hold files of the release before.
async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOlder() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(PREFIX) && name.endsWith(` ${scope}`) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

/** The name in FILES that an address asks for: the page answers whatever its parameters, and by both its names. */
function fileOf(url) {
  const { origin, pathname } = new URL(url);
  const name = `${origin}${pathname}`.slice(scope.length);
  const file = name === "" || name === "index.html" ? "./" : name;
  return url.startsWith(scope) && FILES.includes(file) ? file : undefined;
}

/** From the network as long as there is one, so nobody is held back at an old release. */
async function answer(request, file) {
  const kept = async () => (await caches.open(CACHE)).match(file);
  try {
    const fresh = await fetch(request);
    return fresh.ok ? fresh : ((await kept()) ?? fresh);
  } catch (error) {
    const copy = await kept();
    if (copy) return copy;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(dropOlder()));
addEventListener("fetch", (event) => {
  const file = event.request.method === "GET" ? fileOf(event.request.url) : undefined;
  if (file) event.respondWith(answer(event.request, file));
});
