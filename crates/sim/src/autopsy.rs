//! Why a request took the time it took.

use alloc::vec::Vec;

use crate::cost::CostModel;
use crate::limits::Limits;
use crate::metrics::Window;
use crate::quantile::quantiles;
use crate::scenario::Scenario;
use crate::server::Records;
use crate::units::{SimTime, count_upto};

/// The time to first token in its four parts [ns]. They sum to it exactly.
///
/// Of a request that was never admitted they are what it had waited by the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TtftParts {
    /// From the arrival to the next step boundary: what is under way is not broken off [ns].
    pub boundary: SimTime,
    /// From there to the boundary at which a slot is free for it [ns].
    pub slot: SimTime,
    /// Prefills of others that were admitted with it and before it [ns].
    pub others: SimTime,
    /// Its own prefill [ns].
    pub own: SimTime,
}

impl TtftParts {
    /// All of it [ns].
    #[must_use]
    pub fn sum(&self) -> SimTime {
        self.boundary + self.slot + self.others + self.own
    }
}

/// A time between two tokens of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The token before it, counted from zero.
    pub after: usize,
    /// How long it is [ns].
    pub length: SimTime,
    /// Prefills of others in it.
    pub prefills: u32,
}

/// Whether a request meets an SLO; of one that is unfinished it may not be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It meets it.
    Meets,
    /// It misses it.
    Misses,
    /// The horizon came before it was decided.
    Unknown,
}

impl Fate {
    /// How a time that is over, or that has come so far, stands to its limit.
    fn of(time: SimTime, is_over: bool, limit: SimTime) -> Self {
        match (time <= limit, is_over) {
            (false, _) => Self::Misses,
            (true, true) => Self::Meets,
            (true, false) => Self::Unknown,
        }
    }

    /// Of several SLOs together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Misses, _) | (_, Self::Misses) => Self::Misses,
            (Self::Meets, Self::Meets) => Self::Meets,
            _ => Self::Unknown,
        }
    }
}

/// One request's life, and where its time went.
#[derive(Clone, Debug, PartialEq)]
pub struct Autopsy {
    /// Which request, in order of arrival, from zero.
    pub request: usize,
    /// Its arrival [ns].
    pub arrival: SimTime,
    /// Its time to first token in parts, or what it had waited by the horizon.
    pub ttft: TtftParts,
    /// The instants of its tokens, the first one first; those that were emitted [ns].
    pub tokens: Vec<SimTime>,
    /// Its longest time between two tokens, of equals the first; `None` before the second token.
    pub longest_gap: Option<Gap>,
    /// Its end [ns]; `None` when it was unfinished at the horizon.
    pub finish: Option<SimTime>,
    /// Time per output token: (finish - first token) / (output tokens - 1) [s]; `None` when unfinished.
    pub tpot_s: Option<f64>,
    /// Whether it meets the SLO on TTFT.
    pub ttft_fate: Fate,
    /// Whether it meets the SLO on TPOT.
    pub tpot_fate: Fate,
}

impl Autopsy {
    /// Whether it meets every SLO.
    #[must_use]
    pub fn fate(&self) -> Fate {
        self.ttft_fate.and(self.tpot_fate)
    }
}

/// The autopsy of a request; `None` when there is no such request.
pub(crate) fn autopsy(records: &Records, scenario: &Scenario, request: usize) -> Option<Autopsy> {
    let costs = CostModel::new(scenario);
    let arrival = *records.arrivals.get(request)?;
    let finish = records.departures.of(request);
    let (tokens, longest_gap) = tokens(records, costs, request);
    let later_tokens = records.works.of(request).later_tokens();
    let tpot_s = finish.zip(tokens.first()).map(|(finish, &first_token)| match later_tokens {
        0 => 0.0,
        _ => (finish - first_token).as_nanos() as f64 / (1e9 * f64::from(later_tokens)),
    });
    let [ttft_fate, tpot_fate] = fates(records, scenario, request);
    let ttft = ttft_parts(records, scenario, costs, request, arrival);
    Some(Autopsy { request, arrival, ttft, tokens, longest_gap, finish, tpot_s, ttft_fate, tpot_fate })
}

