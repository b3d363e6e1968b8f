//! Replicas that come and go with a signal, and take their time to come.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::replica::Replica;
use crate::choice::Autoscale;
use crate::scenario::Scenario;
use crate::units::SimTime;

/// Time between two looks at the signal [s].
const TICK_S: u64 = 5;

/// So many looks in a row must want fewer replicas before any goes: a minute.
const PATIENCE: usize = 12;

/// What the autoscaler saw at a tick, and what there was after it had acted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalingMoment {
    /// The tick [ns].
    pub at: SimTime,
    /// Replicas that took requests before it acted.
    pub ready: u32,
    /// Replicas that the signal asks for.
    pub wanted: u32,
    /// Replicas on order after it acted.
    pub ordered: u32,
    /// Requests that waited at the replicas.
    pub waiting: u32,
    /// Share of the last five seconds that the ready replicas spent inside a step (0..=1).
    pub busy: f64,
}

/// Whether a replica exists and takes requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Off,
    /// Ready at that instant, paid for from the other.
    Ordered {
        since: SimTime,
        ready_at: SimTime,
    },
    Ready {
        since: SimTime,
    },
    /// Takes no more requests.
    Draining {
        since: SimTime,
    },
}

/// Which replicas there are. Without autoscaling, all of them, all the time.
#[derive(Clone, Debug)]
pub(super) struct Autoscaler {
    signal: Autoscale,
    least: usize,
    most: usize,
    queue_target: f64,
    busy_target: f64,
    provision: SimTime,
    states: Vec<State>,
    /// Those that take requests, in order.
    ready: Vec<u32>,
    next_tick: Option<SimTime>,
    /// Busy time of each replica up to the last tick [ns].
    busy_before: Vec<SimTime>,
    /// What the last ticks in a row wanted that all wanted fewer.
    fewer: VecDeque<usize>,
    /// For each replica [ns].
    existed: Vec<SimTime>,
    horizon: SimTime,
}

impl Autoscaler {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let least = scenario.replicas as usize;
        let is_on = scenario.autoscale != Autoscale::Off;
        let most = if is_on { scenario.max_replicas as usize } else { least };
        let state = |place| if place < least { State::Ready { since: SimTime::ZERO } } else { State::Off };
        Self {
            signal: scenario.autoscale,
            least,
            most,
            queue_target: scenario.queue_target,
            busy_target: scenario.busy_target,
            provision: SimTime::from_secs(scenario.provision),
            states: (0..most).map(state).collect(),
            ready: (0..least as u32).collect(),
            next_tick: is_on.then(|| SimTime::from_secs(TICK_S as f64)),
            busy_before: alloc::vec![SimTime::ZERO; most],
            fewer: VecDeque::new(),
            existed: alloc::vec![SimTime::ZERO; most],
            horizon: SimTime::from_secs(scenario.horizon),
        }
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Those that take requests, in order.
    pub(super) fn ready(&self) -> &[u32] {
        &self.ready
    }

    /// The next instant at which it looks, or an order is ready.
    pub(super) fn next(&self) -> Option<SimTime> {
        let orders = self.states.iter().filter_map(|state| match *state {
            State::Ordered { ready_at, .. } => Some(ready_at),
            _ => None,
        });
        self.next_tick.into_iter().chain(orders).min()
    }

