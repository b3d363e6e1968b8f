// The lesson's model once more, in plain JavaScript: what the engine is measured against.
//
// It is written as one would write it for such a page: seconds in doubles, objects for the requests, one turn of the
// loop per step of the server. It gives every figure of the engine's report but `littles_law`.

/** The lesson's server; field names and units are those of the engine's scenario. */
export const LESSON = Object.freeze({
  rate: 5,
  seed: "lesson",
  horizon: 600,
  warmup: 60,
  max_batch: 64,
  prompt: 1000,
  output: 200,
  prefill_ms_per_1k: 60,
  step_ms: 10,
  per_seq_ms: 0.4,
  slo_ttft_ms: 1000,
  slo_tpot_ms: 50,
});

/** The lesson's draws, uniform in [0, 1). */
export function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Simulates one scenario and returns its summary.
 *
 * Inter-token latencies need every gap between two tokens, some 500,000 of them, and cost more than all the rest:
 * with `{ itl: false }` they are left out, and so is `itl_s`.
 */
export function run(scenario, { itl = true } = {}) {
  return summary(scenario, simulate(scenario, itl), itl);
}

/** One summary per arrival rate, all on the same draws. */
export function sweep(scenario, rates, options) {
  return rates.map((rate) => run({ ...scenario, rate }, options));
}

/** The requests that arrive before the horizon, in order of arrival. */
function arrivals({ rate, seed, horizon, output }) {
  if (seed !== "lesson") throw new Error(`seed = ${seed}: this model knows only the lesson's draws`);
  const draw = mulberry32(3);
  const requests = [];
  for (let at = 0; ; ) {
    at -= Math.log(1 - draw()) / rate;
    if (at >= horizon) return requests;
    requests.push({ arrival: at, firstToken: NaN, finish: NaN, lastToken: NaN, stepsLeft: output, gaps: null });
  }
}

/** The server: what waits is admitted while there is room, then everybody in the batch gets one decode step. */
function simulate(scenario, itl) {
  const { horizon, warmup, max_batch: maxBatch } = scenario;
  const prefill = (scenario.prefill_ms_per_1k / 1000) * (scenario.prompt / 1000);
  const stepBase = scenario.step_ms / 1000;
  const stepPerSequence = scenario.per_seq_ms / 1000;
  const requests = arrivals(scenario);

  let now = 0;
  let running = [];
  let admitted = 0; // requests[admitted] is the next one to be admitted
  let busy = 0;
  let steps = 0;
  let tokens = 0; // emitted in the window, whoever they belong to
  const inWindow = (at) => at >= warmup && at <= horizon;

  for (;;) {
    if (running.length === 0) {
      if (admitted === requests.length) break;
      now = Math.max(now, requests[admitted].arrival);
    }
    if (now >= horizon) break;
    const start = now;

    while (running.length < maxBatch && admitted < requests.length && requests[admitted].arrival <= start) {
      const request = requests[admitted++];
      now += prefill;
      request.firstToken = now;
      if (inWindow(now)) tokens += 1;
      if (itl) {
        request.lastToken = now;
        request.gaps = [];
      }
      running.push(request);
    }

    now += stepBase + stepPerSequence * running.length;
    steps += 1;
    let finished = 0;
    for (const request of running) {
      request.stepsLeft -= 1;
      if (request.stepsLeft === 0) {
        // The last step closes the stream: it gives no token.
        request.finish = now;
        finished += 1;
      } else if (itl) {
        request.gaps.push(now - request.lastToken);
        request.lastToken = now;
      }
    }
    if (inWindow(now)) tokens += running.length - finished;
    if (finished > 0) running = running.filter((request) => request.stepsLeft > 0);
    busy += Math.min(now, horizon) - start;
  }
  return { requests, busy, steps, tokens };
}

function summary(scenario, { requests, busy, steps, tokens }, itl) {
  const { rate, horizon, warmup, output } = scenario;
  const window = horizon - warmup;
  const ttft = (request) => request.firstToken - request.arrival;
  const tpot = (request) => (output > 1 ? (request.finish - request.firstToken) / (output - 1) : 0);

  const inWindow = requests.filter((request) => request.arrival >= warmup);
  // Requests that never finished have NaN there, which is not <= horizon.
  const measured = inWindow.filter((request) => request.finish <= horizon);
  const completed = measured.length;
  const good = measured.filter(
    (request) => ttft(request) <= scenario.slo_ttft_ms / 1000 && tpot(request) <= scenario.slo_tpot_ms / 1000,
  ).length;

  const result = {
    rate_per_s: rate,
    busy_fraction: busy / horizon,
    offered: inWindow.length,
    completed,
    unfinished: inWindow.length - completed,
    rejected: 0,
    throughput_tokens_per_s: (completed * output) / window,
    throughput_requests_per_s: completed / window,
    server_output_tokens_per_s: tokens / window,
    ttft_s: distribution(measured.map(ttft)),
    tpot_s: distribution(measured.map(tpot)),
    e2e_s: distribution(measured.map((request) => request.finish - request.arrival)),
    good,
    slo_attainment: completed > 0 ? good / completed : null,
    goodput_requests_per_s: good / window,
    n_steps: steps,
  };
  if (itl) result.itl_s = distribution(measured.flatMap((request) => request.gaps));
  return result;
}

function distribution(samples) {
  if (samples.length === 0) return null;
  const sorted = new Float64Array(samples).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), p99: quantile(sorted, 0.99) };
}

/** Linear interpolation at rank (n - 1) p. */
function quantile(sorted, p) {
  const rank = (sorted.length - 1) * p;
  const below = Math.floor(rank);
  const above = Math.ceil(rank);
  return sorted[below] + (sorted[above] - sorted[below]) * (rank - below);
}
