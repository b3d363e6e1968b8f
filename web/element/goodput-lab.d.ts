// Types of goodput-lab.js, a classic script: `<script src="…/goodput-lab.js" defer></script>` defines the element.
// What a page may be told and may ask is the same over the element and over postMessage; the wire is in the authors' guide.

/** What is simulated. A field left out keeps its value. Ranges: see the sentence in the error that a wrong value gives. */
export interface Scenario {
  /** Mean arrival rate [requests/s]. */
  rate?: number;
  /** "lesson", or a whole number. Past 2^53 write the number as text. */
  seed?: "lesson" | number | string;
  /** Simulated time [s]. */
  horizon?: number;
  /** Discarded at the start [s]. */
  warmup?: number;
  /** Most sequences in the running batch. */
  max_batch?: number;
  /** Mean prompt length [tokens]. */
  prompt?: number;
  /** Mean answer length [tokens]. */
  output?: number;
  /** Prefill cost per 1,000 prompt tokens [ms]. */
  prefill_ms_per_1k?: number;
  /** Decode step, fixed part [ms]. */
  step_ms?: number;
  /** Decode step, part per running sequence [ms]. */
  per_seq_ms?: number;
  /** SLO on the time to first token, inclusive [ms]. */
  slo_ttft_ms?: number;
  /** SLO on the time per output token, inclusive [ms]. */
  slo_tpot_ms?: number;
  /** Coefficient of variation of the gaps between arrivals: 1 for Poisson, 0 for evenly spaced, else gamma. */
  arrival_cv?: number;
  /** How many times the rate it is during a spike; 1 for no spike. */
  spike_factor?: number;
  /** Begin of the spike [s]. */
  spike_from?: number;
  /** End of the spike [s]. */
  spike_to?: number;
  /** Coefficient of variation of the prompt lengths, which are lognormal; 0 for equal ones. */
  prompt_cv?: number;
  /** Coefficient of variation of the answer lengths, which are lognormal; 0 for equal ones. */
  output_cv?: number;
  /** Share of the requests that find a part of their prompt in the prefix cache (0 to 1). */
  cached_share?: number;
  /** The part that they find, as a share of the prompt (0 to 1). */
  cached_prompt?: number;
  /** What the answer lengths are drawn from. Geometric has the mean alone, without `output_cv`. */
  output_law?: "lognormal" | "geometric";
  /** Tokens that one step may take: decodes first, then chunks of prompts; more than `max_batch`. 0 for whole prompts. */
  token_budget?: number;
  /** KV memory of each server that decodes [tokens]; room for a usual prompt and its answer. 0 for no limit. */
  kv_tokens?: number;
  /** Equal servers that share the requests; with autoscaling the fewest there are. */
  replicas?: number;
  /** Which replica a request goes to. */
  routing?: "round-robin" | "random" | "least-outstanding";
  /** Servers that only prefill, before the replicas, which then only decode. 0: each replica does both. */
  prefill_replicas?: number;
  /** Way of the KV memory from prefill to decode, per 1,000 prompt tokens [ms]. */
  transfer_ms_per_1k?: number;
  /** What the number of replicas follows. */
  autoscale?: "off" | "queue" | "busy";
  /** Most replicas that autoscaling may order. */
  max_replicas?: number;
  /** Waiting requests per replica that autoscaling on the queue aims at. */
  queue_target?: number;
  /** GPU busy that autoscaling on it aims at (0.01 to 1). */
  busy_target?: number;
  /** From ordering a replica until it takes requests [s]. */
  provision?: number;
  /** Longest waiting line; who comes to a longer one is rejected. 0 for no limit. */
  max_queue?: number;
  /** Share of the requests that have the high priority and are admitted first (0 to 1). */
  high_share?: number;
  /** Longest waiting line that a request without the high priority joins. 0 for no limit of its own. */
  max_queue_low?: number;
  /** Clients that each wait for their answer before they send again. 0 for an open loop. */
  users?: number;
  /** Pause of a client after an answer [s]. */
  think?: number;
  /** Time without a first token after which a client sends the request once more [s]. 0 for never; not with `users`. */
  retry_after?: number;
}

/** Mean and quantiles of a time [s]. Quantiles interpolate linearly at rank (n - 1) p. */
export interface Distribution {
  mean: number;
  p50: number;
  p90: number;
  p99: number;
}

