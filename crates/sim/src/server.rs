//! The server: continuous batching with first-come-first-served admission, advanced a stretch of equal steps at a time.
//!
//! The step rule is section 1 of MODEL.md. Between two changes of the batch all decode steps are equal, so they are
//! taken at once; the plain one-step-at-a-time twin in the tests must agree to the last bit.

use alloc::vec::Vec;

use crate::admission::Door;
use crate::cost::CostModel;
use crate::departures::Departures;
use crate::leaving::Leaving;
use crate::lengths::Lengths;
use crate::scenario::ValidScenario;
use crate::units::SimTime;
use crate::work::{Work, Works};

/// When a simulation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// No step starts at or after the horizon; what is unfinished stays unfinished.
    AtHorizon,
    /// No request arrives after the horizon, and the server goes on until it is empty.
    Drained,
}

/// One admission round and the equal decode steps that followed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The step boundary at which it began [ns].
    pub start: SimTime,
    /// When its decode steps began: after the prefills of those admitted [ns].
    pub decode_from: SimTime,
    /// Requests admitted at that boundary; their prefills come before the first decode step.
    pub admitted: u32,
    /// Sequences in the batch during the decode steps, the admitted ones included.
    pub running: u32,
    /// Equal decode steps, at least one.
    pub steps: u32,
    /// Requests that left at the end of the last step.
    pub finished: u32,
}

/// What happened to the requests, in order of arrival, and to the server, in order of time.
///
/// A request that was turned away is not among the requests: it has nothing but an arrival. Admission is first come first
/// served, so `first_tokens` is a prefix of the requests.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Arrival of each request [ns].
    pub arrivals: Vec<SimTime>,
    /// What each request asks of the server.
    pub works: Works,
    /// First token of each admitted request [ns].
    pub first_tokens: Vec<SimTime>,
    /// The ends of the finished requests.
    pub departures: Departures,
    /// Arrival of each request that was turned away [ns].
    pub rejections: Vec<SimTime>,
    /// The stretches, back to back but for idle gaps.
    pub stretches: Vec<Stretch>,
}

impl Records {
    /// How many stretches began at or before `at`.
    #[inline(never)]
    pub(crate) fn begun(&self, at: SimTime) -> usize {
        self.stretches.partition_point(|stretch| stretch.start <= at)
    }

    /// Time to first token of an admitted request [ns].
    pub(crate) fn ttft(&self, request: usize) -> SimTime {
        self.first_tokens[request] - self.arrivals[request]
    }

    /// When the request's own prefill began [ns]; `None` when it was not admitted.
    pub(crate) fn began(&self, request: usize) -> Option<SimTime> {
        Some(*self.first_tokens.get(request)? - self.works.of(request).prefill)
    }

    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.arrivals.clear();
        self.works.restart(Work::default());
        self.first_tokens.clear();
        self.departures.clear();
        self.rejections.clear();
        self.stretches.clear();
    }

    /// Forgets everything and makes room for a run.
    fn restart(&mut self, offered: &Offered<'_>, usual: Work, in_order: bool) {
        self.clear();
        self.works.restart(usual);
        // No allocation in the loop: room for all that can come. A stretch ends with an arrival, a departure or the horizon.
        let requests = offered.arrivals.len();
        self.arrivals.reserve(requests);
        self.works.reserve(offered.lengths.len());
        self.first_tokens.reserve(requests);
        self.departures.reserve(requests, in_order);
        self.stretches.reserve(2 * requests + 1);
    }
}

/// The requests that come, in order of arrival.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offered<'o> {
    pub(crate) arrivals: &'o [SimTime],
    /// None when all requests are equal.
    pub(crate) lengths: &'o [Lengths],
}

/// A server working through the requests that come.
#[derive(Debug)]
pub(crate) struct Server<'r, L> {
    costs: CostModel,
    max_batch: u32,
    door: Door,
    stop_at: SimTime,
    offered: Offered<'r>,
    records: &'r mut Records,
    leaving: &'r mut L,
    /// The current step boundary.
    now: SimTime,
    /// Decode steps taken so far.
    steps: u64,
    /// How many of those that come have come to the door.
    seen: usize,
    /// How many of them were let in.
    let_in: usize,
    /// Everybody is let in and all are equal: then the records of the door are complete before it opens.
    is_plain: bool,
}

impl<'r, L: Leaving> Server<'r, L> {
    /// A server at time zero. All that is in `records` and in `leaving` is overwritten.
    pub(crate) fn new(
        scenario: &ValidScenario,
        stop: Stop,
        offered: Offered<'r>,
        records: &'r mut Records,
        leaving: &'r mut L,
    ) -> Self {
        let scenario = scenario.get();
        let costs = CostModel::new(scenario);
        let usual = Work { prefill: costs.prefill(scenario.prompt), output: scenario.output };
        records.restart(&offered, usual, L::IN_ORDER);
        leaving.restart(offered.arrivals.len(), scenario.max_batch);
        let door = Door::of(scenario);
        let is_plain = door.is_always_open() && offered.lengths.is_empty();
        if is_plain {
            records.arrivals.extend_from_slice(offered.arrivals);
        }
        Self {
            costs,
            max_batch: scenario.max_batch,
            door,
            stop_at: match stop {
                Stop::AtHorizon => SimTime::from_secs(scenario.horizon),
                Stop::Drained => SimTime::MAX,
            },
            offered,
            records,
            leaving,
            now: SimTime::ZERO,
            steps: 0,
            seen: 0,
            let_in: 0,
            is_plain,
        }
    }

