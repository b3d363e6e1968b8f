//! A replica: who waits, who is in the batch, and what happens at a step boundary and at the end of a step.

use goodput_sim::SimTime;

use super::line::Line;
use super::request::Request;
use super::terms::{Terms, blocks};
use super::{ServerTime, overlap};

/// What a replica is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not there.
    Off,
    /// Ordered, and ready at this instant.
    Provisioning(SimTime),
    /// It takes requests.
    Ready,
    /// It works off what it has.
    Draining,
    /// It failed, and stops at its next boundary.
    Lost,
}

/// A step boundary, after preemptions and admissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// When.
    pub at: SimTime,
    /// When the step ends that begins here.
    pub end: SimTime,
    /// Requests in the line, of high priority.
    pub waiting_high: usize,
    /// Requests in the line, all of them.
    pub waiting: usize,
    /// Sequences whose prompt is being computed in chunks.
    pub filling: usize,
    /// Sequences that decode.
    pub running: usize,
    /// Sequences that were taken from the line here, of high priority.
    pub admitted_high: usize,
    /// Sequences that were taken from the line here, all of them.
    pub admitted: usize,
    /// Sequences that were preempted here.
    pub preempted: usize,
    /// Tokens that the step takes: one of each sequence that decodes, and the chunks.
    pub tokens: u32,
    /// Blocks in use.
    pub used: i64,
    /// Blocks there are; `None` for no limit.
    pub total: Option<i64>,
}

/// A sequence in the batch.
#[derive(Clone, Copy, Debug)]
struct Seat {
    /// The number of its request.
    number: usize,
    /// Whether it decodes; else its prompt is being computed in chunks.
    decodes: bool,
    /// Tokens that are left to prefill after the step under way.
    left: u32,
}

/// The memory at a boundary.
#[derive(Clone, Copy, Debug)]
struct Memory {
    /// Blocks there are; `None` for no limit.
    total: Option<i64>,
    /// Whether somebody was preempted: then nobody is admitted.
    was_short: bool,
}

#[derive(Debug)]
pub(super) struct Replica {
    pub(super) index: usize,
    pub(super) state: State,
    pub(super) line: Line,
    pub(super) boundaries: Vec<Boundary>,
    /// In order of admission.
    batch: Vec<Seat>,
    step_ends: Option<SimTime>,
    /// From ordering until it is off; the last one may be open.
    spans: Vec<(SimTime, SimTime)>,
}

impl Replica {
    pub(super) fn new(index: usize, ready: bool) -> Self {
        Self {
            index,
            state: if ready { State::Ready } else { State::Off },
            line: Line::default(),
            boundaries: Vec::new(),
            batch: Vec::new(),
            step_ends: None,
            spans: if ready { vec![(SimTime::ZERO, SimTime::MAX)] } else { Vec::new() },
        }
    }

    /// When its step ends; `None` between steps.
    pub(super) fn ends(&self) -> Option<SimTime> {
        self.step_ends
    }

    pub(super) fn becomes_ready(&self) -> Option<SimTime> {
        if let State::Provisioning(at) = self.state { Some(at) } else { None }
    }

    /// Requests that wait, fill or run.
    pub(super) fn outstanding(&self) -> usize {
        self.line.len() + self.batch.len()
    }

    pub(super) fn order(&mut self, now: SimTime, ready_at: SimTime) {
        self.state = State::Provisioning(ready_at);
        self.spans.push((now, SimTime::MAX));
    }

    pub(super) fn drain(&mut self, now: SimTime) {
        self.state = State::Draining;
        self.turn_off_when_empty(now);
    }

    fn turn_off_when_empty(&mut self, now: SimTime) {
        if matches!(self.state, State::Draining | State::Lost) && self.outstanding() == 0 {
            self.turn_off(now);
        }
    }

    fn turn_off(&mut self, now: SimTime) {
        self.state = State::Off;
        self.spans.last_mut().expect("it was there").1 = now;
    }

    /// The end of a lost replica: all that are on it, in order of their numbers, without what was computed of them.
    pub(super) fn shut_down(&mut self, requests: &mut [Request], now: SimTime) -> Vec<usize> {
        self.turn_off(now);
        let mut homeless = Vec::new();
        for seat in self.batch.drain(..) {
            requests[seat.number].lost_its_blocks = true;
            homeless.push(seat.number);
        }
        while let Some(number) = self.line.take_head() {
            homeless.push(number);
        }
        homeless.sort_unstable();
        homeless
    }

    /// The end of a step: tokens, and who finished.
    pub(super) fn end_step(&mut self, requests: &mut [Request], now: SimTime) -> Vec<usize> {
        self.step_ends = None;
        for seat in &mut self.batch {
            let request = &mut requests[seat.number];
            if seat.decodes {
                request.done += 1;
                if request.done < request.lengths.output {
                    request.tokens.push(now);
                } else {
                    request.finish = Some(now);
                }
            } else if seat.left == 0 {
                request.emit_first_token(self.index, now);
                seat.decodes = true;
            }
        }
        let finished = self.batch.extract_if(.., |seat| requests[seat.number].finish.is_some());
        let finished = finished.map(|seat| seat.number).collect();
        self.turn_off_when_empty(now);
        finished
    }

