//! The three costs of a server that a fit looks for, and a replay with them.

use goodput_sim::{Engine, Scenario, Trace};
use serde::Serialize;

use crate::fit_timings::Times;

/// The costs of a server [ms].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Costs {
    pub(crate) step_ms: f64,
    pub(crate) per_seq_ms: f64,
    pub(crate) prefill_ms_per_1k: f64,
}

impl Costs {
    pub(crate) fn to_array(self) -> [f64; 3] {
        [self.step_ms, self.per_seq_ms, self.prefill_ms_per_1k]
    }

    pub(crate) fn from_array([step_ms, per_seq_ms, prefill_ms_per_1k]: [f64; 3]) -> Self {
        Self { step_ms, per_seq_ms, prefill_ms_per_1k }
    }
}

/// A whole arrival process, to be served again and again at other costs.
pub(crate) struct Replay<'t> {
    engine: Engine,
    trace: &'t Trace,
    shape: Scenario,
}

impl<'t> Replay<'t> {
    /// A replay of a trace on servers of this shape; their costs and their usual requests do not matter.
    pub(crate) fn new(trace: &'t Trace, shape: &Scenario) -> Self {
        // To the end of every request, whatever the costs: the horizon is a month. The rate is the trace's own, so the
        // scenario expects the fewest it can.
        let shape = Scenario { rate: 0.01, horizon: 2_592_000.0, warmup: 0.0, ..shape.clone() };
        Self { engine: Engine::new(), trace, shape }
    }

    /// The times of all requests in order of arrival; `None` if the costs are out of range or a request is not served.
    pub(crate) fn times(&mut self, costs: Costs) -> Option<Vec<Times>> {
        let Costs { step_ms, per_seq_ms, prefill_ms_per_1k } = costs;
        let scenario = Scenario { step_ms, per_seq_ms, prefill_ms_per_1k, ..self.shape.clone() }.validate().ok()?;
        let latencies = self.engine.replay(&scenario, self.trace).latencies();
        let served = latencies.len() == self.trace.requests().len();
        let times = self.trace.requests().zip(latencies).map(|((_, lengths), latency)| Times {
            ttft: latency.ttft.as_secs(),
            tpot: (lengths.output > 1).then_some(latency.tpot_s),
        });
        served.then(|| times.collect())
    }
}
