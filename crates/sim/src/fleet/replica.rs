//! One server that decodes: the step rule, a stretch of equal steps at a time.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::batch::Batch;
use super::blocks::{Blocks, blocks};
use super::life::{Life, Stint};
use super::line::Line;
use super::rules::Rules;
use crate::units::SimTime;

/// Equal steps of one server, with the admissions before them. There are thousands in a run, so it is kept small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FleetStretch {
    /// The step boundary at which it began [ns].
    pub start: SimTime,
    /// When its steps began: after the whole prefills of those admitted [ns].
    pub steps_from: SimTime,
    /// How long one step takes [ns].
    pub step: SimTime,
    /// Equal steps, at least one.
    pub steps: u32,
    /// Sequences that decode in them.
    pub running: u32,
    /// Prompts that are prefilled in chunks, those admitted at the boundary included.
    pub filling: u32,
    /// Tokens of prompts in each step.
    pub chunk: u32,
    /// Requests that wait after the admissions.
    pub waiting: u32,
    /// KV blocks in use after the admissions; 0 without a limit.
    pub used_blocks: i32,
    /// KV blocks in use in the last step, when they are most; 0 without a limit.
    pub most_blocks: i32,
    /// KV blocks that there are; 0 without a limit.
    pub total_blocks: i32,
    /// Requests that finished at the end of the last step.
    pub finished: u32,
}

impl FleetStretch {
    /// When its last step ends [ns].
    #[must_use]
    pub fn end(&self) -> SimTime {
        self.steps_from + self.step * u64::from(self.steps)
    }
}

/// A prompt that is prefilled in chunks.
#[derive(Clone, Copy, Debug)]
struct Filling {
    request: u32,
    left: u32,
}

/// One server. It is between steps, or a stretch is under way, which an arrival may still shorten.
#[derive(Clone, Debug)]
pub(super) struct Replica {
    index: u32,
    waiting: Line,
    /// In order of admission; those in the batch were admitted before them.
    filling: VecDeque<Filling>,
    /// Tokens that are left of these prompts.
    unfilled: u64,
    batch: Batch,
    blocks: Blocks,
    has_less_memory: bool,
    /// All that it did; the last one may be under way.
    stretches: Vec<FleetStretch>,
    /// When the stretch under way ends; [`SimTime::MAX`] between steps.
    end: SimTime,
    /// Time inside steps that are over [ns].
    busy: SimTime,
}

