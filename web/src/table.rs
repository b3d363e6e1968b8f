//! The curve as a table, for those who would rather read than look. Filled when it is opened.

use goodput_charts::format;
use goodput_sim::Report;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlDetailsElement};

use crate::dom::{Slot, document, find, set_attribute};
use crate::model::Model;
use crate::rate::Rate;
use crate::words;

/// The disclosure and the body of its table.
#[derive(Debug)]
pub(crate) struct CurveTable {
    pub(crate) details: HtmlDetailsElement,
    caption: Slot,
    body: Element,
    /// The rows shown: the curve they came from.
    shown: Vec<Report>,
}

impl CurveTable {
    pub(crate) fn in_lab(root: &Element) -> Result<Self, JsValue> {
        Ok(Self {
            details: find(root, "[data-curve]")?,
            caption: Slot::find(root, "[data-curve-caption]")?,
            body: find(root, "[data-curve] tbody")?,
            shown: Vec::new(),
        })
    }

    /// Shows the curve and marks the current rate, if the table is open.
    pub(crate) fn show(&mut self, model: &Model) -> Result<(), JsValue> {
        if !self.details.open() {
            return Ok(());
        }
        if self.shown != model.shown_curve() {
            self.body.set_text_content(None);
            for report in model.shown_curve() {
                self.body.append_child(row(report)?.as_ref())?;
            }
            self.caption.set_text(&words::table(model.span().step, model.scenario().seed));
            self.shown = model.shown_curve().to_vec();
        }
        let rows = self.body.children();
        for (i, report) in (0..).zip(model.shown_curve()) {
            if let Some(row) = rows.item(i) {
                let current = report.rate_per_s == model.scenario().rate;
                set_attribute(&row, "aria-current", if current { "true" } else { "false" });
            }
        }
        Ok(())
    }
}

fn row(report: &Report) -> Result<Element, JsValue> {
    let document = document()?;
    let row = document.create_element("tr")?;
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".into());
    let time = |value: Option<f64>| or_dash(value.map(format::time));
    let cells = [
        format::count(report.throughput_tokens_per_s),
        time(report.ttft_s.map(|ttft| ttft.p50)),
        time(report.ttft_s.map(|ttft| ttft.p99)),
        time(report.tpot_s.map(|tpot| tpot.p50)),
        time(report.tpot_s.map(|tpot| tpot.p99)),
        or_dash(report.slo_attainment.map(format::percent)),
        format::per_s(report.goodput_requests_per_s),
        format::count(report.unfinished as f64),
    ];
    let rate = document.create_element("th")?;
    set_attribute(&rate, "scope", "row");
    rate.set_text_content(Some(&Rate::nearest(report.rate_per_s).text()));
    row.append_child(&rate)?;
    for text in cells {
        let cell = document.create_element("td")?;
        cell.set_text_content(Some(&text));
        row.append_child(&cell)?;
    }
    Ok(row)
}
