//! Runs scenarios one after another in the same memory.

use alloc::vec::Vec;
use core::cell::OnceCell;
use core::{iter, slice};

use crate::arrivals::UnitArrivals;
use crate::autopsy::{self, Autopsy, Fate};
use crate::cost::CostModel;
use crate::fleet::{self, DrawnMarks, FleetRecords, FleetReport, PlainReplicas, ReportMemory};
use crate::gaps::GapLaw;
use crate::itl::Gaps;
use crate::latencies::{self, Latency};
use crate::leaving::{ByRest, InOrder};
use crate::lengths::{DrawnLengths, LengthLaws, Lengths};
use crate::levers;
use crate::limits::Limits;
use crate::little::{Counters, LittlesLaw};
use crate::metrics::{self, Samples, Totals, Window};
use crate::report::Report;
use crate::scenario::{Scenario, Seed, ValidScenario};
use crate::server::{Offered, Records, Server, Stop};
use crate::snapshot::{self, Snapshot};
use crate::timeline::{self, Moment};
use crate::trace::Trace;
use crate::units::SimTime;

/// Runs one scenario, up to its horizon.
///
/// For many runs keep an [`Engine`]: it reuses its memory and its draws. The answer is the same.
#[must_use]
pub fn run(scenario: &ValidScenario) -> Report {
    Engine::new().run(scenario).report()
}

/// Memory and draws that successive runs share. What was run before never changes an answer.
#[derive(Debug)]
pub struct Engine {
    unit_arrivals: UnitArrivals,
    arrivals: Vec<SimTime>,
    lengths: DrawnLengths,
    records: Records,
    in_order: InOrder,
    by_rest: ByRest,
    marks: DrawnMarks,
    replicas: PlainReplicas,
    /// Of plain replicas only once somebody asks what happened to single requests.
    fleet: OnceCell<FleetRecords>,
    samples: Samples,
    gaps: Gaps,
    fleet_memory: ReportMemory,
    /// What the records are of.
    last: Option<(Scenario, Stop)>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with no memory taken yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            unit_arrivals: UnitArrivals::new(Seed::Lesson, GapLaw::Exponential),
            arrivals: Vec::new(),
            lengths: DrawnLengths::new(LengthLaws::of(&Scenario::default())),
            records: Records::default(),
            in_order: InOrder::default(),
            by_rest: ByRest::default(),
            marks: DrawnMarks::new(Seed::Lesson),
            replicas: PlainReplicas::default(),
            fleet: OnceCell::new(),
            samples: Samples::default(),
            gaps: Gaps::default(),
            fleet_memory: ReportMemory::default(),
            last: None,
        }
    }

    /// Runs a scenario up to its horizon.
    pub fn run<'e>(&'e mut self, scenario: &'e ValidScenario) -> Run<'e> {
        self.run_until(scenario, Stop::AtHorizon)
    }

    /// Runs a scenario up to `stop`.
    pub fn run_until<'e>(&'e mut self, scenario: &'e ValidScenario, stop: Stop) -> Run<'e> {
        self.work_off(scenario, stop, None);
        self.last = Some((scenario.get().clone(), stop));
        Run { scenario, stop, trace: None, engine: self }
    }

    /// Runs a scenario up to its horizon on given requests: those of the trace that come before the horizon. What the
    /// scenario says of arrivals and of lengths, and its rate, then does nothing.
    pub fn replay<'e>(&'e mut self, scenario: &'e ValidScenario, trace: &'e Trace) -> Run<'e> {
        let stop = Stop::AtHorizon;
        self.work_off(scenario, stop, Some(trace));
        self.last = None;
        Run { scenario, stop, trace: Some(trace), engine: self }
    }

    fn work_off(&mut self, scenario: &ValidScenario, stop: Stop, trace: Option<&Trace>) {
        let laws = LengthLaws::of(scenario.get());
        let outputs_vary = trace.is_some() || laws.outputs_vary();
        let offered = if let Some(trace) = trace {
            trace.offered(scenario)
        } else {
            self.unit_arrivals.fill(scenario.get(), &mut self.arrivals);
            self.lengths.draw(self.arrivals.len(), laws);
            Offered { arrivals: &self.arrivals, lengths: self.lengths.drawn() }
        };
        if levers::need_a_fleet(scenario.get()) {
            let marks = self.marks.draw(offered.arrivals.len(), scenario.get().seed);
            let records = self.fleet.take();
            if levers::make_plain_replicas(scenario.get(), outputs_vary) {
                self.replicas.simulate(scenario, stop, offered, marks);
            } else {
                let mut records = records.unwrap_or_default();
                fleet::simulate(scenario, stop, offered, marks, &mut records);
                self.fleet = OnceCell::from(records);
            }
            self.records.clear();
        } else if outputs_vary {
            Server::new(scenario, stop, offered, &mut self.records, &mut self.by_rest).run();
        } else {
            Server::new(scenario, stop, offered, &mut self.records, &mut self.in_order).run();
        }
    }

    /// The run of a scenario up to its horizon: if it was the last one, as it still lies in memory, else simulated.
    pub fn again<'e>(&'e mut self, scenario: &'e ValidScenario) -> Run<'e> {
        let stop = Stop::AtHorizon;
        match &self.last {
            Some((last, at)) if last == scenario.get() && *at == stop => {
                Run { scenario, stop, trace: None, engine: self }
            }
            _ => self.run_until(scenario, stop),
        }
    }
}

