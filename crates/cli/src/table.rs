//! Results for reading: rounded, with units.

use comfy_table::CellAlignment::{self, Left, Right};
use comfy_table::{Table, presets};
use goodput_sim::Scenario;
use goodput_summary::{CapacitySummary, Distribution, FleetSummary, Summary};

/// What stands where nothing was measured.
const NOTHING: &str = "-";

/// With fewer requests, fewer than 10 lie beyond the 99th percentile, and it means little.
const FEWEST_FOR_P99: u64 = 1000;

/// A run in two tables, and what to keep in mind about it.
pub(crate) fn of_run(summary: &Summary) -> String {
    let Scenario { rate, seed, horizon, warmup, .. } = &summary.scenario.0;
    let mut lines = vec![
        format!("{rate} requests/s, seed {seed}, {horizon} s simulated, the first {warmup} s discarded"),
        String::new(),
        latencies(summary),
        String::new(),
        totals(summary),
    ];
    lines.extend(summary.fleet.as_ref().map(|of_fleet| format!("\n{}", fleet(of_fleet))));
    lines.extend(note(summary).map(|note| format!("\n{note}")));
    lines.join("\n") + "\n"
}

fn latencies(summary: &Summary) -> String {
    let Scenario { slo_ttft_ms, slo_tpot_ms, .. } = summary.scenario.0;
    let mut table = Table::new();
    table.set_header(["", "mean", "p50", "p90", "p99", "SLO"]);
    let rows = [
        ("TTFT  time to first token", summary.ttft_s, Some(slo_ttft_ms)),
        ("TPOT  time per output token", summary.tpot_s, Some(slo_tpot_ms)),
        ("ITL   inter-token latency", summary.itl_s, None),
        ("E2E   end to end", summary.e2e_s, None),
    ];
    for (name, times, slo_ms) in rows {
        let mut row = vec![name.to_owned()];
        row.extend(quantiles(times));
        row.push(slo_ms.map_or_else(String::new, |ms| time(ms / 1000.0)));
        table.add_row(row);
    }
    text(table, &[Left, Right, Right, Right, Right, Right])
}

fn totals(summary: &Summary) -> String {
    let attained = summary.slo_attainment.map_or_else(|| NOTHING.to_owned(), percent);
    let counts = [summary.offered, summary.completed, summary.unfinished, summary.rejected];
    let [offered, completed, unfinished, rejected] = counts.map(|count| count.to_string());
    let judged = match summary.rejected {
        0 => "of the completed requests",
        _ => "of the completed and the rejected requests",
    };
    let rows = [
        ("throughput", format!("{:.1}", summary.throughput_tokens_per_s), "tokens/s, as a load test reports it"),
        ("server output", format!("{:.1}", summary.server_output_tokens_per_s), "tokens/s, whoever they belong to"),
        ("goodput", format!("{:.3}", summary.goodput_requests_per_s), "requests/s that meet the SLO"),
        ("SLO attainment", attained, judged),
        ("offered", offered, "requests arrived in the window"),
        ("completed", completed, "of them measured"),
        ("unfinished", unfinished, "of them not done by the end: in no percentile"),
        ("rejected", rejected, "of them turned away"),
        ("GPU busy", percent(summary.busy_fraction), "of the time"),
        ("decode steps", summary.n_steps.to_string(), ""),
    ];
    let mut table = Table::new();
    for (name, value, about) in rows {
        table.add_row([name, &value, about]);
    }
    if let Some(law) = summary.littles_law {
        let about =
            format!("requests in the system = {:.3}/s x {}", law.arrival_rate_per_s, time(law.mean_time_in_system_s));
        table.add_row(["Little's law", &format!("{:.2}", law.mean_in_system), &about]);
    }
    text(table, &[Left, Right, Left])
}

/// What only a fleet has. A row of quantiles only where it says something of its own.
fn fleet(fleet: &FleetSummary) -> String {
    let mut table = Table::new();
    table.set_header(["", "mean", "p50", "p90", "p99"]);
    let mut add = |name: String, times: Option<Distribution>| {
        let mut row = vec![name];
        row.extend(quantiles(times));
        table.add_row(row);
    };
    add("TTFT  from when it was wanted".to_owned(), fleet.ttft_intended_s);
    if fleet.ttft_high_s.is_some() {
        add("TTFT  high priority".to_owned(), fleet.ttft_high_s);
        add("TTFT  the others".to_owned(), fleet.ttft_low_s);
    }
    if fleet.ttft_of_replicas_s.len() > 1 {
        for (place, &ttft) in fleet.ttft_of_replicas_s.iter().enumerate() {
            add(format!("TTFT  replica {}", place + 1), ttft);
        }
    }
    let mut totals = Table::new();
    totals.add_row(["preemptions", &fleet.preemptions.to_string(), "times a request lost its KV memory"]);
    totals.add_row(["retries", &fleet.retries.to_string(), "requests that were sent again"]);
    if let Some(peak) = fleet.kv_peak {
        totals.add_row(["KV memory", &percent(peak), "in use on one server, at most"]);
    }
    totals.add_row(["server time", &format!("{:.0} s", fleet.server_seconds), "of all servers together"]);
    text(table, &[Left, Right, Right, Right, Right]) + "\n\n" + &text(totals, &[Left, Right, Left])
}