impl Replica {
    /// A server that has done nothing yet, in the memory of earlier stretches.
    pub(super) fn new(index: u32, rules: &Rules, mut stretches: Vec<FleetStretch>) -> Self {
        stretches.clear();
        Self {
            index,
            waiting: Line::default(),
            filling: VecDeque::new(),
            unfilled: 0,
            batch: Batch::default(),
            blocks: Blocks::of_tokens(rules.kv_tokens),
            has_less_memory: false,
            stretches,
            end: SimTime::MAX,
            busy: SimTime::ZERO,
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Requests that wait or run here.
    pub(super) fn outstanding(&self) -> usize {
        self.waiting.len() + self.seated() as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.seated() == 0
    }

    /// When the stretch under way ends; [`SimTime::MAX`] between steps.
    pub(super) fn end(&self) -> SimTime {
        self.end
    }

    /// All that it did. The run is over.
    pub(super) fn into_stretches(self) -> Vec<FleetStretch> {
        self.stretches
    }

    /// Time inside steps up to `now` [ns].
    pub(super) fn busy_until(&self, now: SimTime) -> SimTime {
        match self.stretches.last() {
            Some(stretch) if self.is_under_way() => self.busy + (now - stretch.start),
            _ => self.busy,
        }
    }

    fn is_under_way(&self) -> bool {
        self.end != SimTime::MAX
    }

    fn seated(&self) -> u32 {
        self.batch.count() + self.filling.len() as u32
    }

    /// A request joins the line at `now`.
    pub(super) fn receive(&mut self, request: u32, life: &mut Life, now: SimTime, rules: &Rules) {
        // Its first token stays with the server that gave it.
        if life.first_token.is_none() || life.progress.delivered {
            life.replica = Some(self.index);
        }
        // Whoever stands at the head may be admitted at the next boundary, so the equal steps end there.
        if self.waiting.push(request, life) {
            self.stop_at_next_boundary(now, rules);
        }
    }

    fn stop_at_next_boundary(&mut self, now: SimTime, rules: &Rules) {
        let may_admit = self.is_under_way() && self.seated() < rules.max_batch;
        if let Some(stretch) = self.stretches.last_mut()
            && may_admit
            && (rules.token_budget.is_none() || stretch.chunk == 0)
        {
            stretch.steps = stretch.steps.min(stretch.steps_from.steps_until(now, stretch.step) as u32);
            self.end = stretch.end();
        }
    }

    /// Ends the stretch under way. How many requests finished.
    pub(super) fn complete(&mut self, lives: &mut [Life], stints: &mut Vec<Stint>) -> u32 {
        let now = core::mem::replace(&mut self.end, SimTime::MAX);
        let Some((stretch, earlier)) = self.stretches.split_last_mut() else { return 0 };
        let (place, steps, tokens) =
            (earlier.len(), stretch.steps, u64::from(stretch.chunk) * u64::from(stretch.steps));
        self.busy += now - stretch.start;
        // The blocks for the first of the steps were taken before it.
        if self.blocks.are_limited() {
            self.blocks.take(self.blocks.growth(self.batch.steps() + 1, u64::from(steps) - 1, stretch.running));
            (stretch.most_blocks, _) = self.blocks.used_and_total();
        }
        self.batch.advance(steps);
        let mut finished = 0;
        while let Some((request, taken)) = self.batch.pop_leaving(lives) {
            let life = &mut lives[request as usize];
            life.finish = Some(now);
            self.forget(life);
            stints.push(stint(request, life, (self.index, place), taken, true));
            finished += 1;
        }
        self.stretches[place].finished = finished;
        self.fill(tokens, now, lives);
        finished
    }

    /// So many tokens of prompts were prefilled; the prompts that are complete decode from the next step on.
    fn fill(&mut self, mut tokens: u64, now: SimTime, lives: &mut [Life]) {
        self.unfilled -= tokens;
        while let Some(first) = self.filling.front_mut() {
            let taken = tokens.min(u64::from(first.left));
            tokens -= taken;
            first.left -= taken as u32;
            if first.left > 0 {
                break;
            }
            let request = first.request;
            self.filling.pop_front();
            let life = &mut lives[request as usize];
            life.prefilled(now);
            self.join(request, life);
        }
    }

    /// A request whose blocks are taken decodes from the next step on.
    fn join(&mut self, request: u32, life: &mut Life) {
        if self.blocks.are_limited() {
            self.blocks.join(life.held_tokens(), self.batch.steps());
        }
        life.progress.joined = self.stretches.len() as u32;
        self.batch.join(request, life);
    }

    /// The blocks of a request that left the batch are free.
    fn forget(&mut self, life: &Life) {
        if self.blocks.are_limited() {
            self.blocks.leave(life.held_tokens(), self.batch.steps());
            self.blocks.give_back(blocks(life.held_tokens()));
        }
    }

    /// The blocks of a prompt that is not complete are free.
    fn give_back_filled(&mut self, life: &Life) {
        if self.blocks.are_limited() {
            self.blocks.give_back(blocks(life.held_tokens()));
        }
    }

    /// Starts the next stretch, if it is between steps and has something to do.
    pub(super) fn begin(&mut self, now: SimTime, rules: &Rules, lives: &mut [Life], stints: &mut Vec<Stint>) {
        if self.is_under_way() || self.is_empty() {
            return;
        }
        self.lose_memory(now, rules);
        let was_preempted = self.grow(now, lives, stints);
        let mut steps_from = now;
        let mut rest = rules.token_budget.map_or(u32::MAX, |budget| budget - self.batch.count());
        let budget = rest;
        rest -= self.unfilled.min(u64::from(rest)) as u32;
        while !was_preempted && rest > 0 && self.seated() < rules.max_batch {
            let Some(request) = self.waiting.head().filter(|&head| self.fits(&lives[head as usize], rules)) else {
                break;
            };
            self.waiting.pop();
            let life = &mut lives[request as usize];
            let todo = life.to_prefill();
            life.admitted.get_or_insert(now);
            self.blocks.take(if self.blocks.are_limited() { blocks(life.held_tokens()) } else { 0 });
            if rules.token_budget.is_some() {
                self.filling.push_back(Filling { request, left: todo });
                self.unfilled += u64::from(todo);
                rest -= todo.min(rest);
            } else {
                steps_from += rules.prefill(now, todo);
                life.prefilled(steps_from);
                self.blocks.take(self.first_growth(life));
                self.join(request, life);
            }
        }
        // Whoever could not be admitted where somebody gave way may be at the next boundary.
        let most = if was_preempted { 1 } else { u64::MAX };
        self.set_out(now, steps_from, (budget, budget - rest), most, rules);
    }

    fn lose_memory(&mut self, now: SimTime, rules: &Rules) {
        if let Some(share) = rules.memory_left(now)
            && !self.has_less_memory
        {
            self.blocks.shrink(share);
            self.has_less_memory = true;
        }
    }

    /// Takes the blocks that the coming step needs, from those who came last where there are too few. Whether somebody had
    /// to give way.
    fn grow(&mut self, now: SimTime, lives: &mut [Life], stints: &mut Vec<Stint>) -> bool {
        if !self.blocks.are_limited() {
            return false;
        }
        let need = |replica: &Self| replica.blocks.growing_in(replica.batch.steps());
        let mut was_preempted = false;
        while need(self) > self.blocks.free() && self.seated() > 1 {
            was_preempted = true;
            self.preempt_last(now, lives, stints);
        }
        self.blocks.take(need(self));
        was_preempted
    }

    fn preempt_last(&mut self, now: SimTime, lives: &mut [Life], stints: &mut Vec<Stint>) {
        let request = if let Some(Filling { request, left }) = self.filling.pop_back() {
            self.unfilled -= u64::from(left);
            self.give_back_filled(&lives[request as usize]);
            request
        } else {
            let Some((request, taken)) = self.batch.pop_last(lives) else { return };
            self.leave_early(request, taken, now, lives, stints);
            request
        };
        let life = &mut lives[request as usize];
        life.preemptions += 1;
        life.progress.lost = true;
        self.waiting.push_back_to_head(request, life);
    }

    /// A request is out of the batch before its end.
    fn leave_early(&mut self, request: u32, taken: u32, now: SimTime, lives: &mut [Life], stints: &mut Vec<Stint>) {
        let life = &mut lives[request as usize];
        self.forget(life);
        if taken > 0 {
            stints.push(stint(request, life, (self.index, self.stretches.len() - 1), taken, false));
            life.progress.last_token = now;
        }
    }

    /// Whether the memory has room for one more.
    fn fits(&self, life: &Life, rules: &Rules) -> bool {
        if !self.blocks.are_limited() || self.seated() == 0 {
            return true;
        }
        let growth = if rules.token_budget.is_none() { self.first_growth(life) } else { 0 };
        blocks(life.held_tokens()) + growth <= self.blocks.free()
    }

    /// The blocks that a request needs for its first step beyond those of its tokens.
    fn first_growth(&self, life: &Life) -> i64 {
        i64::from(self.blocks.are_limited() && life.held_tokens().is_multiple_of(super::blocks::BLOCK_TOKENS))
    }

    /// The equal steps from here, at most so many: until somebody leaves, a prompt is complete, the memory is full,
    /// something happens to all, or time is over. An arrival may shorten them.
    fn set_out(&mut self, now: SimTime, steps_from: SimTime, (budget, chunk): (u32, u32), most: u64, rules: &Rules) {
        let chunk = if rules.token_budget.is_some() { chunk } else { 0 };
        let running = self.batch.count();
        let step = rules.step(now, running, chunk);
        let mut steps = self.batch.steps_until_leaving().min(most);
        if let Some(first) = self.filling.front() {
            // A prompt that takes all that is left of each step, and is not complete, changes nothing until it nearly is.
            let whole = if first.left > budget { first.left.div_ceil(budget) - 1 } else { 1 };
            steps = steps.min(u64::from(whole));
        }
        if self.blocks.are_limited() {
            // The blocks of the first step are taken.
            steps = self.blocks.steps_until_full(self.batch.steps() + 1, steps - 1, running) + 1;
        }
        let change_at = rules.incident_after(now).map_or(rules.stop_at, |incident| incident.min(rules.stop_at));
        // The division only where it decides.
        if change_at.saturating_sub(steps_from) < step * steps {
            steps = steps_from.steps_until(change_at, step);
        }
        let (used_blocks, total_blocks) = self.blocks.used_and_total();
        let stretch = FleetStretch {
            start: now,
            steps_from,
            step,
            // No more than the tokens of an answer or of a prompt.
            steps: steps as u32,
            running,
            filling: self.filling.len() as u32,
            chunk,
            waiting: self.waiting.len() as u32,
            used_blocks,
            most_blocks: used_blocks,
            total_blocks,
            finished: 0,
        };
        self.end = stretch.end();
        self.stretches.push(stretch);
    }

    /// Everything leaves, because the server is lost between two steps at `now`: its requests in order of their numbers.
    pub(super) fn abandon(&mut self, now: SimTime, lives: &mut [Life], stints: &mut Vec<Stint>) -> Vec<u64> {
        let mut all = Vec::new();
        while let Some(request) = self.waiting.pop() {
            all.push(u64::from(request));
        }
        self.unfilled = 0;
        for Filling { request, .. } in core::mem::take(&mut self.filling) {
            let life = &mut lives[request as usize];
            self.give_back_filled(life);
            life.progress.lost = true;
            all.push(u64::from(request));
        }
        while let Some((request, taken)) = self.batch.pop_last(lives) {
            self.leave_early(request, taken, now, lives, stints);
            lives[request as usize].progress.lost = true;
            all.push(u64::from(request));
        }
        // As wide as the instants of the timeline: one kind of sort is enough.
        all.sort_unstable();
        all
    }
}

fn stint(request: u32, life: &Life, (replica, last): (u32, usize), steps: u32, is_last: bool) -> Stint {
    let &super::life::Progress { joined, last_token, .. } = &life.progress;
    Stint { request, replica, stretches: (joined, last as u32), steps, last_token, is_last }
}