/// A run that is over, in the memory of its engine. Nothing is computed before it is asked for.
#[derive(Debug)]
pub struct Run<'e> {
    scenario: &'e ValidScenario,
    stop: Stop,
    /// The requests, where they were not drawn.
    trace: Option<&'e Trace>,
    engine: &'e mut Engine,
}

impl Run<'_> {
    /// Whether there is a [`Run::fleet`] to ask for. Plain replicas are simulated once more when it is.
    #[must_use]
    pub fn is_fleet(&self) -> bool {
        levers::need_a_fleet(self.scenario.get())
    }

    /// How many servers there were on average up to the horizon.
    #[must_use]
    pub fn mean_servers(&self) -> f64 {
        match self.servers() {
            [] => self.fleet().map_or(0.0, |fleet| fleet.server_seconds() / self.scenario.get().horizon),
            servers => servers.len() as f64,
        }
    }

    /// What happened in a fleet; `None` where one server, first come first served, with whole prompts did it all, of which
    /// [`Run::records`] tell.
    #[must_use]
    pub fn fleet(&self) -> Option<&FleetRecords> {
        let Engine { marks, fleet, .. } = &*self.engine;
        let simulate = || {
            let mut records = FleetRecords::default();
            fleet::simulate(self.scenario, self.stop, self.came(), marks.drawn(), &mut records);
            records
        };
        self.is_fleet().then(|| fleet.get_or_init(simulate))
    }

    /// The metrics that only a fleet has.
    #[must_use]
    pub fn fleet_report(&self) -> Option<FleetReport> {
        match self.servers() {
            [] => self.fleet().map(|records| records.report(self.scenario.get())),
            servers => self.is_fleet().then(|| FleetReport::of_plain(servers, self.scenario.get())),
        }
    }

    /// What happened to each request and to the server. Of a [`Run::fleet`] they, and all that looks at single requests,
    /// are empty.
    #[must_use]
    pub fn records(&self) -> &Records {
        &self.engine.records
    }

    /// Waiting and running at the step boundaries, in order of time; in a fleet at every change, all servers together.
    pub fn timeline(&self) -> impl Iterator<Item = Moment> + '_ {
        let of_many = match self.servers() {
            [] => self.fleet().map(FleetRecords::timeline),
            [_] => None,
            servers => Some(timeline::of_many(servers)),
        };
        // Of many servers the records of the one are empty.
        timeline::moments(&self.engine.records, CostModel::new(self.scenario.get()))
            .chain(of_many.into_iter().flatten())
    }

    /// The server at an instant, up to the horizon.
    #[must_use]
    pub fn snapshot(&self, at: SimTime) -> Snapshot {
        snapshot::snapshot(self.records(), CostModel::new(self.scenario.get()), at)
    }

    /// The first instant after `at` at which something happens: an arrival, an admission, a first token, a departure.
    #[must_use]
    pub fn next_event(&self, at: SimTime) -> Option<SimTime> {
        snapshot::next_event(self.records(), at)
    }

    /// Why a request took the time it took; `None` when there is no such request. It lists every token.
    #[must_use]
    pub fn autopsy(&self, request: usize) -> Option<Autopsy> {
        autopsy::autopsy(self.records(), self.scenario.get(), request)
    }

    /// Whether a request meets every SLO.
    #[must_use]
    pub fn fate(&self, request: usize) -> Fate {
        let [ttft, tpot] = autopsy::fates(self.records(), self.scenario.get(), request);
        ttft.and(tpot)
    }

    /// The measured request whose TTFT is nearest to the 99th percentile, of equals the first; `None` when no request
    /// was measured.
    #[must_use]
    pub fn p99_request(&self) -> Option<usize> {
        autopsy::p99_request(self.records(), self.scenario.get())
    }

    /// How long each measured request waited and streamed, in order of arrival; of replicas that have no levers of their
    /// own, one replica after the other.
    #[must_use]
    pub fn latencies(&self) -> Vec<Latency> {
        let scenario = self.scenario.get();
        match self.servers() {
            [] => self.fleet().map_or_else(Vec::new, |fleet| fleet.latencies(scenario)),
            servers => servers.iter().flat_map(|server| latencies::latencies(server, scenario)).collect(),
        }
    }

    /// The scenario.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        self.scenario.get()
    }

    /// The three counters of Little's law, from time zero to the horizon or, when drained, to the last departure.
    #[must_use]
    pub fn littles_law(&self) -> Option<LittlesLaw> {
        let horizon = SimTime::from_secs(self.scenario.get().horizon);
        let servers = self.servers();
        if servers.is_empty() {
            return self.fleet()?.littles_law(|last_finish| observed(self.stop, horizon, last_finish));
        }
        let end = observed_until(self.stop, horizon, servers);
        servers.iter().map(|server| Counters::of(server, end)).fold(Counters::default(), Counters::and).law(end)
    }

    /// The requests that came to the door, in order of arrival: when, and with which lengths.
    pub fn offered(&self) -> impl Iterator<Item = (SimTime, Lengths)> + '_ {
        let scenario = self.scenario.get();
        let usual = Lengths { prompt: scenario.prompt, cached: 0, output: scenario.output };
        let Offered { arrivals, lengths } = self.came();
        arrivals.iter().copied().zip(lengths.iter().copied().chain(iter::repeat(usual)))
    }

    fn came(&self) -> Offered<'_> {
        match self.trace {
            Some(trace) => trace.offered(self.scenario),
            None => Offered { arrivals: &self.engine.arrivals, lengths: self.engine.lengths.drawn() },
        }
    }

    fn servers(&self) -> &[Records] {
        simulated_alone(self.scenario.get(), self.outputs_vary(), &self.engine.records, &self.engine.replicas)
    }

    fn outputs_vary(&self) -> bool {
        self.trace.is_some() || LengthLaws::of(self.scenario.get()).outputs_vary()
    }

    /// What the requests of a fleet were drawn with besides, in the same order: a uniform draw for the way, and one that is
    /// below the scenario's `high_share` where the priority is high. None without a fleet.
    pub fn marks(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let marks = if self.is_fleet() { self.engine.marks.drawn() } else { &[] };
        marks.iter().map(|marks| (marks.route, marks.priority))
    }

    /// All metrics of the run.
    pub fn report(&mut self) -> Report {
        let scenario = self.scenario.get();
        let costs = CostModel::new(scenario);
        let outputs_vary = self.outputs_vary();
        if self.servers().is_empty() {
            let Engine { fleet, samples, fleet_memory, .. } = &mut *self.engine;
            let simulated = fleet.get().expect("a fleet that is no set of plain servers was simulated as one");
            let until = |last_finish| observed(self.stop, Window::of(scenario).to, last_finish);
            return fleet::report(simulated, scenario, outputs_vary, until, samples, fleet_memory);
        }

        let Engine { records, replicas, samples, gaps, .. } = &mut *self.engine;
        let servers = simulated_alone(scenario, outputs_vary, records, replicas);
        let window = Window::of(scenario);
        let end = observed_until(self.stop, window.to, servers);
        samples.restart(servers.iter().map(|server| server.departures.count()).sum());
        gaps.restart(scenario.max_batch, servers);
        let mut counters = Counters::default();
        let (mut busy, mut emitted, mut steps) = (SimTime::ZERO, 0, 0);
        let (mut let_in, mut rejected) = (0, 0);
        // All that is asked of a server at once, while a processor has its records near.
        for server in servers {
            samples.take(server, window, Limits::of(scenario), outputs_vary);
            gaps.count(server, window, costs);
            counters = counters.and(Counters::of(server, end));
            busy += metrics::busy(server, window.to, costs);
            emitted += window.tokens(server, costs);
            steps += server.stretches.iter().map(|stretch| u64::from(stretch.steps)).sum::<u64>();
            let_in += window.arrived(server).len() as u64;
            rejected += window.rejected(server) as u64;
        }
        let totals = Totals {
            busy_fraction: busy.as_secs() / (window.to * servers.len() as u64).as_secs(),
            let_in,
            rejected,
            emitted,
            itl_s: gaps.distribution(costs),
            littles_law: counters.law(end),
            steps,
        };
        samples.report(scenario, outputs_vary, &totals)
    }
}

/// Until when the system is looked at: when it is drained, until the last finish.
fn observed(stop: Stop, horizon: SimTime, last_finish: Option<SimTime>) -> SimTime {
    match stop {
        Stop::AtHorizon => horizon,
        Stop::Drained => last_finish.unwrap_or(horizon),
    }
}

fn observed_until(stop: Stop, horizon: SimTime, servers: &[Records]) -> SimTime {
    let last_finishes = servers.iter().filter_map(|server| server.departures.times().last().copied());
    observed(stop, horizon, last_finishes.max())
}

/// The servers that were simulated each for itself: the one, plain replicas, or none.
fn simulated_alone<'r>(
    scenario: &Scenario,
    outputs_vary: bool,
    one: &'r Records,
    replicas: &'r PlainReplicas,
) -> &'r [Records] {
    if levers::make_plain_replicas(scenario, outputs_vary) {
        replicas.records()
    } else if levers::need_a_fleet(scenario) {
        &[]
    } else {
        slice::from_ref(one)
    }
}
