//! From the records of a fleet to its metrics: those of section 2 of MODEL.md, and what only a fleet has.

use alloc::vec::Vec;

use super::inter_token::FleetGaps;
use super::{FleetRecords, Life};
use crate::distribution::Distribution;
use crate::latencies::Latency;
use crate::limits::Limits;
use crate::little::LittlesLaw;
use crate::metrics::{Samples, Totals, Window};
use crate::report::Report;
use crate::scenario::Scenario;
use crate::server::Records;
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

impl FleetReport {
    /// Of replicas that were simulated each for itself: one priority, no memory to lose, nobody who sends again.
    pub(crate) fn of_plain(servers: &[Records], scenario: &Scenario) -> Self {
        let window = Window::of(scenario);
        let ttfts_of = |server: &Records| -> Vec<u64> {
            window.measured(server).map(|request| server.ttft(request).as_nanos()).collect()
        };
        let mut ttfts: Vec<_> = servers.iter().map(ttfts_of).collect();
        let of_all = Distribution::of_nanos(&mut ttfts.concat());
        Self {
            ttft_intended_s: of_all,
            ttft_high_s: None,
            ttft_low_s: of_all,
            ttft_of_replicas_s: ttfts.iter_mut().map(|ttfts| Distribution::of_nanos(ttfts)).collect(),
            preemptions: 0,
            retries: 0,
            kv_peak: None,
            server_seconds: (window.to * servers.len() as u64).as_secs(),
        }
    }
}

/// All metrics of a run.
pub(crate) fn report(
    records: &FleetRecords,
    scenario: &Scenario,
    outputs_vary: bool,
    littles_law: Option<LittlesLaw>,
    samples: &mut Samples,
    gaps: &mut FleetGaps,
) -> Report {
    let window = Window::of(scenario);
    let limits = Limits::of(scenario);
    samples.restart(records.lives.len());
    let (mut let_in, mut rejected) = (0, 0);
    for life in records.lives.iter().filter(|life| life.sent >= window.from && life.sent <= window.to) {
        *if life.rejected { &mut rejected } else { &mut let_in } += 1;
        if let (Some(first_token), Some(finish)) = (life.first_token, life.finish)
            && finish <= window.to
        {
            let work = Work { prefill: SimTime::ZERO, output: life.lengths.output };
            samples.add(work, [life.sent, first_token, finish], limits, outputs_vary);
        }
    }
    let Steps { busy, tokens, count } = records.steps(window);
    let totals = Totals {
        busy_fraction: (records.prefill_busy + busy).as_secs() / records.existed.as_secs(),
        let_in,
        rejected,
        emitted: tokens,
        itl_s: gaps.distribution(records, window),
        littles_law,
        steps: count,
    };
    samples.report(scenario, outputs_vary, &totals)
}

/// The measured requests: sent in the window, finished by the horizon.
fn measured(records: &FleetRecords, window: Window) -> impl Iterator<Item = &Life> {
    records.lives.iter().filter(move |life| life.is_measured(window))
}

/// What the steps of a fleet add up to.
#[derive(Default)]
struct Steps {
    /// Time inside them before the horizon [ns].
    busy: SimTime,
    /// Tokens that left the servers in the window, first tokens included, whoever they belong to.
    tokens: u64,
    count: u64,
}

impl FleetRecords {
    fn stretches(&self) -> impl Iterator<Item = &super::FleetStretch> {
        self.replicas.iter().flat_map(|replica| &replica.stretches)
    }

    fn steps(&self, window: Window) -> Steps {
        let mut steps = Steps::default();
        for replica in &self.replicas {
            for stretch in &replica.stretches {
                steps.busy += stretch.end().min(window.to) - stretch.start.min(window.to);
                steps.tokens += u64::from(stretch.running)
                    * window.step_ends(stretch.steps_from, stretch.step, u64::from(stretch.steps));
                steps.count += u64::from(stretch.steps);
            }
        }
        let is_in_window = |at: Option<SimTime>| at.is_some_and(|at| window.from <= at && at <= window.to);
        for life in &self.lives {
            steps.tokens += u64::from(is_in_window(life.first_token));
            // The last step of a request closes its stream and gives no token.
            steps.tokens -= u64::from(is_in_window(life.finish));
        }
        steps
    }

    /// How long each measured request waited and streamed, in order of sending.
    pub(crate) fn latencies(&self, scenario: &Scenario) -> Vec<Latency> {
        let limits = Limits::of(scenario);
        let latency = |life: &Life| {
            let work = Work { prefill: SimTime::ZERO, output: life.lengths.output };
            Some(Latency::of(work, [life.sent, life.first_token?, life.finish?], limits))
        };
        measured(self, Window::of(scenario)).filter_map(latency).collect()
    }

    /// Time that the servers existed before the horizon, all together [s].
    pub(crate) fn server_seconds(&self) -> f64 {
        self.existed.as_secs()
    }

    /// What the fleet has beyond a [`Report`].
    pub(crate) fn report(&self, scenario: &Scenario) -> FleetReport {
        let window = Window::of(scenario);
        let distribution = |times: &mut dyn Iterator<Item = SimTime>| {
            let mut times: Vec<u64> = times.map(SimTime::as_nanos).collect();
            Distribution::of_nanos(&mut times)
        };
        let ttft = |life: &Life| life.first_token.map(|first| first - life.sent);
        let of_priority =
            |high: bool| distribution(&mut measured(self, window).filter(|life| life.high == high).filter_map(ttft));
        let of_replica = |place: u32| {
            distribution(&mut measured(self, window).filter(|life| life.replica == Some(place)).filter_map(ttft))
        };
        let kv_share = self
            .stretches()
            .filter(|stretch| stretch.total_blocks > 0)
            .map(|stretch| f64::from(stretch.most_blocks) / f64::from(stretch.total_blocks));
        let intended = |life: &Life| life.first_token.map(|first| first - life.intended);
        FleetReport {
            ttft_intended_s: distribution(&mut measured(self, window).filter_map(intended)),
            ttft_high_s: of_priority(true),
            ttft_low_s: of_priority(false),
            ttft_of_replicas_s: (0..self.replicas.len() as u32).map(of_replica).collect(),
            preemptions: self.lives.iter().map(|life| u64::from(life.preemptions)).sum(),
            retries: self.lives.iter().filter(|life| life.attempt > 0).count() as u64,
            kv_peak: kv_share.reduce(f64::max),
            server_seconds: self.server_seconds(),
        }
    }
}
