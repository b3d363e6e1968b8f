//! The numbers of a state, as files.

use goodput_sim::{Report, ValidScenario};
use goodput_summary::{METRICS, Summary};

/// The curve as `goodput sweep --format csv` prints it: a row for each rate, a column for every number of a summary.
#[must_use]
pub fn csv(scenario: &ValidScenario, curve: &[Report]) -> String {
    let mut csv = "seed".to_owned();
    for metric in METRICS {
        csv.push(',');
        csv.push_str(metric.path);
    }
    csv.push('\n');
    let seed = scenario.get().seed.to_string();
    for report in curve {
        csv.push_str(&seed);
        for (_, value) in Summary::new(scenario, report).metrics() {
            csv.push(',');
            if let Some(value) = value {
                csv.push_str(&value.to_string());
            }
        }
        csv.push('\n');
    }
    csv
}

/// The name of a file about a rate [requests/s], or about all rates.
#[must_use]
pub fn file_name(what: &str, rate: Option<f64>, extension: &str) -> String {
    let rate = rate.map(|rate| rate.to_string());
    let (dash, rate) = rate.as_deref().map_or(("", ""), |rate| ("-", rate));
    ["goodput-lab-", what, dash, rate, ".", extension].concat()
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, Seed};

    use super::*;

    #[test]
    fn each_row_is_a_summary_and_what_was_not_measured_is_empty() {
        let scenario = Scenario { seed: Seed::Number(7), horizon: 20.0, warmup: 0.0, ..Scenario::default() };
        let scenario = scenario.validate().expect("valid");
        let curve = Engine::new().sweep(&scenario, &[0.01, 6.0]).expect("valid rates");
        let csv = csv(&scenario, &curve);
        let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!((rows.len(), csv.ends_with('\n')), (3, true));
        assert_eq!(rows[0][..4], ["seed", "rate_per_s", "busy_fraction", "offered"]);
        let column = |path| rows[0].iter().position(|name| *name == path).expect("a column");
        for (row, report) in rows[1..].iter().zip(&curve) {
            let summary = Summary::new(&scenario, report);
            assert_eq!((row.len(), row[0]), (METRICS.len() + 1, "7"));
            for metric in METRICS {
                let cell = row[column(metric.path)];
                assert_eq!(cell.parse().ok(), metric.of(&summary), "{}", metric.path);
            }
        }
        assert_eq!((rows[1][column("ttft_s.p99")], rows[1][1]), ("", "0.01"));
        assert_ne!(rows[2][column("ttft_s.p99")], "");
    }

    #[test]
    fn files_say_what_they_hold() {
        assert_eq!(file_name("ttft", Some(5.5), "svg"), "goodput-lab-ttft-5.5.svg");
        assert_eq!(file_name("curve", None, "csv"), "goodput-lab-curve.csv");
    }
}