    /// Looks at the signal, if a tick is due at `now`, and acts on it.
    pub(super) fn tick(&mut self, now: SimTime, replicas: &[Replica]) -> Option<ScalingMoment> {
        self.next_tick.filter(|&at| at == now)?;
        self.next_tick = Some(now + SimTime::from_secs(TICK_S as f64));
        let waiting: usize = self.serving().map(|place| replicas[place].waiting()).sum();
        let busy_s = self.busy_since_last_tick(now, replicas).as_secs();
        let (ready, ordered) = (self.ready.len(), self.ordered());
        let per_target = match self.signal {
            Autoscale::Busy => busy_s / TICK_S as f64 / self.busy_target,
            Autoscale::Queue | Autoscale::Off => waiting as f64 / self.queue_target,
        };
        let wanted = (libm::ceil(per_target - 1e-9) as usize).clamp(self.least, self.most);
        if wanted < ready + ordered {
            self.fewer.push_back(wanted);
            if self.fewer.len() == PATIENCE {
                let keep = self.fewer.iter().copied().max().unwrap_or(wanted);
                self.fewer.clear();
                self.drain_beyond(keep, replicas, now);
            }
        } else {
            self.fewer.clear();
            self.order(wanted - ready - ordered, now);
        }
        Some(ScalingMoment {
            at: now,
            ready: ready as u32,
            wanted: wanted as u32,
            ordered: self.ordered() as u32,
            waiting: waiting as u32,
            busy: busy_s / (TICK_S as f64 * ready.max(1) as f64),
        })
    }

    /// Orders that are due at `now` take requests.
    pub(super) fn make_ready(&mut self, now: SimTime) {
        for state in &mut self.states {
            if let State::Ordered { since, ready_at } = *state
                && ready_at <= now
            {
                *state = State::Ready { since };
            }
        }
        self.list_ready();
    }

    /// The first replica takes no more requests.
    pub(super) fn lose_first(&mut self) {
        if let State::Ready { since } = self.states[0] {
            self.states[0] = State::Draining { since };
            self.list_ready();
        }
    }

    /// A replica that is empty at `now` is off, if it takes no more requests.
    pub(super) fn switch_off_if_draining(&mut self, place: usize, now: SimTime) {
        if let State::Draining { since } = self.states[place] {
            self.existed[place] += now.min(self.horizon) - since.min(self.horizon);
            self.states[place] = State::Off;
        }
    }

    /// How long each replica existed before the horizon [ns]. The run is over.
    pub(super) fn existed(mut self) -> Vec<SimTime> {
        for (state, existed) in self.states.iter().zip(&mut self.existed) {
            if let State::Ordered { since, .. } | State::Ready { since } | State::Draining { since } = *state {
                *existed += self.horizon - since.min(self.horizon);
            }
        }
        self.existed
    }

    fn serving(&self) -> impl Iterator<Item = usize> + '_ {
        let is_serving = |state: &State| matches!(state, State::Ready { .. } | State::Draining { .. });
        self.states.iter().enumerate().filter(move |(_, state)| is_serving(state)).map(|(place, _)| place)
    }

    fn ordered(&self) -> usize {
        self.states.iter().filter(|state| matches!(state, State::Ordered { .. })).count()
    }

    fn busy_since_last_tick(&mut self, now: SimTime, replicas: &[Replica]) -> SimTime {
        let mut sum = SimTime::ZERO;
        for (place, before) in self.busy_before.iter_mut().enumerate() {
            let busy = replicas[place].busy_until(now);
            if matches!(self.states[place], State::Ready { .. }) {
                sum += busy - *before;
            }
            *before = busy;
        }
        sum
    }

    fn order(&mut self, count: usize, now: SimTime) {
        let off = self.states.iter_mut().filter(|state| **state == State::Off);
        for state in off.take(count) {
            *state = State::Ordered { since: now, ready_at: now + self.provision };
        }
    }

    /// The last of the ready ones beyond so many take no more requests.
    fn drain_beyond(&mut self, keep: usize, replicas: &[Replica], now: SimTime) {
        for place in self.ready.split_off(keep.max(self.least).min(self.ready.len())) {
            let place = place as usize;
            if let State::Ready { since } = self.states[place] {
                self.states[place] = State::Draining { since };
                if replicas[place].is_empty() {
                    self.switch_off_if_draining(place, now);
                }
            }
        }
    }

    fn list_ready(&mut self) {
        self.ready.clear();
        let states = (0..).zip(&self.states);
        self.ready.extend(states.filter(|(_, state)| matches!(state, State::Ready { .. })).map(|(place, _)| place));
    }
}
