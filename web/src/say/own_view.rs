//! Figures and sentences of the prose that tell of the learner's own runs, once there are such runs.
//!
//! `<output data-own="peak" data-metric="slo_attainment" data-rate="6">` shows the lesson's run at 6 until the learner
//! has a run of that kind.

use goodput_summary::Metric;
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::dom::{Slot, find_all};
use crate::journal::{Journal, Kind};
use crate::readouts::{show_metric, with_metric};
use crate::say::words;

/// The places that tell of the learner's own runs.
#[derive(Debug)]
pub(crate) struct OwnView {
    figures: Vec<(Slot, &'static Metric)>,
    refutations: Vec<Slot>,
    sources: Vec<Slot>,
}

impl OwnView {
    pub(crate) fn in_page(page: &Element) -> Result<Self, JsValue> {
        let slots = |selector| Ok::<_, JsValue>(find_all(page, selector)?.into_iter().map(Slot::from).collect());
        Ok(Self {
            figures: with_metric(page, "data-metric", "[data-own]")?,
            refutations: slots("[data-own-run]")?,
            sources: slots("[data-own-source]")?,
        })
    }

    pub(crate) fn show(&self, journal: &Journal) {
        for (slot, metric) in &self.figures {
            let kind = slot.element().get_attribute("data-own").as_deref().and_then(Kind::named);
            if let Some(run) = kind.and_then(|kind| journal.own(kind)) {
                // It is the lesson's figure at that rate no more.
                slot.element().remove_attribute("data-rate").ok();
                show_metric(slot, metric, run);
            }
        }
        if let Some(run) = journal.own(Kind::Peak) {
            let refutation = words::refutation(run);
            for slot in &self.refutations {
                slot.set_text(&refutation);
            }
        }
        let sources = words::sources(journal.all());
        for slot in &self.sources {
            slot.set_text(&sources);
        }
    }
}
