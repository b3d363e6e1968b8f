// Starts the engine. Trunk writes this file's script tag and puts the names of the hashed files
// on it: data-js (the glue that wasm-bindgen wrote) and data-wasm (the module).
//
// A classic script on purpose: it knows its own tag, and it still runs, and can say so, where
// modules cannot be loaded (a sandboxed frame without CORS, a page opened from the disk).
"use strict";

(() => {
  const files = document.currentScript.dataset;
  const here = (path) => new URL(path, document.baseURI).href;

  // The glue streams a response only if its type says wasm, and warns on the console otherwise;
  // many a plain host sends .wasm as application/octet-stream, so those are handed over as bytes.
  async function fetchModule(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: HTTP status ${response.status}`);
    const type = response.headers.get("Content-Type") ?? "";
    return type.startsWith("application/wasm") ? response : response.arrayBuffer();
  }

  async function load({ js, wasm }) {
    const [glue, module_or_path] = await Promise.all([import(here(js)), fetchModule(here(wasm))]);
    await glue.default({ module_or_path });
    return glue;
  }

  async function start() {
    if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
    const glue = await load(files);
    // Each step in a task of its own, so that the page answers in between.
    const pause = () => new Promise((resolve) => setTimeout(resolve));
    do await pause();
    while (glue.prepare());
    await pause();
    glue.open();
    return glue;
  }

  // The words are the page's own, in index.html; here they are only brought to light.
  function show(failure) {
    // Without an engine nobody can be asked for a guess: the answers stand there instead.
    const guess = document.querySelector("[data-guess]");
    if (guess && failure === "start") guess.dataset.state = "skipped";
    for (const group of document.querySelectorAll("[data-controls]")) group.disabled = true;
    const sentences = [...document.querySelectorAll(`[data-failure="${failure}"]`)];
    for (const sentence of sentences) sentence.hidden = false;
    tell(sentences[0]?.textContent.replace(/\s+/g, " ").trim());
  }

  // The engine cannot say so itself any more: to those who listen in this page, and to the page around a frame.
  function tell(message) {
    const detail = { message };
    document.querySelector("[data-lab]")?.dispatchEvent(new CustomEvent("lab-error", { detail, bubbles: true }));
    if (parent !== window && "embed" in document.documentElement.dataset) {
      parent.postMessage({ lab: "goodput-lab", v: 1, id: "", type: "lab-error", payload: detail }, "*");
    }
  }

  const lab = start();
  lab.catch((error) => {
    console.error("The engine did not start.", error);
    show("start");
  });

  // The studies are a module of their own, which names its files on its part of the page and comes when one is opened.
  const part = document.querySelector("[data-studies]");
  let studies;
  function say(state, study) {
    for (const sentence of part.querySelectorAll("[data-when]")) {
      sentence.hidden = sentence.dataset.when !== state;
      study?.append(sentence);
    }
  }
  async function enter({ target }) {
    if (!target.open || !target.dataset.study) return;
    say(studies ? "" : "loading", target);
    try {
      studies ??= load(part.dataset);
      (await studies).enter(target, (await lab).current());
      say();
    } catch (error) {
      console.error("The study did not open.", error);
      studies = undefined;
      say("failed", target);
    }
  }
  part?.addEventListener("toggle", enter, { capture: true });
  // An address may lead to an incident, also to one by its number: its place opens, where it is shown.
  function openIncident() {
    const place = location.hash.startsWith("#incident") && document.getElementById("incident");
    if (!place || place.open || !place.getClientRects().length) return;
    place.open = true;
    place.scrollIntoView();
  }
  addEventListener("hashchange", openIncident);
  openIncident();

  // A panic or a trap in the engine ends in an error event, whoever called it. Its memory is not to be trusted any more:
  // nothing reaches it from then on, and what its timers and observers still throw is old news.
  let stopped = false;
  const isTrap = (error) => typeof WebAssembly === "object" && error instanceof WebAssembly.RuntimeError;
  addEventListener("error", (event) => {
    if (!isTrap(event.error)) return;
    // The glue of the studies is on the stack when it is they that stopped.
    if (part && String(event.error.stack).includes(part.dataset.js.slice(2))) {
      say("failed");
      return;
    }
    if (stopped) event.preventDefault();
    stopped = true;
    show("stop");
  });
  const HEARD = "input change click toggle submit focus blur pointerdown pointermove pointerleave pointercancel";
  for (const type of HEARD.split(" ")) {
    const hold = (event) => {
      if (stopped && event.target instanceof Element && event.target.closest("[data-lab]")) event.stopImmediatePropagation();
    };
    addEventListener(type, hold, { capture: true });
  }
})();
