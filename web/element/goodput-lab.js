// <goodput-lab>: the lab in somebody else's page. Types and explanations: goodput-lab.d.ts.
//
// A classic script, because it finds embed.html beside itself by its own tag.
"use strict";

(() => {
  const NAME = "goodput-lab";
  // A page may load the script twice.
  if (customElements.get(NAME)) return;

  const script = document.currentScript?.src || document.baseURI;
  const SCENARIO =
    "rate seed horizon warmup max-batch prompt output prefill-ms-per-1k step-ms per-seq-ms slo-ttft-ms slo-tpot-ms arrival-cv spike-factor spike-from spike-to prompt-cv output-cv output-law cached-share cached-prompt token-budget kv-tokens replicas routing prefill-replicas transfer-ms-per-1k autoscale max-replicas queue-target busy-target provision max-queue max-queue-low high-share users think retry-after".split(" ");
  // A running lab takes these by message. The others start it anew.
  const LIVE = [...SCENARIO, ..."preset seeds theory lock hide theme accent".split(" ")];
  const PARAMETERS = [...LIVE, ..."rates view pin predict motion lang engine".split(" ")];
  const TYPES = /^lab-(ready|change|result|predict|goal|answer|complete|height|error)$/;
  const PATIENCE_MS = 30_000;

  // Of the CSSOM, so that a host's `style-src 'self'` holds. The outline is never seen: its colour tells the colour scheme
  // that the host uses here, and its transition tells when that changes.
  const style = new CSSStyleSheet();
  style.replaceSync(`
    :host { display: block; position: relative }
    :host([hidden]), slot[hidden] { display: none }
    iframe { display: block; width: 100%; border: 0; outline-color: light-dark(#fff, #000); transition: outline-color 1ms }
    slot:not([hidden]) + iframe { position: absolute; visibility: hidden }`);

  const spelled = (fields, from, to) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replaceAll(from, to), value]));

  class GoodputLab extends HTMLElement {
    static observedAttributes = [...PARAMETERS, "src", "title", "aria-label"];

    #slot = document.createElement("slot");
    #near = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && this.#load(), { rootMargin: "600px" });
    #frame = null;
    #origin = "";
    #timer = 0;
    #status = "waiting";
    #version = "";
    #results = null;
    #text = "";
    // The scenario as the learner or a script left it, where it is not the attributes'. It outlives the frame.
    #scenario = {};
    // What is to be sent at the end of the task, or once the lab is ready; whether it must start anew.
    #outbox = {};
    #anew = false;
    // Whether the lab has answered `init`; the run that is waited for; the end of the queue of runs.
    #answered = false;
    #asked = null;
    #turn = Promise.resolve();
    #height = 0;
    #heightAt = 0;
    #width = 0;
    #growths = 0;

    constructor() {
      super();
      this.#slot.part = "fallback";
      this.attachShadow({ mode: "open" }).append(this.#slot);
      this.shadowRoot.adoptedStyleSheets = [style];
    }

    connectedCallback() {
      // Set before the element was defined, it hides the property.
      if (Object.hasOwn(this, "scenario")) {
        const { scenario } = this;
        delete this.scenario;
        this.scenario = scenario;
      }
      this.#near.observe(this);
    }

    disconnectedCallback() {
      this.#unload();
      this.#answer(new Error("The lab was taken out of the page."));
    }

    // Moved by moveBefore, the frame lives on.
    connectedMoveCallback() {}

    attributeChangedCallback(name, old, value) {
      // From now on the attribute counts, whatever was moved before.
      if (name === "preset") this.#scenario = {};
      delete this.#scenario[name];
      if (!this.#frame) return;
      if (name === "title" || name === "aria-label") this.#frame.title = this.#title;
      else if (name === "theme") this.#follow();
      else if (LIVE.includes(name) && value !== null) this.#send({ [name]: value });
      else if (old !== value) this.#restart();
    }

    get status() {
      return this.#status;
    }

    get version() {
      return this.#version;
    }

    get results() {
      return this.#results;
    }

    get scenario() {
      const known = {};
      for (const name of SCENARIO) {
        const value = this.getAttribute(name);
        if (value !== null) known[name] = String(Number(value)) === value ? Number(value) : value;
      }
      return spelled({ ...known, ...this.#scenario }, "-", "_");
    }

    set scenario(fields) {
      fields = spelled(fields, "_", "-");
      Object.assign(this.#scenario, fields);
      if (this.#frame) this.#send(fields);
    }

    run(scenario = {}) {
      const ask = (resolve, reject) => {
        const late = () => this.#answer(new Error("The lab did not answer."));
        this.#asked = { resolve, reject, sent: false, timer: setTimeout(late, 2 * PATIENCE_MS) };
        if (!this.isConnected) return this.#answer(new Error("The lab is in no page."));
        this.scenario = scenario;
        if (this.#answered) this.#ask();
        else if (this.#status !== "ready") this.#load();
      };
      // One after the other, so that each gets its own answer.
      const run = this.#turn.then(() => new Promise(ask));
      this.#turn = run.catch(() => {});
      return run;
    }

    reset() {
      this.#scenario = {};
      if (this.#status === "ready") this.#post("set", { action: "reset" });
      else this.#restart();
    }

    pin() {
      if (this.#status === "ready") this.#post("set", { action: "pin" });
    }

    describe() {
      return this.#text;
    }

    get #title() {
      return this.title || this.ariaLabel || "Goodput Lab: LLM serving, simulated";
    }

    // The author's theme, or else the colour scheme that the host uses where the frame stands.
    get #theme() {
      const theme = this.getAttribute("theme");
      const { style } = this.#frame;
      // With one scheme inside and outside, a transparent frame stays transparent.
      style.colorScheme = "";
      if (theme === "light" || theme === "dark") return (style.colorScheme = theme);
      return getComputedStyle(this.#frame).outlineColor === "rgb(0, 0, 0)" ? "dark" : "light";
    }

    #follow = () => {
      const { dataset } = this.#frame;
      const theme = this.#theme;
      if (theme !== dataset.theme) this.#send({ theme });
      dataset.theme = theme;
    };

    #load() {
      if (this.#frame && this.#status !== "failed") return;
      this.#unload();
      this.#status = "loading";
      const frame = (this.#frame = document.createElement("iframe"));
      frame.part = "frame";
      frame.title = this.#title;
      frame.allow = "clipboard-write";
      frame.addEventListener("transitionend", this.#follow);
      this.shadowRoot.append(frame);
      addEventListener("message", this.#hear);
      this.#timer = setTimeout(() => this.#fail("The lab did not start."), PATIENCE_MS);

      const src = this.getAttribute("src");
      const url = src ? new URL(src, document.baseURI) : new URL("embed.html", script);
      const { searchParams } = url;
      for (const name of PARAMETERS) {
        const value = this.getAttribute(name);
        if (name === "pin") value?.split(";").forEach((pin) => searchParams.append(name, pin.trim()));
        else if (value !== null) searchParams.set(name, value);
      }
      searchParams.set("theme", (frame.dataset.theme = this.#theme));
      searchParams.set("parent-origin", location.origin);
      this.#origin = url.origin;
      if (/^(https?|file):$/.test(url.protocol)) frame.src = url;
      else this.#fail(`The lab cannot come from ${url.protocol}`);
    }

    #unload() {
      this.#near.disconnect();
      removeEventListener("message", this.#hear);
      clearTimeout(this.#timer);
      this.#frame?.remove();
      this.#frame = null;
      this.#slot.hidden = this.#answered = false;
      this.#height = this.#growths = 0;
      this.#outbox = {};
      this.#status = "waiting";
    }

    #restart() {
      this.#anew = true;
      this.#send();
    }

    #fail(message) {
      this.#status = "failed";
      this.#answer(new Error(message));
      this.#emit("lab-error", { message });
    }

    #emit(type, detail) {
      this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    }

    #post(type, payload) {
      // The origin of a file is "null", which is no address.
      const to = this.#origin === "null" ? "*" : this.#origin;
      this.#frame.contentWindow.postMessage({ lab: NAME, v: 1, id: this.id.slice(0, 64), type, payload }, to);
    }

    #flush(type, payload) {
      this.#post(type, { ...payload, ...this.#outbox });
      this.#outbox = {};
    }

    // At the end of the task, so that many changes are one message.
    #send(parameters) {
      Object.assign(this.#outbox, parameters);
      queueMicrotask(() => {
        if (this.#anew && this.#frame) {
          this.#unload();
          this.#load();
        } else if (this.#status === "ready" && Object.keys(this.#outbox).length) this.#flush("set");
        this.#anew = false;
      });
    }

    #ask() {
      this.#asked.sent = true;
      this.#flush("set");
    }

    #answer(error, summary) {
      const asked = this.#asked;
      if (!asked) return;
      this.#asked = null;
      clearTimeout(asked.timer);
      if (asked.refusal || error) asked.reject(asked.refusal || error);
      else asked.resolve(summary);
    }

    #hear = ({ source, origin, data }) => {
      if (source !== this.#frame.contentWindow || origin !== this.#origin) return;
      if (data?.lab !== NAME || data.v !== 1 || !TYPES.test(data.type)) return;
      const { type, payload } = data;
      if (payload !== Object(payload)) return;
      if (type === "lab-ready") this.#start(payload);
      if (type === "lab-height") this.#grow(payload.height);
      if (payload.scenario) this.#scenario = spelled(payload.scenario, "_", "-");
      if (type === "lab-result") {
        this.#results = payload;
        this.#text = String(data.text ?? "");
        this.#answered = true;
        if (this.#asked && !this.#asked.sent) this.#ask();
        else this.#answer(null, payload);
      }
      // The result that follows ends the run: else it would answer the next one.
      if (type === "lab-error" && this.#asked?.sent) this.#asked.refusal ??= new Error(payload.message);
      this.#emit(type, payload);
    };

    #start({ version, height }) {
      clearTimeout(this.#timer);
      this.#status = "ready";
      this.#version = version;
      this.#slot.hidden = true;
      this.#answered = false;
      this.#grow(height);
      if (this.#asked) this.#asked.sent = true;
      this.#flush("init", this.#scenario);
    }

    #grow(height) {
      this.#follow();
      if (!(height > 0)) return;
      // A content that grows with its frame would do so for ever; growth that answers growth is soon left alone.
      const frame = this.#frame;
      const now = performance.now();
      const again = height > this.#height && frame.clientWidth === this.#width && now - this.#heightAt < 2000;
      this.#growths = again ? this.#growths + 1 : 0;
      this.#heightAt = now;
      this.#width = frame.clientWidth;
      this.#height = height;
      if (this.#growths < 20) frame.style.height = `${Math.min(Math.max(Math.ceil(height), 80), 20_000)}px`;
    }
  }

  customElements.define(NAME, GoodputLab);
})();
