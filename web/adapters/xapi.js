// WARNING: scores made in the learner's browser can be forged by the learner. Use them for feedback, not for exams.
//
// Turns what a <goodput-lab> tells into xAPI statements (version 1.0.3) and hands them to a function, or posts them to a
// Learning Record Store:
//
//   import { reportXapi } from "…/adapters/xapi.js";
//   const stop = reportXapi(document.querySelector("goodput-lab"), {
//     actor: { mbox: "mailto:learner@example.org" },
//     activity: "https://example.org/course/serving",   // the address of this page, if left out
//     endpoint: "https://lrs.example.org/xapi/", authorization: "Basic …",
//   });
//
// With `send: (statement) => …` instead of `endpoint` nothing leaves the page by itself.

const VERBS = "http://adlnet.gov/expapi/verbs/";
const SIMULATION = "http://adlnet.gov/expapi/activities/simulation";
const QUESTION = "http://adlnet.gov/expapi/activities/cmi.interaction";

/** A sender that posts to a Learning Record Store; what it refuses is told on the console. */
function postTo(endpoint, authorization) {
  const url = new URL("statements", endpoint.endsWith("/") ? endpoint : `${endpoint}/`);
  const headers = { "Content-Type": "application/json", "X-Experience-API-Version": "1.0.3" };
  if (authorization) headers.Authorization = authorization;
  return async (statement) => {
    try {
      // Kept alive, so that the last statement survives the closing of the page.
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(statement), keepalive: true });
      if (!response.ok) console.error(`The LRS at ${url} answered with HTTP status ${response.status}.`);
    } catch (error) {
      console.error(`The LRS at ${url} was not reached.`, error);
    }
  };
}

/** Reports from now on; returns a function that ends it. */
export function reportXapi(lab, { actor, activity = location.href, endpoint, authorization, send }) {
  if (!actor) throw new Error("an xAPI statement needs an actor");
  if (!send && !endpoint) throw new Error("say where statements go: send, a function, or endpoint, an address");
  const tell = send ?? postTo(endpoint, authorization);
  const whole = activity.split("#")[0];
  let moved = false;

  function say(verb, result, question) {
    tell({
      // Only secure pages can make one. Without it the LRS does.
      id: globalThis.crypto?.randomUUID?.(),
      actor,
      verb: { id: VERBS + verb, display: { en: verb } },
      object: {
        objectType: "Activity",
        id: question ? `${whole}#${encodeURIComponent(question)}` : whole,
        definition: question ? { type: QUESTION, interactionType: "other" } : { type: SIMULATION, name: { en: "Goodput Lab" } },
      },
      ...(result && { result }),
      ...(question && { context: { contextActivities: { parent: [{ id: whole }] } } }),
      timestamp: new Date().toISOString(),
    });
  }

  const heard = {
    "lab-ready": () => say("initialized"),
    "lab-change": () => {
      moved = true;
    },
    "lab-result": ({ scenario }) => {
      // The lab also tells the run it starts with, which is nobody's doing.
      if (moved) say("interacted", { extensions: { [`${whole}#scenario`]: scenario } });
      moved = false;
    },
    "lab-predict": (guess) => say("answered", { response: JSON.stringify(guess) }, "guess"),
    "lab-answer": ({ question, correct }) => say("answered", { success: correct }, question),
    "lab-complete": ({ score, max }) =>
      say("completed", {
        completion: true,
        score: { raw: score, min: 0, max, ...(max > 0 && { scaled: score / max }) },
      }),
  };
  const listeners = Object.entries(heard).map(([type, act]) => [type, ({ detail }) => act(detail)]);
  for (const [type, listener] of listeners) lab.addEventListener(type, listener);
  return () => listeners.forEach(([type, listener]) => lab.removeEventListener(type, listener));
}
