// Keeps the page on the reader's device, if the reader asks for it by ticking a box; before that nothing is stored.
// A file of its own, because the box must work, and can be unticked, where the engine does not start.
"use strict";

(() => {
  // A frame is a part of somebody else's page, and a page opened from the disk is on the device already.
  const isOurs = window === window.top && !document.documentElement.hasAttribute("data-embed");
  if (!isOurs || !location.protocol.startsWith("http") || !("serviceWorker" in navigator)) return;

  const workers = navigator.serviceWorker;
  const scope = new URL("./", document.baseURI).href;
  const part = document.querySelector("[data-offline]");
  const box = part.querySelector("input");

  function say(state) {
    for (const sentence of part.querySelectorAll("[data-when]")) sentence.hidden = sentence.dataset.when !== state;
  }

  /** Our own registration: a worker of a folder above is somebody else's. */
  async function registered() {
    const found = await workers.getRegistration(scope);
    return found?.scope === scope ? found : undefined;
  }

  /** Resolves when all files are kept. */
  function activated(worker) {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (worker.state === "activated") resolve();
        if (worker.state === "redundant") reject(new Error("the files could not be kept"));
      };
      worker.addEventListener("statechange", look);
      look();
    });
  }

  // What lets a browser install the page stands in the document only now: a host's policy that knows no manifests has
  // nothing to refuse as long as nobody asks.
  function offerToInstall(offered) {
    document.querySelector("link[rel=manifest]")?.remove();
    if (!offered) return;
    const link = document.createElement("link");
    link.rel = "manifest";
    link.href = "manifest.webmanifest";
    document.head.append(link);
  }

  async function keep() {
    const registration = await workers.register("sw.js", { scope, updateViaCache: "none" });
    await activated(registration.installing ?? registration.waiting ?? registration.active);
    offerToInstall(true);
  }

  async function forget() {
    offerToInstall(false);
    await (await registered())?.unregister();
    // The name of a cache ends with the folder it is for (sw.js); another version's folder has its own box.
    for (const name of await caches.keys()) {
      if (name.startsWith("goodput-lab ") && name.endsWith(` ${scope}`)) await caches.delete(name);
    }
  }

  box.addEventListener("change", async () => {
    const { checked } = box;
    box.disabled = true;
    say(checked ? "keeping" : "");
    try {
      await (checked ? keep() : forget());
      say(checked ? "kept" : "forgotten");
    } catch {
      await forget().catch(() => {});
      box.checked = false;
      say("failed");
    }
    box.disabled = false;
  });

  registered()
    .then((found) => {
      box.checked = Boolean(found?.active);
      offerToInstall(box.checked);
      part.hidden = false;
    })
    // A browser that blocks storage blocks this, too: then there is nothing to offer.
    .catch(() => {});
})();