    /// Works until the stop.
    pub(crate) fn run(mut self) {
        while let Some(stretch) = self.begin() {
            self.complete(stretch);
        }
        // Whoever comes after the last boundary still finds the door open or closed.
        self.receive(SimTime::MAX, usize::MAX);
    }

    /// Begins the next stretch; `None` when the time is over or there is no more work. It lasts until something is known to
    /// happen.
    #[inline(always)]
    pub(crate) fn begin(&mut self) -> Option<Stretch> {
        self.skip_idle_time()?;
        let start = self.now;
        // Where nobody is turned away, nobody need be looked at before there is room.
        let room = (self.max_batch - self.running()) as usize;
        self.receive(start, if self.door.is_always_open() { room } else { usize::MAX });
        let admitted = self.admit();
        let decode_from = self.now;
        let running = self.running();
        let steps = self.equal_steps(running, self.step(running));
        Some(Stretch { start, decode_from, admitted, running, steps: steps as u32, finished: 0 })
    }

    /// Ends a stretch that was begun. How many left.
    #[inline(always)]
    pub(crate) fn complete(&mut self, mut stretch: Stretch) -> u32 {
        self.now += self.step(stretch.running) * u64::from(stretch.steps);
        self.steps += u64::from(stretch.steps);
        stretch.finished = self.leaving.release(self.steps, self.now, &mut self.records.departures);
        self.records.stretches.push(stretch);
        stretch.finished
    }

    /// How long a decode step of so many sequences takes.
    #[inline(always)]
    pub(crate) fn step(&self, running: u32) -> SimTime {
        self.costs.decode_step(running)
    }

    /// Whether one more may run.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.running() < self.max_batch
    }

    /// One comes to the door at `at`, when there was nothing to do since the last boundary.
    pub(crate) fn wake(&mut self, at: SimTime) {
        self.now = self.now.max(at);
    }

    /// How many run.
    #[inline(always)]
    pub(crate) fn running(&self) -> u32 {
        (self.records.first_tokens.len() - self.records.departures.count()) as u32
    }

    /// How many wait.
    #[inline(always)]
    pub(crate) fn waiting(&self) -> usize {
        self.let_in - self.records.first_tokens.len()
    }

    #[inline(always)]
    fn next_to_come(&self) -> Option<SimTime> {
        self.offered.arrivals.get(self.seen).copied()
    }

    /// Jumps to the next arrival when there is nothing to do.
    #[inline(always)]
    fn skip_idle_time(&mut self) -> Option<()> {
        if self.running() == 0 && self.waiting() == 0 {
            self.now = self.now.max(self.next_to_come()?);
        }
        (self.now < self.stop_at).then_some(())
    }

    /// Lets those who came by `until` into the waiting line up to a length, or turns them away. Nobody leaves the line in between:
    /// admissions happen at step boundaries only, and this is called at each of them first.
    #[inline(always)]
    fn receive(&mut self, until: SimTime, most: usize) {
        while self.waiting() < most
            && let Some(arrival) = self.next_to_come()
            && arrival <= until
        {
            if self.is_plain {
                self.let_in += 1;
            } else {
                self.meet(arrival, self.offered.lengths.get(self.seen));
            }
            self.seen += 1;
        }
    }

    /// Lets one into the waiting line, or turns it away. Whether it was let in.
    #[inline(always)]
    pub(crate) fn meet(&mut self, arrival: SimTime, lengths: Option<&Lengths>) -> bool {
        let is_open = self.door.is_open(self.waiting());
        if is_open {
            self.let_in += 1;
            self.records.arrivals.push(arrival);
            if let Some(lengths) = lengths {
                let prefill = self.costs.prefill(lengths.prompt - lengths.cached);
                self.records.works.push(Work { prefill, output: lengths.output });
            }
        } else {
            self.records.rejections.push(arrival);
        }
        is_open
    }

    /// Admits what waits at this boundary while the batch has room. Each prefill stalls everyone;
    /// the first token is ready at the end of the request's own prefill.
    #[inline(always)]
    fn admit(&mut self) -> u32 {
        let room = self.max_batch - self.running();
        let admitted = room.min(self.waiting() as u32);
        for _ in 0..admitted {
            let work = self.records.works.of(self.records.first_tokens.len());
            self.now += work.prefill;
            self.records.first_tokens.push(self.now);
            self.leaving.admit(self.steps + u64::from(work.output), &mut self.records.departures);
        }
        admitted
    }

    /// How many decode steps pass until the batch can change: somebody leaves, somebody can be admitted, or time is over.
    #[inline(always)]
    fn equal_steps(&self, running: u32, step: SimTime) -> u64 {
        let until_departure = self.leaving.next() - self.steps;
        let mut change_at = self.stop_at;
        // With room left nobody waits, so whoever comes next is let in.
        if running < self.max_batch
            && let Some(arrival) = self.next_to_come()
        {
            change_at = change_at.min(arrival);
        }
        // The division only where it decides: most stretches of a full batch end with a departure.
        if change_at.saturating_sub(self.now) >= step * until_departure {
            return until_departure;
        }
        self.now.steps_until(change_at, step)
    }
}
