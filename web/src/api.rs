//! What the module exports for people who want their own page: plain objects in, plain objects out.

use std::cell::RefCell;

use goodput_browser::scenario::read_scenario;
use goodput_sim::{Engine, Scenario, ValidScenario};
use goodput_summary::{Summary, WireScenario};
use js_sys::Object;
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &'static str = r#"
/** What is simulated. A field left out has the lesson's value. Ranges: see the error that a wrong value throws. */
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
export interface Distribution { mean: number; p50: number; p90: number; p99: number; }

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

/** Simulates one scenario. Throws an Error whose message says which value is not allowed, and what is. */
export function run(scenario?: Scenario): Summary;
/** Simulates a scenario at many arrival rates [requests/s] on the same draws. Throws as run does. */
export function sweep(scenario: Scenario | undefined, rates: number[]): Summary[];
/** The lesson's scenario, with every field. */
export function default_scenario(): Required<Scenario>;
"#;

thread_local! {
    /// Kept between calls for its memory and its draws; it never changes an answer.
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new());
}

/// A plain object, as `JSON.parse` of the command line's output would give it.
pub(crate) fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}

fn read(scenario: &JsValue) -> Result<ValidScenario, JsError> {
    if scenario.is_undefined() || scenario.is_null() {
        return Ok(ValidScenario::default());
    }
    let object =
        scenario.dyn_ref::<Object>().ok_or_else(|| JsError::new("a scenario is an object of fields and values"))?;
    Ok(read_scenario(object)?)
}

/// Simulates one scenario.
///
/// # Errors
/// The first value that is not allowed, in words.
#[wasm_bindgen(skip_typescript)]
pub fn run(scenario: &JsValue) -> Result<JsValue, JsError> {
    let scenario = read(scenario)?;
    to_js(&ENGINE.with_borrow_mut(|engine| Summary::of_run(&scenario, &mut engine.run(&scenario))))
}

/// Simulates a scenario at many arrival rates [requests/s] on the same draws.
///
/// # Errors
/// The first value that is not allowed, in words; nothing is returned for the other rates.
#[wasm_bindgen(skip_typescript)]
pub fn sweep(scenario: &JsValue, rates: &[f64]) -> Result<JsValue, JsError> {
    let scenario = read(scenario)?;
    let reports = ENGINE.with_borrow_mut(|engine| engine.sweep(&scenario, rates))?;
    let summaries: Vec<Summary> = reports.iter().map(|report| Summary::new(&scenario, report)).collect();
    to_js(&summaries)
}

/// The lesson's scenario, with every field.
///
/// # Errors
/// None that is known: the type is the serializer's.
#[wasm_bindgen(skip_typescript)]
pub fn default_scenario() -> Result<JsValue, JsError> {
    to_js(&WireScenario::from(&Scenario::default()))
}
