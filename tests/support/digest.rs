//! A digest of whole reports, to compare bits across targets.

use goodput_sim::{Distribution, Report};

/// FNV-1a over every number of a report, bit by bit.
///
/// FNV because it is ten lines and never changes: the digest guards against accidents, not against adversaries.
#[must_use]
pub fn digest(report: &Report) -> u64 {
    let distributions = [report.ttft_s, report.tpot_s, report.itl_s, report.e2e_s];
    let numbers = |d: Distribution| [d.mean, d.p50, d.p90, d.p99];
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
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
