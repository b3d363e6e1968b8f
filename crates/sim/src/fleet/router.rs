//! Which replica a request goes to.

use super::replica::Replica;
use crate::choice::Routing;

/// Sends each request to one of the replicas that take requests.
#[derive(Clone, Debug)]
pub(super) struct Router {
    routing: Routing,
    /// Requests routed so far.
    routed: usize,
}

impl Router {
    pub(super) fn new(routing: Routing) -> Self {
        Self { routing, routed: 0 }
    }

    /// One of the `ready` replicas, of which there is one at least, for a request with this uniform draw.
    pub(super) fn route(&mut self, ready: &[u32], replicas: &[Replica], draw: f64) -> u32 {
        let outstanding = |&place: &usize| replicas[ready[place] as usize].outstanding();
        let place = self
            .pick_blindly(ready.len(), draw)
            .unwrap_or_else(|| (0..ready.len()).min_by_key(outstanding).unwrap_or(0));
        ready[place]
    }

    /// The place of the next replica among so many, for a request with this uniform draw; `None` where the routing looks at
    /// the replicas.
    pub(super) fn pick_blindly(&mut self, among: usize, draw: f64) -> Option<usize> {
        let turn = self.routed;
        self.routed += 1;
        match self.routing {
            _ if among == 1 => Some(0),
            Routing::RoundRobin => Some(turn % among),
            Routing::Random => Some(((draw * among as f64) as usize).min(among - 1)),
            Routing::LeastOutstanding => None,
        }
    }
}
