//! What a fleet has beyond a report, by the words of MODEL.md.

use goodput_sim::{Distribution, FleetReport, Scenario, SimTime};

use super::{FleetLife, Request};
use crate::twin::whole;

/// Reports what a fleet has beyond [`crate::twin::report`].
#[must_use]
pub fn fleet_report(scenario: &Scenario, life: &FleetLife) -> FleetReport {
    let (warmup, horizon) = (SimTime::from_secs(scenario.warmup), SimTime::from_secs(scenario.horizon));
    let is_measured =
        |request: &&Request| request.sent >= warmup && request.finish.is_some_and(|finish| finish <= horizon);
    let measured: Vec<&Request> = life.requests.iter().filter(is_measured).collect();
    let ttft_of = |of: &dyn Fn(&Request) -> bool| -> Option<Distribution> {
        let of = measured.iter().filter(|request| of(request));
        whole(of.map(|request| request.tokens[0] - request.sent))
    };
    let boundaries = life.boundaries.iter().flatten();
    let used = boundaries.filter_map(|boundary| Some((boundary.used, boundary.total.filter(|&total| total > 0)?)));
    let servers = life.replicas.iter().chain(&life.prefill_servers);
    FleetReport {
        ttft_intended_s: whole(measured.iter().map(|request| request.tokens[0] - request.intended)),
        ttft_high_s: ttft_of(&|request| request.high),
        ttft_low_s: ttft_of(&|request| !request.high),
        ttft_of_replicas_s: (0..life.replicas.len())
            .map(|replica| ttft_of(&|request| request.replica == Some(replica)))
            .collect(),
        preemptions: life.requests.iter().map(|request| u64::from(request.preemptions)).sum(),
        retries: life.requests.iter().filter(|request| request.attempt > 0).count() as u64,
        kv_peak: used.map(|(used, total)| used as f64 / total as f64).reduce(f64::max),
        server_seconds: servers.fold(SimTime::ZERO, |sum, server| sum + server.existed).as_secs(),
    }
}
