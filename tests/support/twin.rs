//! A plain twin of the engine: one decode step at a time, one entry per running sequence, every token written down.
//!
//! It shares nothing with the engine but the scenario and what was drawn: arrivals and lengths. It is slow and obvious on purpose.

use std::collections::VecDeque;

use goodput_sim::{Distribution, Lengths, OutputLaw, Report, Scenario, SimTime, Stop};

/// One request's life.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// When it came.
    pub arrival: SimTime,
    /// Its lengths.
    pub lengths: Lengths,
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Life {
    /// Those that were let in, in order of arrival.
    pub requests: Vec<Request>,
    /// When those came that were turned away.
    pub rejections: Vec<SimTime>,
    /// In order of time.
    pub boundaries: Vec<Boundary>,
    /// How long there was a server, before the horizon; of several the sum.
    pub existed: SimTime,
    /// Time inside a step and before the horizon; of several servers the sum.
    pub busy: SimTime,
}

/// Lives through a scenario, one step at a time, with requests that come as they were drawn.
#[must_use]
pub fn live(scenario: &Scenario, offered: &[(SimTime, Lengths)], stop: Stop) -> Life {
    let horizon = SimTime::from_secs(scenario.horizon);
    let mut life = Life { existed: horizon, ..Life::default() };
    let mut upcoming: VecDeque<(SimTime, Lengths)> = offered.iter().copied().collect();
    // Places in `life.requests`.
    let mut waiting = VecDeque::new();
    // Request and the decode steps it still needs.
    let mut running: Vec<(usize, u32)> = Vec::new();
    let mut now = SimTime::ZERO;
    loop {
        if stop == Stop::AtHorizon && now >= horizon {
            break;
        }
        come(scenario, &mut life, &mut upcoming, &mut waiting, now);
        if waiting.is_empty() && running.is_empty() {
            let Some(&(next, _)) = upcoming.front() else { break };
            now = next;
            continue;
        }
        let start = now;
        while running.len() < scenario.max_batch as usize {
            let Some(request) = waiting.pop_front() else { break };
            let Lengths { prompt, cached, output } = life.requests[request].lengths;
            now += SimTime::from_millis(scenario.prefill_ms_per_1k * f64::from(prompt - cached) / 1000.0);
            life.requests[request].tokens.push(now);
            running.push((request, output));
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
    come(scenario, &mut life, &mut upcoming, &mut waiting, SimTime::MAX);
    life
}

/// Those who come by `until` join the line, or are turned away from one that is too long.
fn come(
    scenario: &Scenario,
    life: &mut Life,
    upcoming: &mut VecDeque<(SimTime, Lengths)>,
    waiting: &mut VecDeque<usize>,
    until: SimTime,
) {
    while upcoming.front().is_some_and(|&(arrival, _)| arrival <= until) {
        let Some((arrival, lengths)) = upcoming.pop_front() else { break };
        if scenario.max_queue > 0 && waiting.len() == scenario.max_queue as usize {
            life.rejections.push(arrival);
        } else {
            waiting.push_back(life.requests.len());
            life.requests.push(Request { arrival, lengths, tokens: Vec::new(), finish: None });
        }
    }
}

/// Reports a life by the words of MODEL.md: every sample written out, sorted, and looked up.
///
/// All but Little's law, which has a law of its own.
#[must_use]
pub fn report(scenario: &Scenario, life: &Life) -> Report {
    let (warmup, horizon) = (SimTime::from_secs(scenario.warmup), SimTime::from_secs(scenario.horizon));
    let window_s = (horizon - warmup).as_secs();
    let arrivals = life.requests.iter().map(|request| request.arrival);
    let rejected = life.rejections.iter().filter(|&&arrival| arrival >= warmup).count();
    let offered = arrivals.filter(|&arrival| arrival >= warmup).count() + rejected;
    let measured: Vec<(&Request, SimTime)> = life
        .requests
        .iter()
        .filter_map(|request| Some((request, request.finish?)))
        .filter(|&(request, finish)| request.arrival >= warmup && finish <= horizon)
        .collect();
    let ttft = |request: &Request| request.tokens[0] - request.arrival;
    let later_tokens = |request: &Request| u64::from(request.lengths.output) - 1;
    let streaming = |request: &Request, finish: SimTime| {
        if later_tokens(request) == 0 { SimTime::ZERO } else { finish - request.tokens[0] }
    };
    let good = measured
        .iter()
        .filter(|&&(request, finish)| {
            ttft(request) <= SimTime::from_millis(scenario.slo_ttft_ms)
                && streaming(request, finish) <= SimTime::from_millis(scenario.slo_tpot_ms) * later_tokens(request)
        })
        .count();
    let completed = measured.len();
    let judged = completed + rejected;
    let tokens: u64 = measured.iter().map(|(request, _)| u64::from(request.lengths.output)).sum();
    let gaps = measured.iter().flat_map(|(request, _)| request.tokens.windows(2).map(|pair| pair[1] - pair[0]));
    let emitted = life.requests.iter().flat_map(|request| &request.tokens).filter(|&&at| warmup <= at && at <= horizon);
    let streams = measured.iter().map(|&(request, finish)| (streaming(request, finish), later_tokens(request).max(1)));
    let tpot_s = if scenario.output_cv > 0.0 || scenario.output_law == OutputLaw::Geometric {
        let tpots: Vec<f64> = streams.map(|(time, parts)| time.as_nanos() as f64 / parts as f64).collect();
        let sum = tpots.iter().sum();
        distribution(tpots, sum, 1)
    } else {
        // Equal answers have one divisor: it goes in last, so that the times stay whole.
        let times: Vec<SimTime> = streams.map(|(time, _)| time).collect();
        let sum = total(&times);
        distribution(numbers(&times), sum, (u64::from(scenario.output) - 1).max(1))
    };
    Report {
        rate_per_s: scenario.rate,
        busy_fraction: life.busy.as_secs() / life.existed.as_secs(),
        offered: offered as u64,
        completed: completed as u64,
        unfinished: (offered - completed - rejected) as u64,
        rejected: rejected as u64,
        throughput_tokens_per_s: tokens as f64 / window_s,
        throughput_requests_per_s: completed as f64 / window_s,
        server_output_tokens_per_s: emitted.count() as f64 / window_s,
        ttft_s: whole(measured.iter().map(|&(request, _)| ttft(request))),
        tpot_s,
        itl_s: whole(gaps),
        e2e_s: whole(measured.iter().map(|&(request, finish)| finish - request.arrival)),
        good: good as u64,
        slo_attainment: (judged > 0).then(|| good as f64 / judged as f64),
        goodput_requests_per_s: good as f64 / window_s,
        littles_law: None,
        n_steps: life.boundaries.len() as u64,
    }
}

/// Mean and quantiles of times in whole nanoseconds, every one of them sorted and looked up.
pub(crate) fn whole(times: impl Iterator<Item = SimTime>) -> Option<Distribution> {
    let times: Vec<SimTime> = times.collect();
    distribution(numbers(&times), total(&times), 1)
}

fn numbers(times: &[SimTime]) -> Vec<f64> {
    times.iter().map(|time| time.as_nanos() as f64).collect()
}

fn total(times: &[SimTime]) -> f64 {
    times.iter().map(|time| u128::from(time.as_nanos())).sum::<u128>() as f64
}

/// Of samples [ns] with this sum, all to be divided by `parts`.
fn distribution(mut sorted: Vec<f64>, sum: f64, parts: u64) -> Option<Distribution> {
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let per = 1e9 * parts as f64;
    let quantile = |p: f64| {
        let rank = last as f64 * p;
        let (below, fraction) = (rank as usize, rank.fract());
        let lower = sorted[below];
        if fraction > 0.0 { (lower + (sorted[below + 1] - lower) * fraction) / per } else { lower / per }
    };
    Some(Distribution {
        mean: sum / sorted.len() as f64 / per,
        p50: quantile(0.5),
        p90: quantile(0.9),
        p99: quantile(0.99),
    })
}
