//! The three costs of a server that a fit looks for, and a replay with them.

use goodput_sim::{Engine, Scenario, SimTime, Trace};
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
        let run = self.engine.replay(&scenario, self.trace);
        let ends: Vec<[Option<SimTime>; 2]> = match run.fleet() {
            Some(fleet) => fleet.lives.iter().map(|life| [life.first_token, life.finish]).collect(),
            None => {
                let records = run.records();
                let request = |place| [records.first_tokens.get(place).copied(), records.departures.of(place)];
                (0..self.trace.requests().len()).map(request).collect()
            }
        };
        let times = self.trace.requests().zip(ends).map(|((arrival, lengths), [first_token, finish])| {
            let later_tokens = lengths.output - 1;
            let (first_token, finish) = (first_token?, finish?);
            let streaming = (finish - first_token).as_secs();
            Some(Times {
                ttft: (first_token - arrival).as_secs(),
                tpot: (later_tokens > 0).then(|| streaming / f64::from(later_tokens)),
            })
        });
        times.collect()
    }
}
