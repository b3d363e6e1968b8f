//! From the records of a fleet to its metrics: those of section 2 of MODEL.md, and what only a fleet has.

use alloc::vec::Vec;

use super::inter_token::FleetGaps;
use super::timeline::Stays;
use super::{FleetRecords, FleetStretch, Life};
use crate::distribution::Distribution;
use crate::latencies::Latency;
use crate::limits::Limits;
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

/// What a report reads of the records one after the other, side by side; in memory that is kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct ReportMemory {
    stays: Stays,
    /// Of each request that was sent.
    is_measured: Vec<bool>,
    gaps: FleetGaps,
}

/// All metrics of a run that is looked at until an instant, which the last finish decides.
pub(crate) fn report(
    records: &FleetRecords,
    scenario: &Scenario,
    outputs_vary: bool,
    until: impl FnOnce(Option<SimTime>) -> SimTime,
    samples: &mut Samples,
    memory: &mut ReportMemory,
) -> Report {
    let window = Window::of(scenario);
    let limits = Limits::of(scenario);
    let ReportMemory { stays, is_measured, gaps } = memory;
    samples.restart(records.lives.len());
    stays.restart();
    is_measured.clear();
    let (mut let_in, mut rejected) = (0, 0);
    let mut steps = Steps::default();
    records.stretches().for_each(|stretch| steps.add(stretch, window));
    // There is much to each request, so all that is asked of one is asked at once.
    for life in &records.lives {
        steps.add_ends(life, window);
        stays.add(life);
        let measured = life.is_measured(window);
        is_measured.push(measured);
        if window.holds(life.sent) {
            *if life.rejected { &mut rejected } else { &mut let_in } += 1;
        }
        if measured && let (Some(first_token), Some(finish)) = (life.first_token, life.finish) {
            let work = Work { prefill: SimTime::ZERO, output: life.lengths.output };
            samples.add(work, [life.sent, first_token, finish], limits, outputs_vary);
        }
    }
    let totals = Totals {
        busy_fraction: (records.prefill_busy + steps.busy).as_secs() / records.existed.as_secs(),
        let_in,
        rejected,
        emitted: steps.tokens,
        itl_s: gaps.distribution(records, is_measured),
        littles_law: stays.littles_law(&records.finishes, until),
        steps: steps.count,
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

impl Steps {
    fn add(&mut self, stretch: &FleetStretch, window: Window) {
        self.busy += stretch.end().min(window.to) - stretch.start.min(window.to);
        self.tokens +=
            u64::from(stretch.running) * window.step_ends(stretch.steps_from, stretch.step, u64::from(stretch.steps));
        self.count += u64::from(stretch.steps);
    }

    /// After all stretches: the first token of a request comes from no step, and the last of its steps closes its stream
    /// and gives no token.
    fn add_ends(&mut self, life: &Life, window: Window) {
        let is_in_window = |at: Option<SimTime>| u64::from(at.is_some_and(|at| window.holds(at)));
        self.tokens = self.tokens + is_in_window(life.first_token) - is_in_window(life.finish);
    }
}

impl FleetRecords {
    fn stretches(&self) -> impl Iterator<Item = &FleetStretch> {
        self.replicas.iter().flat_map(|replica| &replica.stretches)
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
