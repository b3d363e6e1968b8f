// Course systems of the test's own: what SCORM 1.2 and Open edX's JSInput look like from inside a frame.

/** A page with the `API` of SCORM 1.2 that frames an SCO two windows deep and keeps what it is told. */
export const SCORM = (stored = {}) => `
  window.cmi = { "cmi.core.lesson_status": "not attempted", ...${JSON.stringify(stored)} };
  window.calls = [];
  const call = (name) => (...args) => (window.calls.push([name, ...args]), "true");
  window.API = {
    LMSInitialize: call("LMSInitialize"),
    LMSFinish: call("LMSFinish"),
    LMSCommit: call("LMSCommit"),
    LMSGetValue: (name) => window.cmi[name] ?? "",
    LMSSetValue: (name, value) => {
      if (typeof value !== "string") throw new Error(name + " is no text");
      window.cmi[name] = value;
      return "true";
    },
  };`;

/** JSInput with sop="false": a channel in the format of jschannel, ready after a ping or a pong, calls queued until then. */
export const JSINPUT = `
  window.ask = (() => {
    const frame = document.querySelector("iframe");
    const post = (message) => frame.contentWindow.postMessage(JSON.stringify(message), "*");
    const waiting = new Map();
    const queue = [];
    let ready = false;
    let last = 1000;
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || typeof data !== "string") return;
      const { id, method, params, result, error, message } = JSON.parse(data);
      if (method === "JSInput::__ready" && !ready) {
        ready = true;
        if (params === "ping") post({ method, params: "pong" });
        queue.splice(0).forEach(post);
      }
      if (waiting.has(id)) waiting.get(id)(error === undefined ? decodeURI(String(result)) : "failed: " + message);
    });
    post({ method: "JSInput::__ready", params: "ping" });
    return (method, params = "") =>
      new Promise((done) => {
        const message = { id: (last += 1), method: "JSInput::" + method, params };
        waiting.set(message.id, done);
        if (ready) post(message);
        else queue.push(message);
      });
  })();`;
