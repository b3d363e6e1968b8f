// What the contract with authors says of the messages of a lab, rule by rule. Knows no page: messages go in, verdicts come out.

const whole = (value) => Number.isInteger(value) && value > 0;
const text = (value) => typeof value === "string" && value !== "";
const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const summary = (payload) => Number.isFinite(payload.rate_per_s) && object(payload.scenario);

/** The types of messages and what their payloads must be. */
const PAYLOADS = {
  "lab-ready": ({ version, height }) => text(version) && whole(height),
  "lab-height": ({ height }) => whole(height),
  "lab-error": ({ message }) => text(message) && !message.includes("\n"),
  "lab-change": summary,
  "lab-result": summary,
  "lab-predict": (payload) => Object.keys(payload).length > 0,
  "lab-goal": ({ goal, done, of }) => text(goal) && whole(done) && whole(of) && done <= of,
  "lab-answer": ({ question, correct }) => text(question) && typeof correct === "boolean",
  "lab-complete": ({ score, max }) => Number.isFinite(score) && Number.isFinite(max) && score >= 0 && score <= max,
};
const FOR_ANYBODY = ["lab-ready", "lab-height", "lab-error"];

const SECOND_MS = 1000;
/** A run settles 0.4 s after the last change; a slow machine may take its time. */
const PATIENCE_MS = 5000;

export const RULES = {
  shape: "Every message has lab, v, id, type and payload, and nothing but text beside them",
  type: "Every type is one of the nine",
  payload: "Every payload has the fields of its type",
  ready: "lab-ready says that the engine runs",
  order: "Before a valid init come only lab-ready, lab-height and lab-error",
  id: "The id is empty, and after init the one given",
  text: "lab-result says the verdict in words",
  height: "No height is said twice in a row",
  canvas: "Each height goes to Canvas, too (lti.frameResize)",
  changes: "At most 10 lab-change in a second",
  rate: "At most 20 messages in a second",
  answer: "Each valid init and set is answered by lab-result or lab-error",
};

/** Follows one lab from its loading on. */
export class Contract {
  /** Rule to `{state, detail}`: "none" until there was something to judge, then "pass" until the first "fail". */
  verdicts = new Map(Object.keys(RULES).map((rule) => [rule, { state: "none", detail: "" }]));
  #id = "";
  #initAt = null;
  #asked = null;
  #height = null;
  #resized = null;
  #times = [];
  #changes = [];

  #judge(rule, holds, detail) {
    const verdict = this.verdicts.get(rule);
    if (verdict.state === "fail") return holds;
    this.verdicts.set(rule, holds ? { state: "pass", detail: "" } : { state: "fail", detail });
    return holds;
  }

  /** This page has sent a message that the lab must answer. */
  sent({ type, id }, at) {
    if (type === "init") {
      this.#initAt = at;
      this.#id = id;
    }
    if (this.#initAt !== null) this.#asked ??= at;
  }

  /** The lab has sent a message. Returns the rules it breaks. */
  heard(message, at) {
    const broken = [];
    const check = (rule, holds, detail) => {
      if (!holds) broken.push(rule);
      return this.#judge(rule, holds, detail);
    };
    this.#crowd(check, "rate", this.#times, 20, at);
    if (message?.subject === "lti.frameResize") {
      this.#resized = message.height;
      check("canvas", whole(message.height), `height ${message.height}`);
      return broken;
    }

    const { lab, v, id, type, payload, ...more } = object(message) ? message : {};
    const plain = Object.values(more).every((value) => typeof value === "string");
    if (!check("shape", lab === "goodput-lab" && v === 1 && typeof id === "string" && object(payload) && plain, JSON.stringify(message))) {
      return broken;
    }
    if (!check("type", Object.hasOwn(PAYLOADS, type), String(type))) return broken;
    check("payload", PAYLOADS[type](payload), `${type}: ${JSON.stringify(payload)}`);
    if (type === "lab-ready") check("ready", true);
    if (!FOR_ANYBODY.includes(type)) check("order", this.#initAt !== null, type);
    // What was on its way when init was sent still bears no name.
    check("id", id === this.#id || (id === "" && FOR_ANYBODY.includes(type)), JSON.stringify(id));
    if (type === "lab-change") this.#crowd(check, "changes", this.#changes, 10, at);
    if (type === "lab-height") {
      check("height", payload.height !== this.#height, `${payload.height} px`);
      this.#height = payload.height;
    }
    if (type === "lab-result") check("text", text(message.text), "no text");
    if (this.#asked !== null && (type === "lab-result" || type === "lab-error")) {
      check("answer", true);
      this.#asked = null;
    }
    return broken;
  }

  /** Time has passed: what should have come by now? */
  waited(at) {
    if (this.#asked !== null && at - this.#asked > PATIENCE_MS) {
      this.#judge("answer", false, `nothing in ${PATIENCE_MS / 1000} s`);
      this.#asked = null;
    }
    if (this.#height !== null && this.#resized === null) this.#judge("canvas", false, "none came");
  }

  #crowd(check, rule, times, most, at) {
    times.push(at);
    while (at - times[0] >= SECOND_MS) times.shift();
    check(rule, times.length <= most, `${times.length} messages`);
  }
}
