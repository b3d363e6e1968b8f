//! Replicas without levers of their own: each is the one server, with the requests that are sent to it.

use alloc::vec::Vec;

use super::clients::Marks;
use super::router::Router;
use crate::choice::Routing;
use crate::leaving::InOrder;
use crate::lengths::Lengths;
use crate::scenario::ValidScenario;
use crate::server::{Offered, Records, Server, Stop, Stretch};
use crate::units::SimTime;

/// Nobody comes but those who are sent.
const NOBODY: Offered<'static> = Offered { arrivals: &[], lengths: &[] };

/// Replicas that meet only where requests are sent their ways. Memory is kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct PlainReplicas {
    records: Vec<Records>,
    leaving: Vec<InOrder>,
    ways: Vec<Way>,
}

/// The requests that go to one replica.
#[derive(Debug, Default)]
struct Way {
    arrivals: Vec<SimTime>,
    lengths: Vec<Lengths>,
}

impl PlainReplicas {
    /// Simulates them. Their answers are of one length.
    pub(crate) fn simulate(&mut self, scenario: &ValidScenario, stop: Stop, offered: Offered<'_>, marks: &[Marks]) {
        let count = scenario.get().replicas as usize;
        self.records.resize_with(count, Records::default);
        self.leaving.resize_with(count, InOrder::default);
        match scenario.get().routing {
            Routing::RoundRobin | Routing::Random => self.one_after_the_other(scenario, stop, offered, marks),
            Routing::LeastOutstanding => self.side_by_side(scenario, stop, offered),
        }
    }

    /// Where the routing looks at no replica, the requests are parted first.
    fn one_after_the_other(&mut self, scenario: &ValidScenario, stop: Stop, offered: Offered<'_>, marks: &[Marks]) {
        self.part(scenario, offered, marks);
        for ((way, records), leaving) in self.ways.iter().zip(&mut self.records).zip(&mut self.leaving) {
            let offered = Offered { arrivals: &way.arrivals, lengths: &way.lengths };
            Server::new(scenario, stop, offered, records, leaving).run();
        }
    }

    /// Sends each request on its way.
    fn part(&mut self, scenario: &ValidScenario, offered: Offered<'_>, marks: &[Marks]) {
        let replicas = self.records.len();
        self.ways.resize_with(replicas, Way::default);
        for way in &mut self.ways {
            way.arrivals.clear();
            way.lengths.clear();
        }
        let mut router = Router::new(scenario.get().routing);
        for (request, (&arrival, marks)) in offered.arrivals.iter().zip(marks).enumerate() {
            let way = &mut self.ways[router.pick_blindly(replicas, marks.route).unwrap_or(0)];
            way.arrivals.push(arrival);
            way.lengths.extend(offered.lengths.get(request));
        }
    }

    /// Each request goes to the first replica that has the fewest.
    fn side_by_side(&mut self, scenario: &ValidScenario, stop: Stop, offered: Offered<'_>) {
        let memory = self.records.iter_mut().zip(&mut self.leaving);
        let mut replicas: Vec<_> = memory
            .map(|(records, leaving)| Replica::new(Server::new(scenario, stop, NOBODY, records, leaving)))
            .collect();
        for (request, &arrival) in offered.arrivals.iter().enumerate() {
            let place = least(&mut replicas, arrival);
            replicas[place].receive(arrival, offered.lengths.get(request));
        }
        for replica in &mut replicas {
            replica.work_until(SimTime::MAX);
        }
    }

    /// What happened, a replica after the other.
    pub(crate) fn records(&self) -> &[Records] {
        &self.records
    }
}

/// The place of the first that has the fewest requests at an instant.
fn least(replicas: &mut [Replica<'_>], at: SimTime) -> usize {
    let mut least = u64::MAX;
    for (place, replica) in (0..).zip(replicas) {
        // Most have nothing to do, and need no call for that.
        if replica.wake <= at {
            replica.work_until(at);
        }
        // Both in one number, because its minimum needs no jump that a processor would have to guess.
        least = least.min(u64::from(replica.outstanding) << 32 | place);
    }
    least as u32 as usize
}

/// One server between steps, or with a stretch under way, which an arrival may still shorten.
struct Replica<'r> {
    server: Server<'r, InOrder>,
    stretch: Stretch,
    is_under_way: bool,
    /// The end of the stretch, or the boundary at which one may begin; [`SimTime::MAX`] for neither.
    wake: SimTime,
    /// Requests that wait or run here, as of the last boundary.
    outstanding: u32,
}

impl<'r> Replica<'r> {
    fn new(server: Server<'r, InOrder>) -> Self {
        Self { server, stretch: Stretch::default(), is_under_way: false, wake: SimTime::MAX, outstanding: 0 }
    }

    /// Ends the stretches that end by `until`, and begins those that begin before it: whoever comes at that instant comes
    /// after the one and before the other.
    fn work_until(&mut self, until: SimTime) {
        while self.wake <= until {
            if self.is_under_way {
                self.outstanding -= self.server.complete(self.stretch);
                self.is_under_way = false;
            }
            if self.wake == until {
                break;
            }
            if let Some(stretch) = self.server.begin() {
                self.stretch = stretch;
                self.is_under_way = true;
                self.plan_end();
            } else {
                self.wake = SimTime::MAX;
            }
        }
    }

    /// One comes at `at`, of whom nothing was known before. All that comes before is done.
    fn receive(&mut self, at: SimTime, lengths: Option<&Lengths>) {
        self.outstanding += u32::from(self.server.meet(at, lengths));
        if !self.is_under_way {
            self.server.wake(at);
            self.wake = at;
        } else if self.server.has_room() {
            let Stretch { decode_from, running, steps, .. } = self.stretch;
            self.stretch.steps = steps.min(decode_from.steps_until(at, self.server.step(running)) as u32);
            self.plan_end();
        }
    }

    fn plan_end(&mut self) {
        let Stretch { decode_from, running, steps, .. } = self.stretch;
        self.wake = decode_from + self.server.step(running) * u64::from(steps);
    }
}
