// What must be known before the first paint, and so in the head and before the body on purpose: whether a reader is here for
// the first time and is asked for a guess, because the questions take room; and the colours the reader chose. The engine
// reads the same keys and decides.
"use strict";

(() => {
  const recall = (key) => {
    try {
      return localStorage.getItem(`goodput-lab.${key}`);
    } catch {
      // A sandboxed frame or a strict browser: nothing is remembered, each visit is the first.
      return null;
    }
  };
  const page = document.documentElement;
  page.dataset.visit = recall("guess") === null ? "first" : "another";
  const scheme = recall("scheme");
  if (scheme) page.dataset.scheme = scheme;
})();
