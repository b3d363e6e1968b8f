//! Figures in the prose: those of the lesson's own run, and those that follow the current setting.
//!
//! `<output data-metric="ttft_s.p99" data-rate="5">` is the lesson's run at that rate; `data-current` in place of
//! `data-rate` follows the lab. The static text is the same figure, so the page reads right before the engine runs.

use goodput_summary::{Metric, Summary};
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::dom::{Slot, document, find_all};
use crate::model::Model;
use crate::readouts::{hide_metric, show_metric, with_metric};

/// The figures of the prose that follow the lab.
#[derive(Debug)]
pub(crate) struct Prose {
    current: Vec<(Slot, &'static Metric)>,
    /// The lines in which they stand.
    pub(crate) lines: Vec<Element>,
    /// Whether each of these is seen.
    seen: Vec<bool>,
}

impl Prose {
    /// Fills in the lesson's figures all over the page, and finds those that follow.
    ///
    /// # Errors
    /// When a figure names a metric that does not exist.
    pub(crate) fn in_page(model: &Model) -> Result<Self, JsValue> {
        let page = document()?.document_element().ok_or("the document is empty")?;
        for (slot, metric) in with_metric(&page, "data-metric", "[data-rate]")? {
            let rate = slot.element().get_attribute("data-rate").map(|rate| js_sys::parse_float(&rate));
            // Another server's figures are not the lesson's, and what stands in the page is.
            let lessons = rate.filter(|_| model.is_on_the_lessons_curve());
            if let Some(report) = lessons.and_then(|rate| model.report_at(rate)) {
                show_metric(&slot, metric, &Summary::new(model.valid_scenario(), report));
            }
        }
        let lines = find_all(&page, "[data-follows]")?;
        Ok(Self { current: with_metric(&page, "data-metric", "[data-current]")?, seen: vec![true; lines.len()], lines })
    }

    /// Takes whether a line is seen.
    pub(crate) fn see(&mut self, line: usize, is: bool) {
        self.seen[line] = is;
    }

    /// Whether any line is.
    pub(crate) fn is_seen(&self) -> bool {
        self.seen.contains(&true)
    }

    /// Brings the figures that follow up to the run last simulated.
    pub(crate) fn show(&self, model: &Model) {
        let summary = model.summary();
        for (slot, metric) in &self.current {
            if model.hides_run() { hide_metric(slot) } else { show_metric(slot, metric, &summary) }
        }
    }
}