    /// A step boundary, and the step that begins there.
    pub(super) fn start_step(&mut self, terms: &Terms<'_>, requests: &mut [Request], now: SimTime) {
        let total = terms.blocks_in_all(now);
        let preempted = self.make_room_to_grow(requests, total);
        let memory = Memory { total, was_short: preempted > 0 };
        let waited = (self.line.high_len(), self.line.len());
        let (end, tokens) = if terms.scenario.token_budget == 0 {
            self.start_decode_step(terms, requests, memory, now)
        } else {
            self.start_mixed_step(terms, requests, memory, now)
        };
        self.step_ends = Some(end);
        let running = self.batch.iter().filter(|seat| seat.decodes).count();
        self.boundaries.push(Boundary {
            at: now,
            end,
            waiting_high: self.line.high_len(),
            waiting: self.line.len(),
            filling: self.batch.len() - running,
            running,
            admitted_high: waited.0 - self.line.high_len(),
            admitted: waited.1 - self.line.len(),
            preempted,
            tokens,
            used: self.blocks_after_step(requests),
            total,
        });
    }

    /// Blocks that the batch needs up to the end of the step: whoever decodes needs room for one more token.
    fn blocks_after_step(&self, requests: &[Request]) -> i64 {
        self.batch.iter().map(|seat| blocks(requests[seat.number].context() + u32::from(seat.decodes))).sum()
    }

    /// Preempts the last admitted until the others have room to grow. Whoever is alone goes on. How many were preempted.
    fn make_room_to_grow(&mut self, requests: &mut [Request], total: Option<i64>) -> usize {
        let mut preempted = 0;
        while total.is_some_and(|total| self.blocks_after_step(requests) > total) && self.batch.len() > 1 {
            let seat = self.batch.pop().expect("more than one");
            let request = &mut requests[seat.number];
            request.lost_its_blocks = true;
            request.preemptions += 1;
            self.line.return_to_head(seat.number, request.high);
            preempted += 1;
        }
        preempted
    }

    /// Admits the head of the line if there is a slot and room in memory. `decodes`: whether it decodes in this very step.
    fn admit(
        &mut self,
        terms: &Terms<'_>,
        requests: &mut [Request],
        memory: Memory,
        decodes: bool,
        now: SimTime,
    ) -> Option<&mut Seat> {
        if memory.was_short || self.batch.len() >= terms.scenario.max_batch as usize {
            return None;
        }
        let number = self.line.head()?;
        let seat = Seat { number, decodes, left: 0 };
        self.batch.push(seat);
        let is_alone = self.batch.len() == 1;
        if !is_alone && memory.total.is_some_and(|total| self.blocks_after_step(requests) > total) {
            self.batch.pop();
            return None;
        }
        self.line.take_head();
        requests[number].admitted.get_or_insert(now);
        self.batch.last_mut()
    }

    /// Whole prompts, one after the other, while everyone else stands still; then a decode step for all. Its end and tokens.
    fn start_decode_step(
        &mut self,
        terms: &Terms<'_>,
        requests: &mut [Request],
        memory: Memory,
        now: SimTime,
    ) -> (SimTime, u32) {
        let mut clock = now;
        let index = self.index;
        while let Some(seat) = self.admit(terms, requests, memory, true, now) {
            let request = &mut requests[seat.number];
            clock += terms.prefill(request.to_prefill(), now);
            request.emit_first_token(index, clock);
        }
        (clock + terms.step(self.batch.len(), 0, now), self.batch.len() as u32)
    }

    /// One token of everyone who decodes, and chunks of prompts as far as the budget goes. Its end and tokens.
    fn start_mixed_step(
        &mut self,
        terms: &Terms<'_>,
        requests: &mut [Request],
        memory: Memory,
        now: SimTime,
    ) -> (SimTime, u32) {
        let running = self.batch.iter().filter(|seat| seat.decodes).count();
        let mut rest = terms.scenario.token_budget - running as u32;
        let budget_of_chunks = rest;
        for seat in self.batch.iter_mut().filter(|seat| !seat.decodes) {
            let chunk = seat.left.min(rest);
            seat.left -= chunk;
            rest -= chunk;
        }
        while rest > 0 {
            let Some(seat) = self.admit(terms, requests, memory, false, now) else { break };
            let to_prefill = requests[seat.number].to_prefill();
            let chunk = to_prefill.min(rest);
            seat.left = to_prefill - chunk;
            rest -= chunk;
        }
        let chunks = budget_of_chunks - rest;
        (now + terms.step(running, chunks, now), running as u32 + chunks)
    }

    /// Time inside steps between two instants.
    pub(super) fn busy_between(&self, from: SimTime, to: SimTime) -> SimTime {
        let steps = self.boundaries.iter().map(|boundary| overlap((boundary.at, boundary.end), from, to));
        steps.fold(SimTime::ZERO, |sum, time| sum + time)
    }

    pub(super) fn time_before(&self, horizon: SimTime) -> ServerTime {
        let spans = self.spans.iter().map(|&span| overlap(span, SimTime::ZERO, horizon));
        ServerTime {
            existed: spans.fold(SimTime::ZERO, |sum, time| sum + time),
            busy: self.busy_between(SimTime::ZERO, horizon),
        }
    }
}
