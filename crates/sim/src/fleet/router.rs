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
        let place = match self.routing {
            Routing::RoundRobin => self.routed % ready.len(),
            Routing::Random => ((draw * ready.len() as f64) as usize).min(ready.len() - 1),
            Routing::LeastOutstanding => {
                let outstanding = |&place: &usize| replicas[ready[place] as usize].outstanding();
                (0..ready.len()).min_by_key(outstanding).unwrap_or(0)
            }
        };
        self.routed += 1;
        ready[place]
    }
}
