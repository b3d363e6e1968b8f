// What a page of version 1.0 expects of the lab: addresses, messages, the element. Each expectation becomes a line.
"use strict";

const site = new URLSearchParams(location.search).get("site");

const ADDRESSES = {
  "embed.html": 1003.7037037037037,
  "embed.html?rate=6&theme=dark&view=lab": 1142.2222222222222,
  "embed.html?preset=calm&lock=rate,seed&hide=time,table": 804.074074074074,
  "embed.html?rate=5&seed=lesson&seeds=1&horizon=600&warmup=60&max-batch=64&prefill-ms-per-1k=60&step-ms=10&per-seq-ms=0.4&prompt=1000&output=200&slo-ttft-ms=1000&slo-tpot-ms=50&engine=1": 1003.7037037037037,
  "embed.html?rate=6&theory=on&pin=rate:4,max-batch:32&accent=0b62a8&motion=reduced&lang=en-GB&rates=4,6&predict=off": 1142.2222222222222,
};

function tell(what, passed) {
  const line = document.createElement("li");
  line.dataset.passed = passed;
  line.textContent = `${passed ? "passes" : "fails"}: ${what}`;
  document.querySelector("ul").append(line);
}

/** A lab in a frame, greeted as 1.0 greets; resolves to its first result. */
function framed(address) {
  const frame = document.createElement("iframe");
  const url = new URL(address, site);
  url.searchParams.set("parent-origin", location.origin);
  const heard = [];
  const result = new Promise((resolve) => {
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || data.lab !== "goodput-lab" || data.v !== 1) return;
      heard.push(data);
      if (data.type === "lab-ready") source.postMessage({ lab: "goodput-lab", v: 1, id: "kept", type: "init", payload: {} }, url.origin);
      if (data.type === "lab-result") resolve({ frame, url, heard, summary: data.payload });
    });
  });
  frame.src = url.href;
  frame.title = address;
  document.body.append(frame);
  return result;
}

async function run() {
  for (const [address, tokens] of Object.entries(ADDRESSES)) {
    const { heard, summary } = await framed(address);
    tell(`${address} shows ${tokens} tokens/s`, summary.throughput_tokens_per_s === tokens);
    tell(`${address} is taken without a refusal`, heard.every(({ type }) => type !== "lab-error"));
    tell(`${address} says its height and its name`, heard[0].payload.height > 0 && heard.at(-1).id === "kept");
  }

  const { frame, url } = await framed("embed.html?rate=4");
  const next = new Promise((resolve) =>
    addEventListener("message", ({ source, data }) => source === frame.contentWindow && data.type === "lab-result" && resolve(data)),
  );
  frame.contentWindow.postMessage({ lab: "goodput-lab", v: 1, id: "kept", type: "set", payload: { rate: 6 } }, url.origin);
  const { payload, text } = await next;
  tell("set is answered by a result and its words", payload.rate_per_s === 6 && text.startsWith("At 6 requests/s"));

  const script = document.createElement("script");
  script.src = "goodput-lab.js";
  await new Promise((resolve) => {
    script.addEventListener("load", resolve);
    document.head.append(script);
  });
  const lab = document.createElement("goodput-lab");
  lab.setAttribute("src", new URL("embed.html", site));
  lab.setAttribute("rate", "5");
  document.body.prepend(lab);
  const six = await lab.run({ rate: 6 });
  tell("the element of 1.0 runs the lab", six.throughput_tokens_per_s === 1142.2222222222222);
  tell("and describes it", lab.status === "ready" && lab.describe().startsWith("At 6 requests/s"));
  lab.setAttribute("rate", "4");
  await new Promise((resolve) => lab.addEventListener("lab-result", resolve, { once: true }));
  tell("and is driven by its attributes", lab.results.rate_per_s === 4);
  document.documentElement.dataset.done = "";
}

run();
