//! The autoscaler: every five seconds it looks, and orders replicas or lets some go.

use goodput_sim::{Autoscale, Scenario, SimTime};

use super::replica::{Replica, State};
use super::terms::Terms;

/// From one look to the next.
const PERIOD: SimTime = SimTime::from_nanos(5_000_000_000);

/// Looks in a row that must all want fewer before replicas are let go.
const PATIENCE: usize = 12;

/// What the autoscaler saw when it looked, and what it ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// When.
    pub at: SimTime,
    /// Replicas that take requests.
    pub ready: usize,
    /// Replicas that are on order after it acted.
    pub ordered: usize,
    /// Replicas that it wants.
    pub wanted: usize,
    /// Requests in the lines of all that work.
    pub waiting: usize,
    /// Time inside a step of those that are ready, over the last period, as a share of it (0..=1).
    pub busy: f64,
}

#[derive(Debug)]
pub(super) struct Scaler {
    pub(super) ticks: Vec<Tick>,
    is_on: bool,
    /// What was wanted at the last looks, as long as it was fewer than there were.
    fewer: Vec<usize>,
}

impl Scaler {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { ticks: Vec::new(), is_on: scenario.autoscale != Autoscale::Off, fewer: Vec::new() }
    }

    pub(super) fn next_tick(&self, horizon: SimTime) -> Option<SimTime> {
        let next = PERIOD * (self.ticks.len() as u64 + 1);
        (self.is_on && next < horizon).then_some(next)
    }

    pub(super) fn tick(&mut self, terms: &Terms<'_>, replicas: &mut [Replica], now: SimTime) {
        let scenario = terms.scenario;
        let in_state = |wanted: fn(State) -> bool| replicas.iter().filter(move |replica| wanted(replica.state));
        let ready = in_state(|state| state == State::Ready).count();
        let provisioning = in_state(|state| matches!(state, State::Provisioning(_))).count();
        let waiting: usize = in_state(|state| matches!(state, State::Ready | State::Draining | State::Lost))
            .map(|replica| replica.line.len())
            .sum();
        let busy = in_state(|state| state == State::Ready)
            .fold(SimTime::ZERO, |sum, replica| sum + replica.busy_between(now - PERIOD, now));
        let need = match scenario.autoscale {
            Autoscale::Busy => busy.as_secs() / PERIOD.as_secs() / scenario.busy_target,
            Autoscale::Queue | Autoscale::Off => waiting as f64 / scenario.queue_target,
        };
        let (fewest, most) = (scenario.replicas as usize, scenario.max_replicas as usize);
        let wanted = ((need - 1e-9).ceil().max(0.0) as usize).clamp(fewest, most);
        let mut ordered = provisioning;
        if wanted >= ready + provisioning {
            self.fewer.clear();
            let off = replicas.iter_mut().filter(|replica| replica.state == State::Off);
            for replica in off.take(wanted - ready - provisioning) {
                replica.order(now, now + SimTime::from_secs(scenario.provision));
                ordered += 1;
            }
        } else {
            self.fewer.push(wanted);
        }
        let busy = busy.as_secs() / (PERIOD.as_secs() * ready.max(1) as f64);
        self.ticks.push(Tick { at: now, ready, ordered, wanted, waiting, busy });
        if self.fewer.len() == PATIENCE {
            let enough = self.fewer.drain(..).max().expect("as many as that");
            let ready = replicas.iter_mut().filter(|replica| replica.state == State::Ready);
            for replica in ready.skip(enough) {
                replica.drain(now);
            }
        }
    }
}
