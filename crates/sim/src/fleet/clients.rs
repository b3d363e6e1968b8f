//! Who sends: clients that wait for an answer before they send again, and clients that lose patience.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::life::Life;
use crate::rng::{Purpose, UnitStream};
use crate::scenario::{Scenario, Seed};
use crate::units::SimTime;

/// What a request is drawn with besides its arrival and its lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Marks {
    /// Uniform, for the way it goes.
    pub(crate) route: f64,
    /// Uniform, for its priority.
    pub(crate) priority: f64,
}

/// The marks of the requests, drawn as far as they were needed so far. They depend on the seed alone.
#[derive(Debug)]
pub(crate) struct DrawnMarks {
    seed: Seed,
    routes: UnitStream,
    priorities: UnitStream,
    each: Vec<Marks>,
}

impl DrawnMarks {
    pub(crate) fn new(seed: Seed) -> Self {
        let [routes, priorities] = [Purpose::Routes, Purpose::Priorities].map(|purpose| UnitStream::new(seed, purpose));
        Self { seed, routes, priorities, each: Vec::new() }
    }

    /// The marks of `count` requests at least, in the order in which they are offered.
    pub(crate) fn draw(&mut self, count: usize, seed: Seed) -> &[Marks] {
        if seed != self.seed {
            *self = Self::new(seed);
        }
        while self.each.len() < count {
            let marks = Marks { route: self.routes.next_unit(), priority: self.priorities.next_unit() };
            self.each.push(marks);
        }
        &self.each
    }

    /// Those that were drawn so far.
    pub(crate) fn drawn(&self) -> &[Marks] {
        &self.each
    }
}

/// Most times that a client sends the same request again.
const MAX_RETRIES: u32 = 3;

/// The clients between the requests that are wanted and those that are sent.
#[derive(Clone, Debug)]
pub(super) struct Clients {
    /// Clients that could send now; `None` for an open loop.
    free: Option<u32>,
    think: SimTime,
    /// Requests that are wanted while no client is free, by their place among those drawn.
    wants: VecDeque<usize>,
    /// When busy clients can send again, in order.
    returning: VecDeque<SimTime>,
    /// Patience until a request is sent again; `None` for endless.
    patience: Option<SimTime>,
    /// The patience of those sent before this one is over, or no longer counts.
    patient: usize,
    /// Nobody sends anything from here on.
    horizon: SimTime,
    /// The next instant at which a client can send again or loses patience; [`SimTime::MAX`] for none.
    next: SimTime,
}

impl Clients {
    pub(super) fn of(scenario: &Scenario) -> Self {
        Self {
            free: (scenario.users > 0).then_some(scenario.users),
            think: SimTime::from_secs(scenario.think),
            wants: VecDeque::new(),
            returning: VecDeque::new(),
            patience: (scenario.retry_after > 0.0).then(|| SimTime::from_secs(scenario.retry_after)),
            patient: 0,
            horizon: SimTime::from_secs(scenario.horizon),
            next: SimTime::MAX,
        }
    }

    /// The next instant at which a client can send again or loses patience; [`SimTime::MAX`] for none.
    pub(super) fn next(&self) -> SimTime {
        self.next
    }

    fn plan(&mut self, lives: &[Life]) {
        let returns = self.returning.front().map_or(SimTime::MAX, |&at| at);
        let retries = self.patience_of_next(lives).map_or(SimTime::MAX, |(at, _)| at);
        let next = returns.min(retries);
        self.next = if next < self.horizon { next } else { SimTime::MAX };
    }

    /// Who loses patience next, and when. Everybody has the same patience, so it is over in the order of sending.
    fn patience_of_next(&mut self, lives: &[Life]) -> Option<(SimTime, u32)> {
        let patience = self.patience?;
        while lives.get(self.patient)?.attempt >= MAX_RETRIES {
            self.patient += 1;
        }
        Some((lives[self.patient].sent + patience, self.patient as u32))
    }

    /// A request is wanted: whether somebody sends it at once.
    pub(super) fn want(&mut self, drawn: usize) -> bool {
        match &mut self.free {
            None => true,
            Some(0) => {
                self.wants.push_back(drawn);
                false
            }
            Some(free) => {
                *free -= 1;
                true
            }
        }
    }

    /// So many clients have their answers at `now`, or were turned away.
    pub(super) fn answered(&mut self, count: u32, now: SimTime, lives: &[Life]) {
        if self.free.is_some() {
            for _ in 0..count {
                self.returning.push_back(now + self.think);
            }
            self.plan(lives);
        }
    }

    /// Clients that can send again by `now`: the first request that is wanted, if there is one to send. Call until `None`.
    pub(super) fn pop_returning(&mut self, now: SimTime, lives: &[Life]) -> Option<usize> {
        if self.next > now {
            return None;
        }
        while self.returning.front().is_some_and(|&at| at <= now) {
            self.returning.pop_front();
            self.plan(lives);
            if let Some(drawn) = self.wants.pop_front() {
                return Some(drawn);
            }
            self.free = self.free.map(|free| free + 1);
        }
        None
    }

    /// One more request was sent, the last of them.
    pub(super) fn sent(&mut self, lives: &[Life]) {
        if self.patience.is_some() && self.patient + 1 == lives.len() {
            self.plan(lives);
        }
    }

    /// Clients that have, or will have, their first token in time no longer count: many at once, so that it is rarely asked.
    pub(super) fn forget_answered(&mut self, lives: &[Life]) {
        while let Some((at, request)) = self.patience_of_next(lives)
            && lives[request as usize].has_token_at(at)
        {
            self.patient += 1;
        }
        self.plan(lives);
    }

    /// A request whose client loses patience by `now`, if it has no first token. Call until `None`.
    pub(super) fn pop_impatient(&mut self, now: SimTime, lives: &[Life]) -> Option<u32> {
        if self.next > now {
            return None;
        }
        let (_, request) = self.patience_of_next(lives).filter(|&(at, _)| at <= now)?;
        self.patient += 1;
        self.plan(lives);
        Some(request)
    }
}
