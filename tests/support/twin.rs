//! A plain twin of the engine: one decode step at a time, one entry per running sequence, every token written down.
//!
//! It shares nothing with the engine but the arrivals and the scenario. It is slow and obvious on purpose.

use std::collections::VecDeque;

use goodput_sim::{Distribution, Report, Scenario, SimTime, Stop};

/// One request's life.
#[derive(Clone, Debug)]
pub struct Request {
    /// When it came.
    pub arrival: SimTime,
    /// Its tokens, in order; the first at the end of its prefill.
    pub tokens: Vec<SimTime>,
    /// When it left.
    pub finish: Option<SimTime>,
}

/// A step boundary: how many waited and ran after the admissions there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// When.
    pub at: SimTime,
    /// Requests that had arrived and were not admitted.
    pub waiting: usize,
    /// Sequences in the batch.
    pub running: usize,
}

/// Everything that happened.
#[derive(Clone, Debug, Default)]
pub struct Life {
    /// In order of arrival.
    pub requests: Vec<Request>,
    /// In order of time.
    pub boundaries: Vec<Boundary>,
    /// Time inside a step and before the horizon.
    pub busy: SimTime,
}

/// Lives through a scenario, one step at a time.
#[must_use]
pub fn live(scenario: &Scenario, arrivals: &[SimTime], stop: Stop) -> Life {
    let prefill = SimTime::from_millis(scenario.prefill_ms_per_1k * f64::from(scenario.prompt) / 1000.0);
    let horizon = SimTime::from_secs(scenario.horizon);
    let mut life = Life {
        requests: arrivals.iter().map(|&arrival| Request { arrival, tokens: Vec::new(), finish: None }).collect(),
        ..Life::default()
    };
    let mut upcoming: VecDeque<usize> = (0..arrivals.len()).collect();
    let mut waiting = VecDeque::new();
    // Request and the decode steps it still needs.
    let mut running: Vec<(usize, u32)> = Vec::new();
    let mut now = SimTime::ZERO;
    loop {
        if stop == Stop::AtHorizon && now >= horizon {
            break;
        }
        while upcoming.front().is_some_and(|&i| arrivals[i] <= now) {
            waiting.extend(upcoming.pop_front());
        }
        if waiting.is_empty() && running.is_empty() {
            let Some(&next) = upcoming.front() else { break };
            now = arrivals[next];
            continue;
        }
        let start = now;
        while running.len() < scenario.max_batch as usize {
            let Some(request) = waiting.pop_front() else { break };
            now += prefill;
            life.requests[request].tokens.push(now);
            running.push((request, scenario.output));
        }
        life.boundaries.push(Boundary { at: start, waiting: waiting.len(), running: running.len() });
        now += SimTime::from_millis(scenario.step_ms);
        now += SimTime::from_millis(scenario.per_seq_ms) * running.len() as u64;
        for (request, steps_left) in &mut running {
            *steps_left -= 1;
            if *steps_left > 0 {
                life.requests[*request].tokens.push(now);
            } else {
                life.requests[*request].finish = Some(now);
            }
        }
        running.retain(|&(_, steps_left)| steps_left > 0);
        life.busy += now.min(horizon) - start.min(horizon);
    }
    life
}

/// Reports a life by the words of MODEL.md: every sample written out, sorted, and looked up.
///
/// All but Little's law, which has a law of its own.
#[must_use]
pub fn report(scenario: &Scenario, life: &Life) -> Report {
    let (warmup, horizon) = (SimTime::from_secs(scenario.warmup), SimTime::from_secs(scenario.horizon));
    let window_s = (horizon - warmup).as_secs();
    let offered = life.requests.iter().filter(|request| request.arrival >= warmup).count();
    let measured: Vec<(&Request, SimTime)> = life
        .requests
        .iter()
        .filter_map(|request| Some((request, request.finish?)))
        .filter(|&(request, finish)| request.arrival >= warmup && finish <= horizon)
        .collect();
    let ttft = |request: &Request| request.tokens[0] - request.arrival;
    let later_tokens = u64::from(scenario.output) - 1;
    let streaming = |request: &Request, finish: SimTime| {
        if later_tokens == 0 { SimTime::ZERO } else { finish - request.tokens[0] }
    };
    let good = measured
        .iter()
        .filter(|&&(request, finish)| {
            ttft(request) <= SimTime::from_millis(scenario.slo_ttft_ms)
                && streaming(request, finish) <= SimTime::from_millis(scenario.slo_tpot_ms) * later_tokens
        })
        .count();
    let completed = measured.len();
    let gaps = measured.iter().flat_map(|(request, _)| request.tokens.windows(2).map(|pair| pair[1] - pair[0]));
    let emitted = life.requests.iter().flat_map(|request| &request.tokens).filter(|&&at| warmup <= at && at <= horizon);
    Report {
        rate_per_s: scenario.rate,
        busy_fraction: life.busy.as_secs() / horizon.as_secs(),
        offered: offered as u64,
        completed: completed as u64,
        unfinished: (offered - completed) as u64,
        rejected: 0,
        throughput_tokens_per_s: completed as f64 * f64::from(scenario.output) / window_s,
        throughput_requests_per_s: completed as f64 / window_s,
        server_output_tokens_per_s: emitted.count() as f64 / window_s,
        ttft_s: distribution(measured.iter().map(|&(request, _)| ttft(request)), 1),
        tpot_s: distribution(measured.iter().map(|&(request, finish)| streaming(request, finish)), later_tokens.max(1)),
        itl_s: distribution(gaps, 1),
        e2e_s: distribution(measured.iter().map(|&(request, finish)| finish - request.arrival), 1),
        good: good as u64,
        slo_attainment: (completed > 0).then(|| good as f64 / completed as f64),
        goodput_requests_per_s: good as f64 / window_s,
        littles_law: None,
        n_steps: life.boundaries.len() as u64,
    }
}

fn distribution(samples: impl Iterator<Item = SimTime>, parts: u64) -> Option<Distribution> {
    let mut sorted: Vec<u64> = samples.map(SimTime::as_nanos).collect();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let per = 1e9 * parts as f64;
    let quantile = |p: f64| {
        let rank = last as f64 * p;
        let (below, fraction) = (rank as usize, rank.fract());
        let lower = sorted[below] as f64;
        if fraction > 0.0 { (lower + (sorted[below + 1] as f64 - lower) * fraction) / per } else { lower / per }
    };
    let sum: u128 = sorted.iter().map(|&nanos| u128::from(nanos)).sum();
    Some(Distribution {
        mean: sum as f64 / sorted.len() as f64 / per,
        p50: quantile(0.5),
        p90: quantile(0.9),
        p99: quantile(0.99),
    })
}