/// A warning when there are too few requests for the 99th percentile.
fn note(summary: &Summary) -> Option<String> {
    let completed = summary.completed;
    let few = completed > 0 && completed < FEWEST_FOR_P99;
    few.then(|| format!("p99 of only {completed} requests: fewer than 10 lie beyond it. Simulate longer."))
}

/// A sweep with one row a run.
pub(crate) fn of_sweep(summaries: impl Iterator<Item = Summary>) -> String {
    let mut table = Table::new();
    table.set_header([
        "requests/s",
        "seed",
        "tokens/s",
        "TTFT p50",
        "TTFT p99",
        "TPOT p50",
        "TPOT p99",
        "meet the SLO",
        "goodput requests/s",
        "unfinished",
    ]);
    for summary in summaries {
        let [_, ttft_p50, _, ttft_p99] = quantiles(summary.ttft_s);
        let [_, tpot_p50, _, tpot_p99] = quantiles(summary.tpot_s);
        table.add_row([
            summary.rate_per_s.to_string(),
            summary.scenario.0.seed.to_string(),
            format!("{:.1}", summary.throughput_tokens_per_s),
            ttft_p50,
            ttft_p99,
            tpot_p50,
            tpot_p99,
            summary.slo_attainment.map_or_else(|| NOTHING.to_owned(), percent),
            format!("{:.3}", summary.goodput_requests_per_s),
            summary.unfinished.to_string(),
        ]);
    }
    text(table, &[Right; 10])
}

/// A capacity in two lines.
pub(crate) fn of_capacity(summary: &CapacitySummary, target: f64) -> String {
    let mut table = Table::new();
    table.set_header(["", "requests/s", ""]);
    let found = summary.highest_rate.map_or_else(|| NOTHING.to_owned(), |rate| format!("{rate:.2}"));
    let attained = match summary.attainment {
        Some(share) if summary.highest_rate == Some(summary.searched_to) => {
            format!("{} meet it there, and the search went no further", percent(share))
        }
        Some(share) => format!("{} meet it there", percent(share)),
        None => "no rate does".to_owned(),
    };
    table.add_row([&format!("highest rate at which {} meet the SLO", percent(target)), &found, &attained]);
    table.add_row(["closed form: every slot in use for ever", &format!("{:.2}", summary.closed_form), "knows no SLO"]);
    text(table, &[Left, Right, Left])
}

/// The table as text, without lines, its columns aligned to the left or to the right.
pub(crate) fn text(mut table: Table, alignments: &[CellAlignment]) -> String {
    table.load_style(presets::NOTHING);
    table.discover_columns();
    for (column, &alignment) in table.column_iter_mut().zip(alignments) {
        column.set_padding((0, 2));
        column.set_cell_alignment(alignment);
    }
    table.trim_fmt()
}

fn quantiles(times: Option<Distribution>) -> [String; 4] {
    match times {
        Some(Distribution { mean, p50, p90, p99 }) => [mean, p50, p90, p99].map(time),
        None => [NOTHING; 4].map(str::to_owned),
    }
}

/// A share (0..=1). All and nothing are said only when they are meant.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 | 100.0 => format!("{percent} %"),
        _ if percent > 99.9 => ">99.9 %".to_owned(),
        _ if percent < 0.1 => "<0.1 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

/// A time [s] in three digits, in the unit that suits it.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        0.0 => "0 s".to_owned(),
        _ if seconds >= 0.9995 => format!("{} s", three_digits(seconds)),
        _ => format!("{} ms", three_digits(1000.0 * seconds)),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{percent, time};

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let written = [0.0, 0.000_05, 0.010_06, 0.05, 0.187_87, 0.9994, 0.9996, 1.232_475, 12.435, 600.0].map(time);
        let expected =
            ["0 s", "0.05 ms", "10.1 ms", "50.0 ms", "188 ms", "999 ms", "1.00 s", "1.23 s", "12.4 s", "600 s"];
        assert_eq!(written, expected);
    }

    #[test]
    fn all_and_nothing_are_said_only_when_they_are_meant() {
        let written = [0.0, 0.000_4, 0.889_668, 0.99, 0.9996, 1.0].map(percent);
        assert_eq!(written, ["0 %", "<0.1 %", "89.0 %", "99.0 %", ">99.9 %", "100 %"]);
    }
}
