//! A small chart as SVG without words: the page writes those around it, and its style sheet gives the colours. So nothing
//! depends on size or colour scheme, and nothing is drawn again when they change.

use goodput_incidents::BUCKET_S;

use crate::incident::board::Panel;

/// Width of a drawing, a unit for each second.
const WIDTH: u32 = 600;
/// Height of a drawing.
const HEIGHT: f64 = 200.0;
/// A light line every so many seconds.
const GRID_S: u32 = 120;

/// A panel as SVG; with an onset [s], that is marked.
pub(crate) fn svg(panel: &Panel, onset_s: Option<f64>) -> String {
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    for x in (0..=WIDTH).step_by(GRID_S as usize) {
        path(&mut svg, "grid", &format!("M{x} 0V{HEIGHT}"));
    }
    for part in [0, 1, 2] {
        path(&mut svg, "grid", &format!("M0 {}H{WIDTH}", part * 100));
    }
    if let Some((limit, _)) = panel.limit {
        path(&mut svg, "limit", &format!("M0 {}H{WIDTH}", height(panel, limit)));
    }
    // The first is the more important one, and lies above the other.
    for line in panel.lines.iter().rev() {
        path(&mut svg, line.classes(), &through(panel, &line.values));
    }
    if let Some(onset_s) = onset_s {
        path(&mut svg, "onset", &format!("M{} 0V{HEIGHT}", onset_s as u32));
    }
    svg.push_str("</svg>");
    svg
}

/// A line through the values, broken where there is none.
fn through(panel: &Panel, values: &[Option<f64>]) -> String {
    let mut line = String::new();
    let mut is_down = false;
    for (place, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let x = ((place as f64 + 0.5) * BUCKET_S) as u32;
            line.push_str(&format!("{}{x} {}", if is_down { 'L' } else { 'M' }, height(panel, *value)));
        }
        is_down = value.is_some();
    }
    line
}

/// Whole units from above.
fn height(panel: &Panel, value: f64) -> u32 {
    ((1.0 - panel.axis.position(value)) * HEIGHT + 0.5) as u32
}

fn path(svg: &mut String, class: &str, steps: &str) {
    svg.push_str(&format!("<path class=\"{class}\" vector-effect=\"non-scaling-stroke\" d=\"{steps}\"/>"));
}

#[cfg(test)]
mod tests {
    use super::svg;
    use crate::incident::board::board;
    use crate::incident::play::Play;

    #[test]
    fn the_onset_is_marked_only_when_it_is_told() {
        let play = Play::new(5);
        for panel in board(&play.game, &play.dashboard).into_iter().flat_map(|(_, panels)| panels) {
            assert!(!svg(&panel, None).contains("onset"));
            let marked = svg(&panel, Some(play.game.onset_s()));
            assert!(marked.contains(&format!(
                "class=\"onset\" vector-effect=\"non-scaling-stroke\" d=\"M{} 0V",
                play.game.onset_s()
            )));
            assert_eq!(marked.matches("class=\"second").count(), panel.lines.len() - 1);
            assert!(!marked.contains("NaN") && !marked.contains("style="));
        }
    }
}
