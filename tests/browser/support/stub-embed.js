// Runs in a frame in place of embed.html: speaks its protocol, computes nothing. `?stub=` makes it misbehave:
// `silent` says nothing, `deaf` hears nothing, `grow` has a content that is always taller than its frame.
"use strict";

(() => {
  const query = new URLSearchParams(location.search);
  const stub = query.get("stub");
  const parentOrigin = query.get("parent-origin");
  const initial = { rate: Number(query.get("rate") ?? 5), seed: query.get("seed") ?? "lesson", max_batch: Number(query.get("max-batch") ?? 64) };
  let scenario = { ...initial };
  let id = "";
  let trusted = false;
  let settling = 0;

  // For the test to look at.
  window.received = [];

  const post = (type, payload, more) =>
    parent.postMessage({ lab: "goodput-lab", v: 1, id, type, payload, ...more }, trusted ? parentOrigin : "*");
  const summary = () => ({ rate_per_s: scenario.rate, scenario: { ...scenario } });
  const result = () => post("lab-result", summary(), { text: `${scenario.rate} requests/s, in words.` });

  function change(next) {
    if (JSON.stringify(next) === JSON.stringify(scenario)) return result();
    scenario = next;
    post("lab-change", summary());
    clearTimeout(settling);
    settling = setTimeout(result, 60);
  }

  function take(payload) {
    if (payload.action === "reset") return change({ ...initial });
    if (payload.action === "pin") return result();
    const next = { ...scenario };
    for (const [name, value] of Object.entries(payload)) {
      const field = name.replaceAll("-", "_");
      if (!(field in scenario)) continue;
      if (field !== "seed" && !(Number(value) > 0)) {
        post("lab-error", { message: `${name} = ${value} is not allowed` });
        return setTimeout(result, 10);
      }
      next[field] = field === "seed" ? value : Number(value);
    }
    change(next);
  }

  addEventListener("message", ({ source, origin, data }) => {
    if (stub === "deaf" || source !== parent || origin !== parentOrigin) return;
    window.received.push(data);
    if (data.type === "init") [id, trusted] = [data.id, true];
    take(data.payload);
  });

  // What a learner does, for a test to call.
  window.learner = { moves: (rate) => change({ ...scenario, rate }), posts: post };

  if (stub === "silent") return;
  addEventListener("DOMContentLoaded", () => {
    if (stub === "grow") addEventListener("resize", () => post("lab-height", { height: innerHeight + 10 }));
    post("lab-ready", { version: "9.9.9", height: 300 });
    if (stub === "grow") post("lab-height", { height: 310 });
  });
})();
