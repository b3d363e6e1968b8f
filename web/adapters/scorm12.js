// WARNING: scores made in the learner's browser can be forged by the learner. Use them for feedback, not for exams.
//
// Reports the <goodput-lab> of sco.html to a course system that speaks SCORM 1.2: the best score in per cent, whether the task
// is done, the time spent, and the scenario, so that the next visit starts where this one ended.
"use strict";

(() => {
  // Deeper than any course system nests its frames; a ring of openers would never end.
  const DEEPEST = 20;

  /** The course system's `API`: in a window around this one, or around the one that opened this one. */
  function findApi() {
    const above = (from) => {
      for (let [here, depth] = [from, 0]; here && depth < DEEPEST; depth += 1) {
        try {
          if (here.API) return here.API;
        } catch {
          // A window of another origin may still stand below the right one.
        }
        if (here.parent === here) return null;
        here = here.parent;
      }
      return null;
    };
    return above(window) ?? above(window.opener);
  }

  const show = (state) => {
    for (const sentence of document.querySelectorAll("[data-scorm]")) sentence.hidden = sentence.dataset.scorm !== state;
  };

  /** As SCORM 1.2 writes a time span: HHHH:MM:SS.SS. */
  function timeSpan(ms) {
    const seconds = ms / 1000;
    const two = (value) => String(Math.floor(value)).padStart(2, "0");
    const hundredths = two((seconds * 100) % 100);
    return `${two(seconds / 3600).padStart(4, "0")}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${hundredths}`;
  }

  const api = findApi();
  // The course system answers with text, also for truth.
  if (!api || String(api.LMSInitialize("")) !== "true") {
    show("alone");
    return;
  }
  show("connected");

  const lab = document.querySelector("goodput-lab");
  const since = performance.now();
  let finished = false;
  const get = (name) => api.LMSGetValue(`cmi.${name}`);
  const put = (name, value) => api.LMSSetValue(`cmi.${name}`, String(value));
  const done = () => ["completed", "passed"].includes(get("core.lesson_status"));

  if (!done()) put("core.lesson_status", "incomplete");
  try {
    lab.scenario = JSON.parse(get("suspend_data"));
  } catch {
    // A first visit has none.
  }
  api.LMSCommit("");

  lab.addEventListener("lab-complete", ({ detail: { score, max } }) => {
    if (finished) return;
    // SCORM 1.2 takes scores from 0 to 100 only.
    const percent = max > 0 ? Math.round((100 * score) / max) : 0;
    const before = get("core.score.raw");
    if (before === "" || percent > Number(before)) {
      put("core.score.min", 0);
      put("core.score.max", 100);
      put("core.score.raw", percent);
    }
    put("core.lesson_status", "completed");
    api.LMSCommit("");
    show("reported");
  });

  // Not `unload`: telephones do not fire it, and it bars the page from the browser's cache of pages.
  addEventListener("pagehide", () => {
    if (finished) return;
    finished = true;
    put("suspend_data", JSON.stringify(lab.scenario));
    put("core.session_time", timeSpan(performance.now() - since));
    put("core.exit", done() ? "" : "suspend");
    api.LMSCommit("");
    api.LMSFinish("");
  });
})();
