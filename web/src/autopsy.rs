//! The autopsy of one request in the page: a picture of its time, and the same in words.

use goodput_charts::{draw_autopsy, format, scene_text};
use goodput_sim::{Autopsy, Scenario, SimTime};
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

use crate::dom::{Slot, find, set_attribute};
use crate::panel::{Layer, Surface};

/// The panel below the picture; hidden until a request is chosen.
#[derive(Debug)]
pub(crate) struct AutopsyPanel {
    panel: Element,
    pub(crate) plot: HtmlElement,
    pub(crate) surface: Option<Surface>,
    layer: Layer<Autopsy>,
    title: Slot,
    sentence: Slot,
    boundary: Slot,
    slot: Slot,
    others: Slot,
    own: Slot,
    ttft: Slot,
    ttft_check: Slot,
    tpot: Slot,
    tpot_check: Slot,
    tokens: Slot,
    shown: Option<Autopsy>,
}

impl AutopsyPanel {
    pub(crate) fn in_figure(figure: &Element) -> Result<Self, JsValue> {
        let panel: Element = find(figure, "[data-autopsy]")?;
        let plot: HtmlElement = find(&panel, ".plot")?;
        let layer = Layer::in_plot(&plot)?;
        // All that it shows stands beside it in words.
        set_attribute(&layer.canvas, "aria-hidden", "true");
        let part = |name: &str| Slot::find(&panel, &format!("[data-part={name}]"));
        Ok(Self {
            title: part("title")?,
            sentence: part("sentence")?,
            boundary: part("boundary")?,
            slot: part("slot")?,
            others: part("others")?,
            own: part("own")?,
            ttft: part("ttft")?,
            ttft_check: part("ttft-check")?,
            tpot: part("tpot")?,
            tpot_check: part("tpot-check")?,
            tokens: part("tokens")?,
            panel,
            plot,
            layer,
            surface: None,
            shown: None,
        })
    }

    /// Shows an autopsy in words, or closes the panel.
    pub(crate) fn show(&mut self, autopsy: Option<Autopsy>, scenario: &Scenario) {
        self.panel.toggle_attribute_with_force("hidden", autopsy.is_none()).ok();
        if let Some(autopsy) = &autopsy {
            self.title.set_text(&scene_text::autopsy_title(autopsy));
            self.sentence.set_text(&scene_text::autopsy_sentence(autopsy));
            let parts = autopsy.ttft;
            set_time(&self.boundary, parts.boundary);
            set_time(&self.slot, parts.slot);
            set_time(&self.others, parts.others);
            set_time(&self.own, parts.own);
            set_time(&self.ttft, parts.sum());
            self.tpot.set_text(&autopsy.tpot_s.map_or_else(|| "–".into(), scene_text::tpot));
            let [ttft, tpot] = scene_text::autopsy_checks(autopsy, scenario);
            self.ttft_check.set_text(&ttft);
            self.tpot_check.set_text(&tpot);
            self.tokens.set_text(&format::count(autopsy.tokens.len() as f64));
        }
        self.shown = autopsy;
    }

    /// What is shown, to be heard.
    pub(crate) fn words(&self) -> String {
        let Some(autopsy) = &self.shown else { return String::new() };
        format!("{}. {}", scene_text::autopsy_title(autopsy), scene_text::autopsy_sentence(autopsy))
    }

    /// Paints what is shown, if it changed.
    pub(crate) fn paint(&mut self) -> Result<(), JsValue> {
        let (Some(autopsy), Some(surface)) = (&self.shown, self.surface) else { return Ok(()) };
        let draw = |area: &_| draw_autopsy(area, autopsy, &surface.theme);
        self.layer.paint(surface, |old| old == autopsy, || autopsy.clone(), draw)
    }
}

/// A time in words, and in nanoseconds for those who read the page by program: these add up exactly.
fn set_time(slot: &Slot, time: SimTime) {
    slot.set_text(&format::time(time.as_secs()));
    set_attribute(slot.element(), "data-nanos", &time.as_nanos().to_string());
}
