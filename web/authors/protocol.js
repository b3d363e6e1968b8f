// The page around a lab that logs its messages, checks each against the contract, and can say anything to it.

import { Contract, RULES } from "./protocol.contract.js";

const MOST_ROWS = 300;
const SIGNS = { pass: ["✓", "pass"], fail: ["✗", "fail"], none: ["–", "not seen yet"] };

/** Messages that a lab must survive: ignored, or refused in a sentence; never a blank frame. */
const HOSTILE = {
  "another version": { lab: "goodput-lab", v: 2, id: "", type: "set", payload: { rate: 6 } },
  "another lab": { lab: "something-else", v: 1, id: "", type: "set", payload: { rate: 6 } },
  "unknown type": { lab: "goodput-lab", v: 1, id: "", type: "explode", payload: {} },
  "no payload": { lab: "goodput-lab", v: 1, id: "", type: "set" },
  "payload null": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: null },
  "payload a list": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: [6] },
  "bare text": "goodput-lab",
  nothing: null,
  "unknown name": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { speed: 6 } },
  "rate of −1": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { rate: -1 } },
  "rate not a number": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { rate: NaN } },
  "rate an object": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { rate: { valueOf: 6 } } },
  "a horizon of a month": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { horizon: 2_592_000, rate: 1000 } },
  "markup as accent": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { accent: "<img src=x onerror=alert(1)>" } },
  "a style as accent": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { accent: "red; background: url(//evil.test)" } },
  "a prototype": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: JSON.parse('{"__proto__": {"rate": 6}}') },
  "a text of 1 MB": { lab: "goodput-lab", v: 1, id: "", type: "set", payload: { seed: "7".repeat(1_000_000) } },
};

const $ = (selector) => document.querySelector(selector);
const parts = {
  address: $("[name=address]"),
  sandboxed: $("[name=sandboxed]"),
  frame: $("iframe"),
  id: $("[name=id]"),
  init: $("[name=init]"),
  set: $("[name=set]"),
  refusal: $("[data-refusal]"),
  rules: $("[data-rules]"),
  tally: $("[data-tally]"),
  log: $("[data-log]"),
};

let contract = new Contract();
let since = 0;
const items = new Map();

function element(name, text, state) {
  const made = document.createElement(name);
  made.textContent = text;
  if (state) made.dataset.state = state;
  return made;
}

function showRules() {
  const count = { pass: 0, fail: 0, none: 0 };
  for (const [rule, { state, detail }] of contract.verdicts) {
    count[state] += 1;
    const item = items.get(rule);
    const [sign, word] = SIGNS[state];
    item.dataset.state = state;
    item.querySelector("b").textContent = `${sign} ${word}`;
    item.querySelector("small").textContent = detail && ` ${detail.slice(0, 200)}`;
  }
  const said = `${count.pass} rules hold, ${count.fail} are broken, ${count.none} were not seen at work yet.`;
  if (parts.tally.textContent !== said) parts.tally.textContent = said;
}

function log(direction, message, origin, broken) {
  const row = document.createElement("tr");
  const { type = message?.subject ?? "–", payload = message } = message ?? {};
  const words = JSON.stringify(payload) ?? String(payload);
  row.append(
    element("td", `${((performance.now() - since) / 1000).toFixed(2)} s`),
    element("td", direction),
    element("td", String(type)),
    element("td", words.length > 400 ? `${words.slice(0, 400)} … (${words.length} characters)` : words),
    element("td", origin),
    broken === null ? element("td", "") : element("td", broken.length ? `✗ fail: ${broken.join(", ")}` : "✓ pass", broken.length ? "fail" : "pass"),
  );
  parts.log.prepend(row);
  while (parts.log.rows.length > MOST_ROWS) parts.log.lastElementChild.remove();
}

/** A frame without an origin of its own can only be spoken to as anybody. */
const target = () => (parts.sandboxed.checked ? "*" : new URL(parts.frame.src).origin);

function send(message, mustAnswer) {
  if (!parts.frame.src) return;
  parts.frame.contentWindow.postMessage(message, target());
  if (mustAnswer) contract.sent(message, performance.now());
  log("to the lab", message, target(), null);
}

/** Sends what stands in a field, if it is an object in JSON. */
function sendField(type) {
  let payload;
  parts.refusal.textContent = "";
  try {
    payload = JSON.parse(parts[type].value);
  } catch (error) {
    parts.refusal.textContent = `The field for ${type} holds no JSON: ${error.message}`;
    return;
  }
  send({ lab: "goodput-lab", v: 1, id: parts.id.value, type, payload }, true);
}

function load() {
  const url = new URL(parts.address.value, document.baseURI);
  url.searchParams.set("parent-origin", location.origin);
  contract = new Contract();
  since = performance.now();
  parts.log.replaceChildren();
  if (parts.sandboxed.checked) parts.frame.setAttribute("sandbox", "allow-scripts");
  else parts.frame.removeAttribute("sandbox");
  parts.frame.removeAttribute("height");
  parts.frame.src = url;
  showRules();
}

for (const [rule, sentence] of Object.entries(RULES)) {
  const item = element("li", "");
  item.append(element("b", ""), element("span", ` ${sentence}.`), element("small", ""));
  items.set(rule, item);
  parts.rules.append(item);
}

for (const [name, message] of Object.entries(HOSTILE)) {
  const button = element("button", name);
  button.type = "button";
  button.addEventListener("click", () => send(message, false));
  $("[data-hostile]").append(button);
}
$("[data-hostile-all]").addEventListener("click", () => Object.values(HOSTILE).forEach((message) => send(message, false)));

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parts.frame.contentWindow) return;
  const broken = contract.heard(data, performance.now());
  log("from the lab", data, origin, broken);
  const { height } = data?.payload ?? {};
  if ((data?.type === "lab-ready" || data?.type === "lab-height") && height > 0) parts.frame.height = Math.min(height, 5000);
  showRules();
});

setInterval(() => {
  contract.waited(performance.now());
  showRules();
}, 1000);

$("[data-load]").addEventListener("submit", (event) => {
  event.preventDefault();
  load();
});
$("[data-init]").addEventListener("click", () => sendField("init"));
$("[data-set]").addEventListener("click", () => sendField("set"));
for (const action of ["reset", "pin"]) {
  $(`[data-${action}]`).addEventListener("click", () =>
    send({ lab: "goodput-lab", v: 1, id: parts.id.value, type: "set", payload: { action } }, true),
  );
}

showRules();
