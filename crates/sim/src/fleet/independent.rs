//! Replicas that do not know of each other: each is one server with the requests that are sent to it.

use alloc::vec::Vec;

use super::clients::Marks;
use super::router::Router;
use crate::leaving::InOrder;
use crate::lengths::Lengths;
use crate::scenario::ValidScenario;
use crate::server::{Offered, Records, Server, Stop};
use crate::units::SimTime;

/// Replicas that are simulated one after the other. Memory is kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct IndependentReplicas {
    ways: Vec<Way>,
    records: Vec<Records>,
}

/// The requests that go to one replica.
#[derive(Debug, Default)]
struct Way {
    arrivals: Vec<SimTime>,
    lengths: Vec<Lengths>,
}

impl IndependentReplicas {
    /// Simulates them. Their answers are of one length, and the routing looks at no replica.
    pub(crate) fn simulate(
        &mut self,
        scenario: &ValidScenario,
        stop: Stop,
        offered: Offered<'_>,
        marks: &[Marks],
        in_order: &mut InOrder,
    ) {
        self.part(scenario, offered, marks);
        for (way, records) in self.ways.iter().zip(&mut self.records) {
            let offered = Offered { arrivals: &way.arrivals, lengths: &way.lengths };
            Server::new(scenario, stop, offered, records, in_order).run();
        }
    }

    /// What happened, a replica after the other.
    pub(crate) fn records(&self) -> &[Records] {
        &self.records
    }

    /// Sends each request on its way.
    fn part(&mut self, scenario: &ValidScenario, offered: Offered<'_>, marks: &[Marks]) {
        let replicas = scenario.get().replicas as usize;
        self.records.resize_with(replicas, Records::default);
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
}
