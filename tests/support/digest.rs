//! A digest of whole reports, to compare bits across targets.

use std::iter;

use goodput_sim::{Distribution, FleetReport, Report};

/// A digest of every number of a report, bit by bit.
#[must_use]
pub fn digest(report: &Report) -> u64 {
    fnv(numbers_of(report))
}

/// A digest of every number of a fleet's two reports, bit by bit.
#[must_use]
pub fn fleet_digest(report: &Report, fleet: &FleetReport) -> u64 {
    let distributions = [fleet.ttft_intended_s, fleet.ttft_high_s, fleet.ttft_low_s];
    let floats = distributions
        .into_iter()
        .chain(fleet.ttft_of_replicas_s.iter().copied())
        .flatten()
        .flat_map(numbers)
        .chain(fleet.kv_peak)
        .chain(iter::once(fleet.server_seconds))
        .map(f64::to_bits);
    fnv(numbers_of(report).chain(floats).chain([fleet.preemptions, fleet.retries]))
}

fn numbers(d: Distribution) -> [f64; 4] {
    [d.mean, d.p50, d.p90, d.p99]
}

fn numbers_of(report: &Report) -> impl Iterator<Item = u64> {
    let distributions = [report.ttft_s, report.tpot_s, report.itl_s, report.e2e_s];
    let floats = [
        report.rate_per_s,
        report.busy_fraction,
        report.throughput_tokens_per_s,
        report.throughput_requests_per_s,
        report.server_output_tokens_per_s,
        report.slo_attainment.unwrap_or(f64::INFINITY),
        report.goodput_requests_per_s,
    ];
    let little = report.littles_law.map(|law| [law.mean_in_system, law.arrival_rate_per_s, law.mean_time_in_system_s]);
    let counts = [report.offered, report.completed, report.unfinished, report.rejected, report.good, report.n_steps];
    distributions
        .into_iter()
        .flatten()
        .flat_map(numbers)
        .chain(floats)
        .chain(little.into_iter().flatten())
        .map(f64::to_bits)
        .chain(counts)
}

/// FNV-1a, because it is ten lines and never changes: the digest guards against accidents, not against adversaries.
fn fnv(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
