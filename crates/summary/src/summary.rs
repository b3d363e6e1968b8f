//! One run, as it is printed and handed to JavaScript.

use goodput_sim::{Report, Run, ValidScenario};
use serde::Serialize;

use crate::fleet::FleetSummary;
use crate::scenario::WireScenario;

/// Mean and quantiles of a time [s].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Arithmetic mean [s].
    pub mean: f64,
    /// Median [s].
    pub p50: f64,
    /// 90th percentile [s].
    pub p90: f64,
    /// 99th percentile [s].
    pub p99: f64,
}

impl From<goodput_sim::Distribution> for Distribution {
    fn from(goodput_sim::Distribution { mean, p50, p90, p99 }: goodput_sim::Distribution) -> Self {
        Self { mean, p50, p90, p99 }
    }
}

/// The three counters of Little's law, L = lambda W, over the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LittlesLaw {
    /// L: time average of the number of requests in the system [requests].
    pub mean_in_system: f64,
    /// Lambda: arrivals per time [requests/s].
    pub arrival_rate_per_s: f64,
    /// W: mean time a request spends in the system [s].
    pub mean_time_in_system_s: f64,
}

impl From<goodput_sim::LittlesLaw> for LittlesLaw {
    fn from(law: goodput_sim::LittlesLaw) -> Self {
        let goodput_sim::LittlesLaw { mean_in_system, arrival_rate_per_s, mean_time_in_system_s } = law;
        Self { mean_in_system, arrival_rate_per_s, mean_time_in_system_s }
    }
}

/// The metrics of one run and the scenario that gave them. The order of the fields is the order on the wire.
///
/// Distributions and attainment are `None`, on the wire null, when no request was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Arrival rate of the scenario [requests/s].
    pub rate_per_s: f64,
    /// Share of the simulated time inside a step (0..=1).
    pub busy_fraction: f64,
    /// Arrivals in the window [requests].
    pub offered: u64,
    /// Measured: arrived in the window and finished by the horizon [requests].
    pub completed: u64,
    /// Arrivals in the window that had not finished by the horizon [requests].
    pub unfinished: u64,
    /// Output tokens of the measured requests per time: what a load test reports [tokens/s].
    pub throughput_tokens_per_s: f64,
    /// Measured requests per time [requests/s].
    pub throughput_requests_per_s: f64,
    /// Time to first token [s].
    pub ttft_s: Option<Distribution>,
    /// Time per output token, one value per request [s].
    pub tpot_s: Option<Distribution>,
    /// End-to-end latency [s].
    pub e2e_s: Option<Distribution>,
    /// Measured requests that met every SLO.
    pub good: u64,
    /// `good / (completed + rejected)` (0..=1).
    pub slo_attainment: Option<f64>,
    /// `good` per time [requests/s].
    pub goodput_requests_per_s: f64,
    /// Tokens emitted in the window per time, whoever they belong to [tokens/s].
    pub server_output_tokens_per_s: f64,
    /// Inter-token latency, pooled over all tokens [s].
    pub itl_s: Option<Distribution>,
    /// Arrivals in the window that were turned away [requests].
    pub rejected: u64,
    /// The three counters of Little's law; `None` when nothing arrived.
    pub littles_law: Option<LittlesLaw>,
    /// Decode steps taken.
    pub n_steps: u64,
    /// What only a fleet has; left out where one server did it all, and in sweeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetSummary>,
    /// What was simulated: enough to run it again.
    pub scenario: WireScenario,
}

impl Summary {
    /// Of a report and the scenario it came from.
    ///
    /// Only the arrival rate is taken from the report, so the scenario of a sweep serves for each of its reports.
    #[must_use]
    pub fn new(scenario: &ValidScenario, report: &Report) -> Self {
        let mut scenario = scenario.get().clone();
        scenario.rate = report.rate_per_s;
        Self {
            rate_per_s: report.rate_per_s,
            busy_fraction: report.busy_fraction,
            offered: report.offered,
            completed: report.completed,
            unfinished: report.unfinished,
            throughput_tokens_per_s: report.throughput_tokens_per_s,
            throughput_requests_per_s: report.throughput_requests_per_s,
            ttft_s: report.ttft_s.map(Distribution::from),
            tpot_s: report.tpot_s.map(Distribution::from),
            e2e_s: report.e2e_s.map(Distribution::from),
            good: report.good,
            slo_attainment: report.slo_attainment,
            goodput_requests_per_s: report.goodput_requests_per_s,
            server_output_tokens_per_s: report.server_output_tokens_per_s,
            itl_s: report.itl_s.map(Distribution::from),
            rejected: report.rejected,
            littles_law: report.littles_law.map(LittlesLaw::from),
            n_steps: report.n_steps,
            fleet: None,
            scenario: WireScenario(scenario),
        }
    }

    /// Of one run, with what only a fleet has.
    #[must_use]
    pub fn of_run(scenario: &ValidScenario, run: &mut Run<'_>) -> Self {
        let fleet = run.fleet_report().map(FleetSummary::from);
        Self { fleet, ..Self::new(scenario, &run.report()) }
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario, run};
    use serde_json::{Value, json, to_value};

    use super::Summary;

    #[test]
    fn only_a_fleet_has_a_fleets_part() {
        let mut engine = Engine::new();
        let one = ValidScenario::default();
        let wire = to_value(Summary::of_run(&one, &mut engine.run(&one))).expect("plain data");
        assert!(wire.get("fleet").is_none());
        let two = Scenario { replicas: 2, rate: 8.0, ..Scenario::default() }.validate().expect("valid");
        let wire = to_value(Summary::of_run(&two, &mut engine.run(&two))).expect("plain data");
        assert_eq!(wire["fleet"]["server_seconds"], 1200.0);
        assert_eq!(wire["fleet"]["ttft_of_replicas_s"].as_array().map(alloc::vec::Vec::len), Some(2));
        assert_eq!(wire["fleet"]["kv_peak"], Value::Null);
    }

    #[test]
    fn a_summary_says_what_the_report_says_and_what_was_run() {
        let scenario = ValidScenario::default();
        let report = run(&scenario);
        let wire = to_value(Summary::new(&scenario, &report)).expect("plain data");
        assert_eq!(wire["rate_per_s"], 5.0);
        assert_eq!(wire["completed"], 2710);
        assert_eq!(wire["ttft_s"]["p99"], report.ttft_s.expect("requests were measured").p99);
        assert_eq!(wire["scenario"]["seed"], "lesson");
    }

    #[test]
    fn what_was_not_measured_is_null() {
        let quiet =
            Scenario { rate: 0.01, horizon: 1.0, warmup: 0.0, ..Scenario::default() }.validate().expect("valid");
        let wire = to_value(Summary::new(&quiet, &run(&quiet))).expect("plain data");
        for field in ["ttft_s", "tpot_s", "e2e_s", "itl_s", "slo_attainment", "littles_law"] {
            assert_eq!(wire[field], Value::Null, "{field}");
        }
        assert_eq!((&wire["offered"], &wire["goodput_requests_per_s"]), (&json!(0), &json!(0.0)));
    }

    #[test]
    fn one_scenario_serves_a_whole_sweep() {
        let scenario = ValidScenario::default();
        let reports = Engine::new().sweep(&scenario, &[4.0, 6.0]).expect("valid rates");
        let summary = Summary::new(&scenario, &reports[1]);
        assert_eq!((summary.rate_per_s, summary.scenario.0.rate), (6.0, 6.0));
    }
}
