//! The server: continuous batching with first-come-first-served admission, advanced a stretch of equal steps at a time.
//!
//! The step rule is section 1 of MODEL.md. Between two changes of the batch all decode steps are equal, so they are
//! taken at once; the plain one-step-at-a-time twin in the tests must agree to the last bit.

use alloc::vec::Vec;

use crate::cost::CostModel;
use crate::scenario::ValidScenario;
use crate::units::SimTime;

/// When a simulation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// No step starts at or after the horizon; what is unfinished stays unfinished.
    AtHorizon,
    /// No request arrives after the horizon, and the server goes on until it is empty.
    Drained,
}

/// One admission round and the equal decode steps that followed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The step boundary at which it began [ns].
    pub start: SimTime,
    /// Requests admitted at that boundary; their prefills come before the first decode step.
    pub admitted: u32,
    /// Sequences in the batch during the decode steps, the admitted ones included.
    pub running: u32,
    /// Equal decode steps, at least one.
    pub steps: u32,
    /// Requests that left at the end of the last step.
    pub finished: u32,
}

impl Stretch {
    /// When its decode steps began: after the prefills of those admitted, `prefill` each [ns].
    pub(crate) fn decode_from(&self, prefill: SimTime) -> SimTime {
        self.start + prefill * u64::from(self.admitted)
    }
}

/// What happened to the requests, in order of arrival, and to the server, in order of time.
///
/// Admission is first come first served and all answers are equally long, so requests are admitted and finish in the
/// order in which they arrived: `first_tokens` and `finishes` are prefixes of the requests.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Arrival of each request [ns].
    pub arrivals: Vec<SimTime>,
    /// First token of each admitted request [ns].
    pub first_tokens: Vec<SimTime>,
    /// End of each finished request [ns].
    pub finishes: Vec<SimTime>,
    /// The stretches, back to back but for idle gaps.
    pub stretches: Vec<Stretch>,
}

impl Records {
    /// How many stretches began at or before `at`.
    #[inline(never)]
    pub(crate) fn begun(&self, at: SimTime) -> usize {
        self.stretches.partition_point(|stretch| stretch.start <= at)
    }

    /// Forgets everything but keeps the memory.
    fn clear_results(&mut self) {
        self.first_tokens.clear();
        self.finishes.clear();
        self.stretches.clear();
        // No allocation in the loop: room for all that can come. A stretch ends with an arrival, a departure or the horizon.
        self.first_tokens.reserve(self.arrivals.len());
        self.finishes.reserve(self.arrivals.len());
        self.stretches.reserve(2 * self.arrivals.len() + 1);
    }
}

/// A server working through the arrivals of its records.
#[derive(Debug)]
pub(crate) struct Server<'r> {
    costs: CostModel,
    max_batch: u32,
    steps_per_request: u64,
    stop_at: SimTime,
    records: &'r mut Records,
    /// The current step boundary.
    now: SimTime,
    /// Decode steps taken so far.
    steps: u64,
    /// For each admitted request the count of decode steps after which it leaves.
    leaves_after: &'r mut Vec<u64>,
}

impl<'r> Server<'r> {
    /// A server at time zero. `records.arrivals` holds the arrivals; all else in it is overwritten.
    pub(crate) fn new(
        scenario: &ValidScenario,
        stop: Stop,
        records: &'r mut Records,
        leaves_after: &'r mut Vec<u64>,
    ) -> Self {
        let scenario = scenario.get();
        records.clear_results();
        leaves_after.clear();
        leaves_after.reserve(records.arrivals.len());
        Self {
            costs: CostModel::new(scenario),
            max_batch: scenario.max_batch,
            steps_per_request: u64::from(scenario.output),
            stop_at: match stop {
                Stop::AtHorizon => SimTime::from_secs(scenario.horizon),
                Stop::Drained => SimTime::MAX,
            },
            records,
            now: SimTime::ZERO,
            steps: 0,
            leaves_after,
        }
    }

    /// Works until the stop.
    pub(crate) fn run(mut self) {
        while let Some(stretch) = self.advance() {
            self.records.stretches.push(stretch);
        }
    }

    /// Takes the next stretch; `None` when the time is over or there is no more work.
    fn advance(&mut self) -> Option<Stretch> {
        self.skip_idle_time()?;
        let start = self.now;
        let admitted = self.admit();
        let running = self.running();
        let step = self.costs.decode_step(running);
        let steps = self.equal_steps(running, step);
        self.now += step * steps;
        self.steps += steps;
        let finished = self.release();
        Some(Stretch { start, admitted, running, steps: steps as u32, finished })
    }

    fn running(&self) -> u32 {
        (self.records.first_tokens.len() - self.records.finishes.len()) as u32
    }

    fn next_arrival(&self) -> Option<SimTime> {
        self.records.arrivals.get(self.records.first_tokens.len()).copied()
    }

    /// Jumps to the next arrival when there is nothing to do.
    fn skip_idle_time(&mut self) -> Option<()> {
        if self.running() == 0 {
            self.now = self.now.max(self.next_arrival()?);
        }
        (self.now < self.stop_at).then_some(())
    }

    /// Admits what waits at this boundary while the batch has room. Each prefill stalls everyone;
    /// the first token is ready at the end of the request's own prefill.
    fn admit(&mut self) -> u32 {
        let boundary = self.now;
        let room = self.max_batch - self.running();
        let mut admitted = 0;
        while admitted < room && self.next_arrival().is_some_and(|at| at <= boundary) {
            self.now += self.costs.prefill;
            self.records.first_tokens.push(self.now);
            self.leaves_after.push(self.steps + self.steps_per_request);
            admitted += 1;
        }
        admitted
    }

    /// How many decode steps pass until the batch can change: somebody leaves, somebody can be admitted, or time is over.
    fn equal_steps(&self, running: u32, step: SimTime) -> u64 {
        let until_departure = self.leaves_after[self.records.finishes.len()] - self.steps;
        let mut change_at = self.stop_at;
        if running < self.max_batch
            && let Some(arrival) = self.next_arrival()
        {
            change_at = change_at.min(arrival);
        }
        // The division only where it decides: most stretches of a full batch end with a departure.
        let left = change_at.saturating_sub(self.now);
        if left >= step * until_departure {
            return until_departure;
        }
        left.steps_of(step).max(1)
    }

    /// Lets those go whose last step this was.
    fn release(&mut self) -> u32 {
        let mut finished = 0;
        while self.leaves_after.get(self.records.finishes.len()) == Some(&self.steps) {
            self.records.finishes.push(self.now);
            finished += 1;
        }
        finished
    }
}
