//! Every number of a summary by its dotted path: for tables, CSV columns and the page's `data-metric`.

use crate::summary::Summary;

/// One number of a [`Summary`].
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Where it stands in the JSON, as `ttft_s.p99`.
    pub path: &'static str,
    /// Its unit; empty for a share (0..=1).
    pub unit: &'static str,
    read: fn(&Summary) -> Option<f64>,
}

impl Metric {
    /// The metric at this path, if there is one.
    #[must_use]
    pub fn at(path: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.path == path)
    }

    /// Its value in [`Metric::unit`]; `None` where the wire says null.
    #[must_use]
    pub fn of(&self, summary: &Summary) -> Option<f64> {
        (self.read)(summary)
    }
}

impl Summary {
    /// The number at a dotted path; `None` when there is no such path, or null stands there.
    #[must_use]
    pub fn metric(&self, path: &str) -> Option<f64> {
        Metric::at(path)?.of(self)
    }

    /// Every dotted path and its number, in the order of the wire.
    pub fn metrics(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> + '_ {
        METRICS.iter().map(|metric| (metric.path, metric.of(self)))
    }
}

macro_rules! metric {
    ($outer:ident.$inner:ident, $unit:literal) => {
        Metric {
            path: concat!(stringify!($outer), ".", stringify!($inner)),
            unit: $unit,
            read: |summary| Some(summary.$outer?.$inner),
        }
    };
    ($field:ident?, $unit:literal) => {
        Metric { path: stringify!($field), unit: $unit, read: |summary| summary.$field }
    };
    ($field:ident, $unit:literal) => {
        Metric { path: stringify!($field), unit: $unit, read: |summary| Some(summary.$field as f64) }
    };
}

/// Every number of a [`Summary`], in the order of the wire. The scenario is not among them.
///
/// A static, because a constant would be downloaded once for each of its uses.
pub static METRICS: &[Metric] = &[
    metric!(rate_per_s, "requests/s"),
    metric!(busy_fraction, ""),
    metric!(offered, "requests"),
    metric!(completed, "requests"),
    metric!(unfinished, "requests"),
    metric!(throughput_tokens_per_s, "tokens/s"),
    metric!(throughput_requests_per_s, "requests/s"),
    metric!(ttft_s.mean, "s"),
    metric!(ttft_s.p50, "s"),
    metric!(ttft_s.p90, "s"),
    metric!(ttft_s.p99, "s"),
    metric!(tpot_s.mean, "s"),
    metric!(tpot_s.p50, "s"),
    metric!(tpot_s.p90, "s"),
    metric!(tpot_s.p99, "s"),
    metric!(e2e_s.mean, "s"),
    metric!(e2e_s.p50, "s"),
    metric!(e2e_s.p90, "s"),
    metric!(e2e_s.p99, "s"),
    metric!(good, "requests"),
    metric!(slo_attainment?, ""),
    metric!(goodput_requests_per_s, "requests/s"),
    metric!(server_output_tokens_per_s, "tokens/s"),
    metric!(itl_s.mean, "s"),
    metric!(itl_s.p50, "s"),
    metric!(itl_s.p90, "s"),
    metric!(itl_s.p99, "s"),
    metric!(rejected, "requests"),
    metric!(littles_law.mean_in_system, "requests"),
    metric!(littles_law.arrival_rate_per_s, "requests/s"),
    metric!(littles_law.mean_time_in_system_s, "s"),
    metric!(n_steps, "steps"),
];

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::collections::BTreeMap;
    use alloc::format;
    use alloc::string::String;

    use goodput_sim::{ValidScenario, run};
    use serde_json::Value;

    use super::Metric;
    use crate::Summary;

    fn summary() -> Summary {
        let scenario = ValidScenario::default();
        Summary::new(&scenario, &run(&scenario))
    }

    /// The numbers of an object by dotted path.
    fn walk(value: &Value, path: &str, found: &mut BTreeMap<String, f64>) {
        if let Some(fields) = value.as_object() {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                walk(value, &path, found);
            }
        } else {
            found.insert(path.to_owned(), value.as_f64().expect(path));
        }
    }

    #[test]
    fn the_table_is_the_json() {
        let summary = summary();
        let mut wire = serde_json::to_value(&summary).expect("plain data");
        wire.as_object_mut().and_then(|fields| fields.remove("scenario")).expect("the scenario is on the wire");
        let mut on_the_wire = BTreeMap::new();
        walk(&wire, "", &mut on_the_wire);
        let in_the_table: BTreeMap<_, _> =
            summary.metrics().map(|(path, value)| (path.to_owned(), value.expect(path))).collect();
        assert_eq!(in_the_table, on_the_wire);
    }

    #[test]
    fn the_table_has_the_order_of_the_json() {
        let json = serde_json::to_string(&summary()).expect("plain data");
        let outer = |path: &'static str| path.split('.').next().unwrap_or(path);
        let places = super::METRICS.iter().map(|metric| json.find(&format!("\"{}\":", outer(metric.path))));
        assert!(places.is_sorted());
    }

    #[test]
    fn a_path_finds_its_number() {
        let summary = summary();
        assert_eq!(summary.metric("ttft_s.p99"), summary.ttft_s.map(|ttft| ttft.p99));
        assert_eq!(summary.metric("good"), Some(2411.0));
        assert_eq!(Metric::at("tpot_s.p50").map(|metric| metric.unit), Some("s"));
        assert_eq!(summary.metric("ttft_s"), None);
        assert_eq!(summary.metric("ttft_s.p95"), None);
    }
}
