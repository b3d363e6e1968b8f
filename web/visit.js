// Whether a reader is here for the first time, and so is asked for a guess. In the head and before the body on purpose:
// the questions take room, so it must be known before the first paint. The engine reads the same key and decides.
"use strict";

(() => {
  let known = null;
  try {
    known = localStorage.getItem("goodput-lab.guess");
  } catch {
    // A sandboxed frame or a strict browser: nothing is remembered, each visit is the first.
  }
  document.documentElement.dataset.visit = known === null ? "first" : "another";
})();
