// What must be known before the first paint, and so in the head and before the body on purpose: which parts of the page the
// address asks for, the colours, and whether a reader is asked for a guess, because the questions take room. The engine
// reads the same names and decides.
"use strict";

(() => {
  const page = document.documentElement;
  const framed = "embed" in page.dataset;
  const asked = new URLSearchParams(location.search);
  const recall = (key) => {
    try {
      return framed ? null : localStorage.getItem(`goodput-lab.${key}`);
    } catch {
      // A sandboxed frame or a strict browser: nothing is remembered, each visit is the first.
      return null;
    }
  };
  const one = (name, ...allowed) => allowed.find((value) => value === asked.get(name));
  const view = one("view", "lab", "lesson", "predict", "challenge") ?? (framed ? "lab" : "lesson");
  const asks = one("predict", "on", "off") ?? (view === "lesson" || view === "predict" ? "on" : "off");
  const scheme = one("theme", "light", "dark") ?? recall("scheme");
  page.dataset.view = view;
  page.dataset.hide = (asked.get("hide") ?? "").replaceAll(",", " ");
  page.dataset.visit = asks === "on" && recall("guess") === null ? "first" : "another";
  if (scheme) page.dataset.scheme = scheme;
})();
