//! Draws an autopsy: the time to first token as a bar in four parts, and below it the whole life with every token.

use goodput_sim::Autopsy;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBAColor};

use crate::format;
use crate::pen::{Box4, Drawn, Hold, Letters, Pen};
use crate::phrases::say;
use crate::theme::{Ink, Theme};

/// Draws an autopsy on the whole of an area. The background stays as it is.
///
/// # Errors
/// Those of the backend.
pub fn draw_autopsy<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, autopsy: &Autopsy, theme: &Theme) -> Drawn<DB> {
    let pen = Pen { area, theme };
    let (width, height) = area.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    let half = Box4 { left: 0, top: theme.px(20.0), right: width, bottom: height / 2 - theme.px(6.0) };
    first_token(&pen, autopsy, half)?;
    let shift = height / 2 + theme.px(4.0);
    life(&pen, autopsy, Box4 { top: half.top + shift, bottom: height - theme.px(2.0), ..half })
}

fn letters(theme: &Theme) -> Letters {
    Letters { em: 12.0, bold: false, colour: theme.colour(Ink::Muted) }
}

/// The bar of the four parts; a part that has room for it carries its name.
fn first_token<DB: DrawingBackend>(pen: &Pen<'_, DB>, autopsy: &Autopsy, bar: Box4) -> Drawn<DB> {
    let theme = pen.theme;
    let total = autopsy.ttft.sum();
    let title = say("autopsy.bar", &[("time", &format::time(total.as_secs()))]);
    pen.text(&title, (bar.left, bar.top - theme.px(11.0)), Hold::Left, letters(theme))?;
    let (ink, page) = (theme.colour(Ink::Ink), theme.page());
    let own = theme.colour(Ink::Throughput);
    let parts = [
        (autopsy.ttft.boundary, theme.colour(Ink::Muted).mix(0.35), ink, say("autopsy.part.boundary", &[])),
        (autopsy.ttft.slot, theme.colour(Ink::Muted).to_rgba(), page, say("autopsy.part.slot", &[])),
        (autopsy.ttft.others, own.mix(0.3), ink, say("autopsy.part.others", &[])),
        (autopsy.ttft.own, own.to_rgba(), page, say("autopsy.part.own", &[])),
    ];
    let width = f64::from(bar.right - bar.left);
    let at = |nanos: u64| bar.left + (width * nanos as f64 / total.as_nanos().max(1) as f64).round() as i32;
    let mut from = 0;
    for (length, fill, on_it, name) in parts {
        let to = from + length.as_nanos();
        let part = Box4 { left: at(from), right: at(to), ..bar };
        from = to;
        if part.left == part.right {
            continue;
        }
        pen.fill(part, fill)?;
        // A hairline of page parts neighbours whatever their colours.
        pen.up(part.left, (bar.top, bar.bottom), 1.0, false, page.to_rgba())?;
        let letters = Letters { em: 13.0, bold: false, colour: on_it };
        let middle = ((part.left + part.right) / 2, (bar.top + bar.bottom) / 2);
        let text = pen.measure(&name, middle, Hold::Middle, letters)?;
        if text.right - text.left + theme.px(12.0) < part.right - part.left {
            pen.text(&name, middle, Hold::Middle, letters)?;
        }
    }
    Ok(())
}

/// From arrival to end: the wait as a line, each token as a tick, the longest gap marked.
fn life<DB: DrawingBackend>(pen: &Pen<'_, DB>, autopsy: &Autopsy, line: Box4) -> Drawn<DB> {
    let theme = pen.theme;
    let first_token = autopsy.arrival + autopsy.ttft.sum();
    let end = autopsy.finish.or(autopsy.tokens.last().copied()).unwrap_or(first_token).max(first_token);
    let total = (end - autopsy.arrival).as_nanos().max(1) as f64;
    let width = f64::from(line.right - line.left - theme.px(1.0));
    let at = |time: goodput_sim::SimTime| {
        line.left + (width * (time - autopsy.arrival).as_nanos() as f64 / total).round() as i32
    };
    let title = say(
        "autopsy.life",
        &[
            ("time", &format::time((end - autopsy.arrival).as_secs())),
            ("tokens", &format::count(autopsy.tokens.len() as f64)),
        ],
    );
    pen.text(&title, (line.left, line.top - theme.px(11.0)), Hold::Left, letters(theme))?;
    let middle = (line.top + line.bottom) / 2;
    pen.across(middle, (line.left, at(first_token)), 2.0, false, theme.colour(Ink::Muted).to_rgba())?;
    if let Some(gap) = autopsy.longest_gap {
        let (from, to) = (at(autopsy.tokens[gap.after]), at(autopsy.tokens[gap.after + 1]));
        let band: RGBAColor = theme.colour(Ink::P99).mix(0.22);
        pen.fill(Box4 { left: from, right: to.max(from + theme.px(2.0)), ..line }, band)?;
    }
    let ticks = theme.colour(Ink::Ink).to_rgba();
    // Of a long answer many tokens fall on one place: there one tick will do.
    let mut drawn = i32::MIN;
    for x in autopsy.tokens.iter().map(|&token| at(token)) {
        if x > drawn {
            pen.up(x, (line.top, line.bottom), 0.5, false, ticks)?;
            drawn = x + theme.hairline(0.5) / 2;
        }
    }
    Ok(())
}