fn ttft_parts(records: &Records, scenario: &Scenario, costs: CostModel, request: usize, arrival: SimTime) -> TtftParts {
    let reached = boundary_at_or_after(records, costs, arrival);
    let Some(began) = records.began(request) else {
        let horizon = SimTime::from_secs(scenario.horizon);
        let boundary = reached.min(horizon).saturating_sub(arrival);
        return TtftParts { boundary, slot: horizon.saturating_sub(arrival + boundary), ..TtftParts::default() };
    };
    let admission = stretch_at(records, began).map_or(began, |stretch| records.stretches[stretch].start);
    TtftParts {
        boundary: reached - arrival,
        slot: admission - reached,
        others: began - admission,
        own: records.works.of(request).prefill,
    }
}

/// The stretch that began last, at or before `at`.
fn stretch_at(records: &Records, at: SimTime) -> Option<usize> {
    records.begun(at).checked_sub(1)
}

/// The first step boundary at or after `at`; where the server is idle that is `at` itself.
fn boundary_at_or_after(records: &Records, costs: CostModel, at: SimTime) -> SimTime {
    let Some(stretch) = stretch_at(records, at).map(|index| records.stretches[index]) else { return at };
    if stretch.start == at {
        return at;
    }
    let step = costs.decode_step(stretch.running);
    let steps = stretch.decode_from.steps_until(at, step);
    if steps > u64::from(stretch.steps) { at } else { stretch.decode_from + step * steps }
}

/// The instants of a request's tokens, and its longest gap.
fn tokens(records: &Records, costs: CostModel, request: usize) -> (Vec<SimTime>, Option<Gap>) {
    let mut tokens = Vec::new();
    let mut longest: Option<Gap> = None;
    let Some(began) = records.began(request) else { return (tokens, longest) };
    let first_token = records.first_tokens[request];
    tokens.push(first_token);
    let mut last = first_token;
    let admission = stretch_at(records, began).unwrap_or_default();
    let output = records.works.of(request).output as usize;
    'life: for stretch in &records.stretches[admission..] {
        // The prefills between this stretch's first decode step and the token before it.
        let stalls = match tokens.len() {
            1 => count_upto(&records.first_tokens, stretch.decode_from) - 1 - request,
            _ => stretch.admitted as usize,
        };
        let step = costs.decode_step(stretch.running);
        for done in 1..=u64::from(stretch.steps) {
            // The last decode step closes the stream and gives no token.
            if tokens.len() == output {
                break 'life;
            }
            let now = stretch.decode_from + step * done;
            let (length, stall) = (now - last, now - last - step);
            if longest.is_none_or(|gap| length > gap.length) {
                let prefills = if stall == SimTime::ZERO { 0 } else { stalls as u32 };
                longest = Some(Gap { after: tokens.len() - 1, length, prefills });
            }
            tokens.push(now);
            last = now;
        }
    }
    (tokens, longest)
}

/// Whether a request meets the SLOs on TTFT and on TPOT, in constant time.
pub(crate) fn fates(records: &Records, scenario: &Scenario, request: usize) -> [Fate; 2] {
    let horizon = SimTime::from_secs(scenario.horizon);
    let Some(&arrival) = records.arrivals.get(request) else { return [Fate::Unknown; 2] };
    let (first_token, finish) = (records.first_tokens.get(request), records.departures.of(request));
    let work = records.works.of(request);
    let wait = first_token.unwrap_or(&horizon).saturating_sub(arrival);
    let limits = Limits::of(scenario);
    let streaming = match first_token {
        // A one-token answer has no later token, however long its closing step takes.
        Some(&first_token) if work.later_tokens() > 0 => finish.unwrap_or(horizon).saturating_sub(first_token),
        _ => SimTime::ZERO,
    };
    [Fate::of(wait, first_token.is_some(), limits.ttft), Fate::of(streaming, finish.is_some(), limits.streaming(work))]
}

/// The measured request whose TTFT is nearest to the 99th percentile, of equals the first; `None` when none is measured.
pub(crate) fn p99_request(records: &Records, scenario: &Scenario) -> Option<usize> {
    let window = Window::of(scenario);
    let measured = || window.measured(records);
    let ttft = |request: usize| records.ttft(request).as_nanos();
    let mut samples: Vec<u64> = measured().map(ttft).collect();
    let [_, _, p99] = quantiles(&mut samples, [0.5, 0.9, 0.99], |nanos| nanos as f64)?;
    let away = |request: usize| {
        let away = ttft(request) as f64 - p99;
        if away < 0.0 { -away } else { away }
    };
    // `min_by` gives the first of equals.
    measured().min_by(|&a, &b| away(a).total_cmp(&away(b)))
}
