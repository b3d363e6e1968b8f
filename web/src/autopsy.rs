//! The autopsy of one request in the page: a picture of its time, and the same in words.

use goodput_charts::{draw_autopsy, format, scene_text};
use goodput_sim::{Autopsy, Scenario, SimTime};
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

use crate::canvas::Ground;
use crate::dom::{Slot, find, set_attribute};
use crate::layer::{Layer, Surface};

/// What the panel says, in this order: each in the element whose `data-part` is its name.
const PARTS: [&str; 11] =
    ["title", "sentence", "boundary", "slot", "others", "own", "ttft", "ttft-check", "tpot", "tpot-check", "tokens"];

/// The panel below the picture; hidden until a request is chosen.
#[derive(Debug)]
pub(crate) struct AutopsyPanel {
    panel: Element,
    pub(crate) plot: HtmlElement,
    pub(crate) surface: Option<Surface>,
    layer: Layer<Autopsy>,
    /// One for each of [`PARTS`].
    slots: Vec<Slot>,
    shown: Option<Autopsy>,
}

impl AutopsyPanel {
    pub(crate) fn in_figure(figure: &Element) -> Result<Self, JsValue> {
        let panel: Element = find(figure, "[data-autopsy]")?;
        let plot: HtmlElement = find(&panel, ".plot")?;
        let layer = Layer::in_plot(&plot)?;
        // All that it shows stands beside it in words.
        set_attribute(layer.canvas(), "aria-hidden", "true");
        let slots = PARTS.iter().map(|name| Slot::find(&panel, &format!("[data-part={name}]")));
        let slots = slots.collect::<Result<_, _>>()?;
        Ok(Self { panel, plot, surface: None, layer, slots, shown: None })
    }

    /// Shows an autopsy in words, or closes the panel.
    pub(crate) fn show(&mut self, autopsy: Option<Autopsy>, scenario: &Scenario) {
        self.panel.toggle_attribute_with_force("hidden", autopsy.is_none()).ok();
        if let Some(autopsy) = &autopsy {
            let parts = autopsy.ttft;
            let [ttft_check, tpot_check] = scene_text::autopsy_checks(autopsy, scenario);
            let time = |time: SimTime| format::time(time.as_secs());
            let words: [String; PARTS.len()] = [
                scene_text::autopsy_title(autopsy),
                scene_text::autopsy_sentence(autopsy),
                time(parts.boundary),
                time(parts.slot),
                time(parts.others),
                time(parts.own),
                time(parts.sum()),
                ttft_check,
                autopsy.tpot_s.map_or_else(|| "–".into(), scene_text::tpot),
                tpot_check,
                format::count(autopsy.tokens.len() as f64),
            ];
            for (slot, words) in self.slots.iter().zip(&words) {
                slot.set_text(words);
            }
            // In nanoseconds for those who read the page by program: these add up exactly.
            let nanos = [parts.boundary, parts.slot, parts.others, parts.own, parts.sum()];
            for (slot, time) in self.slots[2..].iter().zip(nanos) {
                set_attribute(slot.element(), "data-nanos", &time.as_nanos().to_string());
            }
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
        let mut draw = |area: &_| draw_autopsy(area, autopsy, &surface.theme);
        self.layer.paint(surface, Ground::Page, |old| old == autopsy, || autopsy.clone(), &mut draw)
    }
}
