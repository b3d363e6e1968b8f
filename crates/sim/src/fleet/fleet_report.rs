//! From the records of a fleet to its metrics: those of section 2 of MODEL.md, and what only a fleet has.

use alloc::vec::Vec;

use super::inter_token;
use super::{FleetRecords, Life};
use crate::limits::Limits;
use crate::metrics::{Samples, Window};
use crate::report::{Distribution, Report};
use crate::scenario::Scenario;
use crate::units::SimTime;
use crate::work::Work;

/// What a run of a fleet has beyond a [`Report`].
#[derive(Clone, Debug, PartialEq)]
pub struct FleetReport {
    /// Time to first token, counted from when the client wanted to send [s].
    pub ttft_intended_s: Option<Distribution>,
    /// Time to first token of the measured requests with the high priority [s].
    pub ttft_high_s: Option<Distribution>,
    /// Time to first token of those without [s].
    pub ttft_low_s: Option<Distribution>,
    /// Time to first token of the measured requests of each replica [s].
    pub ttft_of_replicas_s: Vec<Option<Distribution>>,
    /// Times that a request lost its KV memory, over the whole run.
    pub preemptions: u64,
    /// Requests that were sent again, over the whole run.
    pub retries: u64,
    /// Greatest share of the KV memory in use on one server (0..=1); `None` without a limit.
    pub kv_peak: Option<f64>,
    /// Time that the servers existed before the horizon, all together [s]: what is paid for.
    pub server_seconds: f64,
}

/// All metrics of a run that stopped at or after the horizon, but for Little's law.
pub(crate) fn report(records: &FleetRecords, scenario: &Scenario, outputs_vary: bool, samples: &mut Samples) -> Report {
    let window = Window::of(scenario);
    let window_s = window.length_s();
    let limits = Limits::of(scenario);
    samples.restart(records.lives.len());
    for life in measured(records, window) {
        let work = Work { prefill: SimTime::ZERO, output: life.lengths.output };
        if let (Some(first_token), Some(finish)) = (life.first_token, life.finish) {
            samples.add(work, [life.sent, first_token, finish], limits, outputs_vary);
        }
    }
    let (completed, good) = (samples.count(), samples.good());
    let sent = || records.lives.iter().filter(|life| life.sent >= window.from && life.sent <= window.to);
    let rejected = sent().filter(|life| life.rejected).count() as u64;
    let offered = sent().count() as u64;
    let judged = completed + rejected;
    Report {
        rate_per_s: scenario.rate,
        busy_fraction: records.busy(window.to).as_secs() / records.existed.as_secs(),
        offered,
        completed,
        unfinished: offered - completed - rejected,
        rejected,
        throughput_tokens_per_s: samples.tokens() as f64 / window_s,
        throughput_requests_per_s: completed as f64 / window_s,
        server_output_tokens_per_s: tokens(records, window) as f64 / window_s,
        ttft_s: samples.ttft(),
        tpot_s: samples.tpot(scenario.output, outputs_vary),
        itl_s: inter_token::distribution(records, window),
        e2e_s: samples.e2e(),
        good,
        slo_attainment: (judged > 0).then(|| good as f64 / judged as f64),
        goodput_requests_per_s: good as f64 / window_s,
        littles_law: None,
        n_steps: records.stretches().map(|stretch| stretch.steps).sum(),
    }
}

/// The measured requests: sent in the window, finished by the horizon.
fn measured(records: &FleetRecords, window: Window) -> impl Iterator<Item = &Life> {
    records.lives.iter().filter(move |life| is_measured(life, window))
}

pub(super) fn is_measured(life: &Life, window: Window) -> bool {
    life.sent >= window.from && life.finish.is_some_and(|finish| finish <= window.to)
}

/// Tokens that left the servers in the window, whoever they belong to.
fn tokens(records: &FleetRecords, window: Window) -> u64 {
    let in_window = |at: &SimTime| window.from <= *at && *at <= window.to;
    let first = records.lives.iter().filter_map(|life| life.first_token).filter(in_window).count() as u64;
    let finished = records.lives.iter().filter_map(|life| life.finish).filter(in_window).count() as u64;
    let steps = records
        .stretches()
        .map(|stretch| u64::from(stretch.running) * window.step_ends(stretch.steps_from, stretch.step, stretch.steps));
    first + steps.sum::<u64>() - finished
}

impl FleetRecords {
    fn stretches(&self) -> impl Iterator<Item = &super::FleetStretch> {
        self.replicas.iter().flat_map(|replica| &replica.stretches)
    }

    /// Time inside steps and prefills before the horizon [ns].
    fn busy(&self, horizon: SimTime) -> SimTime {
        let mut busy = self.prefill_busy;
        for stretch in self.stretches() {
            busy += stretch.end().min(horizon) - stretch.start.min(horizon);
        }
        busy
    }

    /// What the fleet has beyond a [`Report`].
    pub(crate) fn report(&self, scenario: &Scenario) -> FleetReport {
        let window = Window::of(scenario);
        let distribution = |times: &mut dyn Iterator<Item = SimTime>| {
            let mut times: Vec<u64> = times.map(SimTime::as_nanos).collect();
            crate::metrics::of_nanos(&mut times, 1)
        };
        let ttft = |life: &Life| life.first_token.map(|first| first - life.sent);
        let of_priority =
            |high: bool| distribution(&mut measured(self, window).filter(|life| life.high == high).filter_map(ttft));
        let of_replica = |place: u32| {
            distribution(&mut measured(self, window).filter(|life| life.replica == Some(place)).filter_map(ttft))
        };
        let kv_share = self.stretches().filter(|stretch| stretch.total_blocks > 0).map(|stretch| {
            // In blocks: so few that a float holds them exactly.
            stretch.most_blocks as f64 / stretch.total_blocks as f64
        });
        let intended = |life: &Life| life.first_token.map(|first| first - life.intended);
        FleetReport {
            ttft_intended_s: distribution(&mut measured(self, window).filter_map(intended)),
            ttft_high_s: of_priority(true),
            ttft_low_s: of_priority(false),
            ttft_of_replicas_s: (0..self.replicas.len() as u32).map(of_replica).collect(),
            preemptions: self.lives.iter().map(|life| u64::from(life.preemptions)).sum(),
            retries: self.lives.iter().filter(|life| life.attempt > 0).count() as u64,
            kv_peak: kv_share.reduce(f64::max),
            server_seconds: self.existed.as_secs(),
        }
    }
}
