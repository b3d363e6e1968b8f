//! Servers that only prefill, one prompt at a time, and the way from there to the replicas.

use std::collections::BTreeSet;

use goodput_sim::SimTime;

use super::line::Line;
use super::request::Request;
use super::terms::Terms;
use super::{ServerTime, overlap};

#[derive(Debug, Default)]
struct PrefillServer {
    /// The request in work, and when its prefill ends.
    serves: Option<(usize, SimTime)>,
    prefills: Vec<(SimTime, SimTime)>,
}

#[derive(Debug)]
pub(super) struct PrefillStage {
    pub(super) line: Line,
    servers: Vec<PrefillServer>,
    /// Requests on their way to a replica, by the instant and the number.
    deliveries: BTreeSet<(SimTime, usize)>,
}

impl PrefillStage {
    pub(super) fn new(servers: usize) -> Self {
        Self {
            line: Line::default(),
            servers: (0..servers).map(|_| PrefillServer::default()).collect(),
            deliveries: BTreeSet::new(),
        }
    }

    pub(super) fn is_there(&self) -> bool {
        !self.servers.is_empty()
    }

    /// When the prefills under way end.
    pub(super) fn ends(&self) -> impl Iterator<Item = SimTime> {
        self.servers.iter().filter_map(|server| server.serves).map(|(_, end)| end)
    }

    pub(super) fn next_delivery(&self) -> Option<SimTime> {
        self.deliveries.first().map(|&(at, _)| at)
    }

    /// Prefills that end now: first tokens, and off to a replica.
    pub(super) fn end(&mut self, terms: &Terms<'_>, requests: &mut [Request], now: SimTime) {
        for server in &mut self.servers {
            if let Some((number, _)) = server.serves.take_if(|(_, end)| *end == now) {
                let request = &mut requests[number];
                request.tokens.push(now);
                self.deliveries.insert((now + terms.transfer(request.lengths.prompt), number));
            }
        }
    }

    /// Requests that reach the replicas now, in order of their numbers.
    pub(super) fn due(&mut self, now: SimTime) -> Vec<usize> {
        let mut due = Vec::new();
        while let Some(&(at, number)) = self.deliveries.first() {
            if at > now {
                break;
            }
            due.push(number);
            self.deliveries.pop_first();
        }
        due
    }

    /// Free servers take prompts.
    pub(super) fn start(&mut self, terms: &Terms<'_>, requests: &mut [Request], now: SimTime) {
        for server in self.servers.iter_mut().filter(|server| server.serves.is_none()) {
            if let Some(number) = self.line.take_head() {
                requests[number].admitted = Some(now);
                let end = now + terms.prefill(requests[number].to_prefill(), now);
                server.serves = Some((number, end));
                server.prefills.push((now, end));
            }
        }
    }

    pub(super) fn times_before(&self, horizon: SimTime) -> Vec<ServerTime> {
        let busy = |server: &PrefillServer| {
            let prefills = server.prefills.iter().map(|&prefill| overlap(prefill, SimTime::ZERO, horizon));
            prefills.fold(SimTime::ZERO, |sum, time| sum + time)
        };
        self.servers.iter().map(|server| ServerTime { existed: horizon, busy: busy(server) }).collect()
    }
}
