//! Those who send: whenever they want, or after an answer, or once more when no first token comes.

use std::collections::VecDeque;

use goodput_sim::{Scenario, SimTime};

use super::Drawn;
use super::request::{Request, next_unit};

/// Retries of one request, at most.
const MOST_RETRIES: u32 = 3;

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    /// Its place among those that were drawn.
    pub(super) drawn: usize,
    pub(super) attempt: u32,
    /// When it was wanted; `None` for now.
    pub(super) intended: Option<SimTime>,
    pub(super) unit_route: f64,
}

impl Letter {
    /// The same request once more.
    pub(super) fn retry(earlier: &Request) -> Self {
        Self {
            drawn: earlier.drawn,
            attempt: earlier.attempt + 1,
            intended: None,
            unit_route: next_unit(earlier.unit_route),
        }
    }
}

#[derive(Debug)]
pub(super) struct Clients {
    offered: Vec<Drawn>,
    /// Those of `offered` that were wanted so far.
    asked_for: usize,
    /// Whether a client sends only when it has nothing under way.
    wait_for_answers: bool,
    free: u32,
    /// Wanted, by their places in `offered`, while no client was free.
    wants: VecDeque<usize>,
    think: SimTime,
    /// When clients come back, in order.
    back: VecDeque<SimTime>,
    retry_after: SimTime,
    /// When somebody's patience ends, and the number of the request, in order.
    patience: VecDeque<(SimTime, usize)>,
}

impl Clients {
    pub(super) fn new(scenario: &Scenario, offered: &[Drawn]) -> Self {
        Self {
            offered: offered.to_vec(),
            asked_for: 0,
            wait_for_answers: scenario.users > 0,
            free: scenario.users,
            wants: VecDeque::new(),
            think: SimTime::from_secs(scenario.think),
            back: VecDeque::new(),
            retry_after: SimTime::from_secs(scenario.retry_after),
            patience: VecDeque::new(),
        }
    }

    pub(super) fn drawn(&self, place: usize) -> &Drawn {
        &self.offered[place]
    }

    /// The next instant before the horizon at which a client does something.
    pub(super) fn next_act(&self, horizon: SimTime) -> Option<SimTime> {
        let wanted = self.offered.get(self.asked_for).map(|drawn| drawn.at);
        let patience = self.patience.front().map(|&(at, _)| at);
        let next = wanted.into_iter().chain(self.back.front().copied()).chain(patience).min();
        next.filter(|&at| at < horizon)
    }

    fn first_letter(&self, place: usize) -> Letter {
        let drawn = &self.offered[place];
        Letter { drawn: place, attempt: 0, intended: Some(drawn.at), unit_route: drawn.unit_route }
    }

    /// The next client that comes back now, with what it sends, if anything is wanted.
    pub(super) fn back(&mut self, now: SimTime) -> Option<Option<Letter>> {
        self.back.pop_front_if(|at| *at == now)?;
        let want = self.wants.pop_front();
        if want.is_none() {
            self.free += 1;
        }
        Some(want.map(|place| self.first_letter(place)))
    }

    /// The next request that is wanted now, if a client can send it.
    pub(super) fn wanted(&mut self, now: SimTime) -> Option<Option<Letter>> {
        let place = self.asked_for;
        self.offered.get(place).filter(|drawn| drawn.at == now)?;
        self.asked_for += 1;
        if self.wait_for_answers {
            if self.free == 0 {
                self.wants.push_back(place);
                return Some(None);
            }
            self.free -= 1;
        }
        Some(Some(self.first_letter(place)))
    }

    /// The next request whose client waited for its first token up to now and no longer.
    pub(super) fn patience_ends(&mut self, now: SimTime) -> Option<usize> {
        self.patience.pop_front_if(|(at, _)| *at == now).map(|(_, number)| number)
    }

    /// A client that waits for the first token of a request.
    pub(super) fn wait_for(&mut self, number: usize, attempt: u32, now: SimTime) {
        if self.retry_after > SimTime::ZERO && attempt < MOST_RETRIES {
            self.patience.push_back((now + self.retry_after, number));
        }
    }

    /// The client of a request that finished, or was turned away.
    pub(super) fn come_back_later(&mut self, now: SimTime) {
        if self.wait_for_answers {
            self.back.push_back(now + self.think);
        }
    }
}
