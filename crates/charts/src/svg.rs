//! A chart, or the moving picture standing still, as a file.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::{IntoDrawingArea, SVGBackend};

use crate::chart::Chart;
use crate::curves::draw_curves;
use crate::draw_scene::draw_scene;
use crate::frame::draw_frame;
use crate::marks::{Marks, draw_marks};
use crate::phrases::say;
use crate::poster::{POSTER_SIZE, Poster, draw_poster};
use crate::scene::Scene;
use crate::theme::Theme;
use crate::{scene_text, text};

/// Drawing units in a CSS pixel: fine enough that no curve shows steps, at any zoom that makes sense.
const SUBPIXELS: u32 = 8;

/// The chart as a complete SVG document of `size` CSS pixels, on the theme's page, with a title and a description; no
/// font, image or script from elsewhere. The theme's pixel ratio does not matter: an SVG has none.
#[must_use]
pub fn svg(chart: &Chart, theme: &Theme, size: (u32, u32), marks: &Marks) -> String {
    document(&chart.caption, &text::description(chart), theme, size, |area, theme| {
        draw_frame(area, chart, theme)?;
        draw_curves(area, chart, theme)?;
        draw_marks(area, chart, theme, marks)
    })
}

/// The moving picture, standing still, as a document like those of [`svg`].
#[must_use]
pub fn scene_svg(scene: &Scene, theme: &Theme, size: (u32, u32)) -> String {
    let title = say("scene.caption", &[("time", &scene_text::instant(scene.at.as_secs()))]);
    document(&title, &scene_text::scene_headline(scene), theme, size, |area, theme| draw_scene(area, scene, theme))
}

/// The picture of a whole state, as a document like those of [`svg`], of [`POSTER_SIZE`].
#[must_use]
pub fn poster_svg(poster: &Poster, theme: &Theme) -> String {
    document(&poster.title, &poster.description(), theme, POSTER_SIZE, |area, theme| draw_poster(area, poster, theme))
}

fn document(
    title: &str,
    description: &str,
    theme: &Theme,
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>, &Theme) -> Result<(), DrawingAreaErrorKind<std::io::Error>>,
) -> String {
    let paper = Paper::new(theme, size);
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, paper.units()).into_drawing_area();
        area.fill(&paper.theme.page()).expect("a string takes everything");
        draw(&area, &paper.theme).expect("a string takes everything");
        area.present().expect("a string takes everything");
    }
    paper.document(title, description, &drawn)
}

/// A sheet to draw on with a backend of one's own around plotters' [`SVGBackend`].
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    width: u32,
    height: u32,
    theme: Theme,
}

impl Paper {
    /// A sheet of `size` CSS pixels, in the theme's colours; its pixel ratio does not matter.
    #[must_use]
    pub fn new(theme: &Theme, (width, height): (u32, u32)) -> Self {
        let theme = Theme::new(theme.scheme(), 1.0).subdivided(SUBPIXELS);
        Self { width: width.max(1), height: height.max(1), theme }
    }

    /// Its size for the backend [drawing units].
    #[must_use]
    pub fn units(&self) -> (u32, u32) {
        (self.width * SUBPIXELS, self.height * SUBPIXELS)
    }

    /// The theme to draw with.
    #[must_use]
    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// What the backend wrote, as a complete document with a title and a description.
    #[must_use]
    pub fn document(&self, title: &str, description: &str, drawn: &str) -> String {
        let (_, body) = drawn.split_once('\n').unwrap_or_default();
        let (units_x, units_y) = self.units();
        let head = format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {units_x} {units_y}""#,
                r#" role="img" stroke-linejoin="round" stroke-linecap="round">"#,
                "\n<title>{title}</title>\n<desc>{description}</desc>\n"
            ),
            width = self.width,
            height = self.height,
            units_x = units_x,
            units_y = units_y,
            title = escaped(title),
            description = escaped(description),
        );
        head + body
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario};

    use super::svg;
    use crate::{ChartId, Marks, Scheme, Theme, rate_chart, time_chart};

    #[test]
    fn no_scenario_and_no_mark_draws_what_is_no_number() {
        let theme = Theme::new(Scheme::Dark, 1.0);
        let silent = Scenario { rate: 0.01, horizon: 1.0, warmup: 0.0, ..Scenario::default() };
        let free = Scenario { prefill_ms_per_1k: 0.0, ..Scenario::default() };
        let mut engine = Engine::new();
        for scenario in [Scenario::default(), silent, free] {
            let scenario = scenario.validate().expect("valid");
            let curve = engine.sweep(&scenario, &[0.5, 3.0, 5.0, 5.5, 8.0]).expect("valid rates");
            for curve in [&curve[..], &curve[..1], &[]] {
                for id in ChartId::ALL {
                    let chart = match id {
                        ChartId::Time => time_chart(&engine.run(&scenario), &scenario),
                        _ => rate_chart(id, &scenario, curve),
                    };
                    for mark in [None, Some(0.5), Some(4.2), Some(8.0), Some(f64::NAN), Some(f64::INFINITY)] {
                        for size in [(560, 280), (320, 220), (60, 40), (0, 0)] {
                            let text =
                                svg(&chart, &theme, size, &Marks { current: mark, cursor: mark, draws: vec![1.0] });
                            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
                            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_words_are_escaped() {
        let scenario = ValidScenario::default();
        let mut chart = rate_chart(ChartId::Ttft, &scenario, &[]);
        chart.caption = "p99 < 1 s & <b>".to_owned();
        let text = svg(&chart, &Theme::new(Scheme::Light, 1.0), (320, 220), &Marks::default());
        assert!(text.contains("<title>p99 &lt; 1 s &amp; &lt;b&gt;</title>"));
    }
}
