//! Little's law, live: what three independent counters of the run say, and that two of them make the third.

use goodput_charts::format;
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::dom::Slot;
use crate::model::Model;

/// The elements of the law.
#[derive(Debug)]
pub(crate) struct Little {
    in_system: Slot,
    arrivals: Slot,
    stay: Slot,
    product: Slot,
}

impl Little {
    pub(crate) fn in_lab(root: &Element) -> Result<Self, JsValue> {
        let slot = |name| Slot::find(root, &format!("[data-little={name}]"));
        Ok(Self { in_system: slot("l")?, arrivals: slot("lambda")?, stay: slot("w")?, product: slot("product")? })
    }

    pub(crate) fn show(&self, model: &Model) {
        if model.hides_run() {
            for slot in [&self.in_system, &self.arrivals, &self.stay, &self.product] {
                slot.set_text("?");
            }
            return;
        }
        let Some(law) = model.report().littles_law else { return };
        self.in_system.set_text(&format::per_s(law.mean_in_system));
        self.arrivals.set_text(&format::per_s(law.arrival_rate_per_s));
        self.stay.set_text(&format::time(law.mean_time_in_system_s));
        self.product.set_text(&format::per_s(law.arrival_rate_per_s * law.mean_time_in_system_s));
    }
}