/** The metrics that only a fleet has. */
export interface FleetSummary {
  /** Time to first token, counted from when the client wanted to send [s]. */
  ttft_intended_s: Distribution | null;
  ttft_high_s: Distribution | null;
  ttft_low_s: Distribution | null;
  /** Time to first token of each replica's requests [s]. */
  ttft_of_replicas_s: (Distribution | null)[];
  preemptions: number;
  retries: number;
  /** Greatest share of the KV memory in use on one server (0 to 1); null without a limit. */
  kv_peak: number | null;
  /** Time that all servers existed [s]. */
  server_seconds: number;
}

/** The metrics of one run. Distributions and attainment are null when no request was measured. */
export interface Summary {
  rate_per_s: number;
  busy_fraction: number;
  offered: number;
  completed: number;
  unfinished: number;
  throughput_tokens_per_s: number;
  throughput_requests_per_s: number;
  ttft_s: Distribution | null;
  tpot_s: Distribution | null;
  e2e_s: Distribution | null;
  good: number;
  slo_attainment: number | null;
  goodput_requests_per_s: number;
  server_output_tokens_per_s: number;
  itl_s: Distribution | null;
  rejected: number;
  littles_law: { mean_in_system: number; arrival_rate_per_s: number; mean_time_in_system_s: number } | null;
  n_steps: number;
  /** Left out where one server did it all, in events, and in sweeps. */
  fleet?: FleetSummary;
  scenario: Required<Scenario>;
}

/** What the lab tells: the name of the event, and its `detail`. All of them bubble and leave shadow roots. */
export interface LabEvents {
  /** The engine runs. `height` is that of the content [CSS px]. */
  "lab-ready": { version: string; height: number };
  /** The run moves; at most ten a second. */
  "lab-change": Summary;
  /** The run has settled. */
  "lab-result": Summary;
  /** The learner has committed a guess. */
  "lab-predict": Record<string, unknown>;
  /** A goal is reached, the `done`-th of `of`. */
  "lab-goal": { goal: string; done: number; of: number };
  /** A question was answered. */
  "lab-answer": { question: string; correct: boolean };
  /** The learner is done with the task of the view. Made in the learner's browser, so it can be forged. */
  "lab-complete": { score: number; max: number };
  /** The height of the content changed [CSS px]. The element follows by itself. */
  "lab-height": { height: number };
  /** A parameter or a message was refused, the engine stopped, or the lab did not start. One sentence. */
  "lab-error": { message: string };
}

/**
 * The lab in a frame that comes when it is near the viewport.
 *
 * Children are the fallback: they show until the lab runs, and stay if it never does.
 *
 * Attributes are the parameters of the lab. Those that a running lab takes at once: the fields of the scenario under their
 * hyphened names, and `preset seeds theory lock hide theme accent`. A change of `rates view pin predict motion lang engine src`,
 * and taking any parameter away, starts the lab anew.
 * `theme` is `light`, `dark` or `auto`. Without it and with `auto` the lab follows the page's CSS `color-scheme`, also when that
 * changes. `pin` holds up to three pins, as `rate:4;rate:5,max-batch:64`. `src` is the address of another `embed.html` than the
 * one beside the script. `title` or `aria-label` names the frame.
 *
 * CSS parts: `frame` (the iframe, of the height of its content) and `fallback` (the slot of the children).
 */
export interface GoodputLabElement extends HTMLElement {
  /** What is known of the scenario: attributes, and what was set or moved since. Setting changes the fields given. */
  scenario: Scenario;
  /** The last run that settled. */
  readonly results: Summary | null;
  /** `waiting` until it is near the viewport, `loading`, then `ready`, or `failed` if it has not started in 30 s. */
  readonly status: "waiting" | "loading" | "ready" | "failed";
  /** The engine's version; empty until the lab was ready once. */
  readonly version: string;
  /**
   * Changes fields of the scenario and resolves with the next run that settles; loads the lab if need be. Several calls
   * take turns. Rejects with a sentence if a value is refused, if the lab does not start, and if it is taken out of the page.
   */
  run(scenario?: Scenario): Promise<Summary>;
  /** Back to what the attributes say. */
  reset(): void;
  /** Keeps the current run on the charts, for comparison. Does nothing before the lab is ready. */
  pin(): void;
  /** The verdict on the last run that settled, in words. Empty before. */
  describe(): string;
}

type LabEventMap = { [Name in keyof LabEvents]: CustomEvent<LabEvents[Name]> };

declare global {
  interface HTMLElementTagNameMap {
    "goodput-lab": GoodputLabElement;
  }
  interface HTMLElementEventMap extends LabEventMap {}
}
