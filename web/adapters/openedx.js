// WARNING: scores made in the learner's browser can be forged by the learner. Use them for feedback, not for exams.
//
// Hands the score and the scenario of the <goodput-lab> of openedx.html to Open edX's JSInput, in both of its ways:
//
//   sop="false"  over messages in the format of jschannel. The few lines that JSInput needs of it stand below, because the
//                library is no longer kept. Name your LMS as data-lms on this script's tag, and no other page is answered.
//   sop="true"   functions of this window, for a page on the LMS's own origin.
//
//   <jsinput html_file="…/adapters/openedx.html" sop="false" width="100%" height="900" gradefn="GoodputLab.getGrade"
//            get_statefn="GoodputLab.getState" set_statefn="GoodputLab.setState" />
//
// The grade is text for your check function: {"score": 2, "max": 3}, {"score": 0, "max": 0} before the task is done.
"use strict";

(() => {
  const SCOPE = "JSInput::";
  const READY = `${SCOPE}__ready`;
  const { lms = "*" } = document.currentScript.dataset;
  const lab = () => document.querySelector("goodput-lab");
  let grade = { score: 0, max: 0 };

  document.addEventListener("lab-complete", ({ detail: { score, max } }) => {
    if (score >= grade.score) grade = { score, max };
  });

  // JSInput decodes what it gets as a piece of an address.
  const say = (value) => JSON.stringify(value).replaceAll("%", "%25");

  const GoodputLab = {
    getGrade: () => say(grade),
    getState: () => say({ grade, scenario: lab().scenario }),
    // Also before the lab has come: JSInput tries only for a second.
    setState(text) {
      const state = JSON.parse(text);
      if (state.grade) grade = state.grade;
      lab().scenario = state.scenario ?? {};
      return "";
    },
  };
  window.GoodputLab = GoodputLab;

  if (parent === window) return;
  // The library's old versions say "ping" and take anything else for the answer; the later ones want these objects.
  const ready = (type) => ({ method: READY, params: { type, publish: [] } });
  const post = (message, to) => parent.postMessage(JSON.stringify(message), to);

  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || (lms !== "*" && origin !== lms) || typeof data !== "string") return;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    const { id, method, params } = message ?? {};
    if (method === READY && (params === "ping" || params?.type === "publish-request")) post(ready("publish-reply"), origin);
    const name = String(method).slice(SCOPE.length);
    if (id === undefined || method !== SCOPE + name || !Object.hasOwn(GoodputLab, name)) return;
    try {
      post({ id, result: GoodputLab[name](params) }, origin);
    } catch (error) {
      post({ id, error: "runtime_error", message: error.message }, origin);
    }
  });
  // Whichever side comes second is heard.
  post(ready("publish-request"), lms);
})();
