// In the page: the engine, through its exported API, and the same model in plain JavaScript, timed in turns.

import { differences } from "/peer/compare.js";
import * as peer from "/peer/model.js";

/** A timed sample runs for at least this long, so that the clock's steps do not matter [ms]. */
const LEAST_SAMPLE_MS = 4;

/** Loads the engine's module as a page of its own would. */
export async function load({ glue, wasm }) {
  const engine = await import(glue);
  await engine.default({ module_or_path: wasm });
  return engine;
}

/** What the engine and the peer do not agree on: one line per rate and figure. */
export function disagreements(engine, rates) {
  const scenario = engine.default_scenario();
  const swept = engine.sweep(scenario, rates);
  return rates.flatMap((rate, i) => {
    const expected = peer.run({ ...scenario, rate });
    // How the fractions of whole tokens come out is not a matter of tolerance: the count is compared.
    const tokens = (summary) => Math.round(summary.server_output_tokens_per_s * (scenario.horizon - scenario.warmup));
    const found = [
      ...differences(engine.run({ ...scenario, rate }), expected),
      ...differences(swept[i], expected, "sweep"),
      ...differences(tokens(swept[i]), tokens(expected), "tokens in the window"),
    ];
    return found.map((line) => `at ${rate} requests/s, ${line}`);
  });
}

/** Times the same work done by the engine and by the peer, one after the other, `pairs` times [ms]. */
export async function duel(engine, { rate, rates, itl, pairs }) {
  const scenario = { ...engine.default_scenario(), rate: rate ?? 5 };
  const ours = rates ? () => engine.sweep(scenario, rates) : () => engine.run(scenario);
  const theirs = rates ? () => peer.sweep(scenario, rates, { itl }) : () => peer.run(scenario, { itl });
  const [ourBatch, theirBatch] = [warmUp(ours), warmUp(theirs)];
  const times = { engine: [], peer: [] };
  for (let i = 0; i < pairs; i++) {
    times.engine.push(time(ours, ourBatch));
    times.peer.push(time(theirs, theirBatch));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return times;
}

/** The price of a call with nothing to simulate: scenario in, summary out [ms]. */
export function callTimes(engine, samples) {
  const scenario = { ...engine.default_scenario(), rate: 0.01, horizon: 1, warmup: 0 };
  const call = () => engine.run(scenario);
  const batch = warmUp(call);
  return Array.from({ length: samples }, () => time(call, batch));
}

/** Lets the compilers settle; returns how often to repeat `work` in one sample. */
function warmUp(work) {
  let spent = 0;
  let last = 0;
  for (let i = 0; i < 3 || (spent < 300 && i < 300); i++) {
    last = time(work, 1);
    spent += last;
  }
  return Math.max(1, Math.ceil(LEAST_SAMPLE_MS / Math.max(last, 0.005)));
}

function time(work, batch) {
  const start = performance.now();
  for (let i = 0; i < batch; i++) work();
  return (performance.now() - start) / batch;
}
