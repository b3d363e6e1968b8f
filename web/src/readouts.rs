//! The figures, the verdict and what is said of each SLO.

use goodput_charts::{format, text};
use goodput_summary::{Metric, Summary};
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::dom::{Slot, find_all, set_attribute};
use crate::model::{ATTAINMENT_TARGET, Model};
use crate::words;

/// The elements that show the current run.
#[derive(Debug)]
pub(crate) struct Readouts {
    outputs: Vec<(Slot, &'static Metric)>,
    /// Those that stand in small words under a figure.
    asides: Vec<(Slot, &'static Metric)>,
    checks: Vec<(Slot, &'static Metric)>,
    verdict: Slot,
}

impl Readouts {
    /// Finds the outputs by `data-metric`, the checks by `data-check`.
    pub(crate) fn in_lab(root: &Element) -> Result<Self, JsValue> {
        Ok(Self {
            // An output with a rate of its own is about that rate, whatever the current one is.
            outputs: with_metric(root, "data-metric", ":not([data-rate], [data-current], .aside *)")?,
            asides: with_metric(root, "data-metric", ":not([data-rate], [data-current]):is(.aside *)")?,
            checks: with_metric(root, "data-check", "")?,
            verdict: Slot::find(root, "[data-verdict]")?,
        })
    }

    /// Shows the figures.
    pub(crate) fn show(&self, model: &Model) {
        if model.hides_run() {
            self.hide();
            return;
        }
        let summary = model.summary();
        show_metrics(&self.outputs, &summary);
        for (slot, metric) in &self.checks {
            let (state, words) = match check(metric, &summary, model) {
                Some((true, words)) => ("pass", words),
                Some((false, words)) => ("fail", words),
                None => ("none", String::new()),
            };
            if slot.set_text(&words) {
                set_attribute(slot.element(), "data-state", state);
            }
        }
    }

    /// Shows what to make of the figures, and what stands in words under them.
    pub(crate) fn show_words(&self, model: &Model) {
        if model.hides_run() {
            self.verdict.set_text(&words::covered());
            return;
        }
        self.verdict.set_text(&text::verdict(model.report()));
        show_metrics(&self.asides, &model.summary());
    }

    /// The run is under the cover: no figure and no check.
    fn hide(&self) {
        for (output, _) in self.outputs.iter().chain(&self.asides) {
            hide_metric(output);
        }
        for (slot, _) in &self.checks {
            if slot.set_text("") {
                set_attribute(slot.element(), "data-state", "none");
            }
        }
    }
}

fn show_metrics(outputs: &[(Slot, &'static Metric)], summary: &Summary) {
    for (output, metric) in outputs {
        show_metric(output, metric, summary);
    }
}

/// In place of a figure that is not to be seen yet.
pub(crate) fn hide_metric(output: &Slot) {
    output.set_text("?");
    output.set_value(String::new());
}

/// Writes a metric of a run into its output: in words, and unrounded for those who read the page by program.
pub(crate) fn show_metric(output: &Slot, metric: &Metric, summary: &Summary) {
    let value = metric.of(summary);
    output.set_text(&value.map_or_else(|| "–".into(), |value| words::figure(metric, value)));
    // In SI units; empty where JSON says null.
    output.set_value(value.map(|value| value.to_string()).unwrap_or_default());
}

/// The elements inside `root` whose `attribute` is the path of a metric, and that `but` selects too.
pub(crate) fn with_metric(root: &Element, attribute: &str, but: &str) -> Result<Vec<(Slot, &'static Metric)>, JsValue> {
    find_all(root, &format!("[{attribute}]{but}"))?
        .into_iter()
        .map(|element| {
            let path = element.get_attribute(attribute).unwrap_or_default();
            let metric = Metric::at(&path).ok_or_else(|| JsValue::from_str(&format!("no metric is called {path}")))?;
            Ok((Slot::from(element), metric))
        })
        .collect()
}

/// Whether a metric keeps its limit, and how that is said; `None` when there is no value.
fn check(metric: &Metric, summary: &Summary, model: &Model) -> Option<(bool, String)> {
    let value = metric.of(summary)?;
    let scenario = model.scenario();
    let limit_s = match metric.path.split_once('.') {
        Some(("ttft_s", _)) => scenario.slo_ttft_ms / 1000.0,
        Some(("tpot_s", _)) => scenario.slo_tpot_ms / 1000.0,
        _ => {
            let passes = value >= ATTAINMENT_TARGET;
            return Some((passes, words::check_attainment(passes, &format!("{} %", ATTAINMENT_TARGET * 100.0))));
        }
    };
    let passes = value <= limit_s;
    Some((passes, words::check(passes, &format::latency_tick(limit_s))))
}
