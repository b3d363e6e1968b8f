//! Draws the moving picture: the road of those who wait, the slots, the road of those who left.
//!
//! Colour is never alone: who meets the SLO is a disc or a plain bar, who misses it a cross or a bar with a cross.

use goodput_sim::{Fate, Stage as At};
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use crate::format;
use crate::pen::{Box4, Drawn, Hold, Letters, Pen};
use crate::phrases::say;
use crate::scene::{Running, Scene};
use crate::stage::Stage;
use crate::theme::{Ink, Theme};

/// Draws a scene on the whole of an area. The background stays as it is.
///
/// # Errors
/// Those of the backend.
pub fn draw_scene<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, scene: &Scene, theme: &Theme) -> Drawn<DB> {
    let (width, height) = area.dim_in_pixel();
    let view = View { pen: Pen { area, theme }, stage: Stage::of(width, height, theme, scene), scene };
    view.labels()?;
    view.roads()?;
    view.slots()?;
    view.marks()?;
    view.selected()
}

struct View<'a, DB: DrawingBackend> {
    pen: Pen<'a, DB>,
    stage: Stage,
    scene: &'a Scene,
}

fn ink(fate: Fate) -> Ink {
    match fate {
        Fate::Meets => Ink::Goodput,
        Fate::Misses => Ink::P99,
        Fate::Unknown => Ink::Muted,
    }
}

impl<DB: DrawingBackend> View<'_, DB> {
    fn theme(&self) -> &Theme {
        self.pen.theme
    }

    fn colour(&self, fate: Fate) -> RGBColor {
        self.theme().colour(ink(fate))
    }

    /// What each part is, with its count.
    fn labels(&self) -> Drawn<DB> {
        let count = |number: usize| format::count(number as f64);
        let (met, missed) = self.scene.left();
        let [waiting, running, slots, met, missed] =
            [self.scene.waiting_count, self.scene.running.len(), self.scene.slots, met, missed].map(count);
        let drawn = self.stage.room().min(self.scene.waiting.len());
        let road = match drawn == self.scene.waiting_count {
            true => say("scene.waiting", &[("count", &waiting)]),
            false => say("scene.waiting.some", &[("count", &waiting), ("drawn", &count(drawn))]),
        };
        let labels = [
            (self.stage.road, road),
            (self.stage.slots, say("scene.slots", &[("running", &running), ("slots", &slots)])),
            (self.stage.exit, say("scene.left", &[("met", &met), ("missed", &missed)])),
        ];
        let letters = Letters { em: 13.0, bold: false, colour: self.theme().colour(Ink::Muted) };
        for (part, label) in labels {
            self.pen.text(&label, (part.left, part.top - self.stage.label * 3 / 5), Hold::Left, letters)?;
        }
        Ok(())
    }

    fn roads(&self) -> Drawn<DB> {
        let colour = self.theme().colour(Ink::Muted).mix(0.5);
        let (waiting, leaving) = (self.stage.waiting_lanes(), self.stage.leaving_lanes());
        for (road, lanes) in [(self.stage.road, waiting), (self.stage.exit, leaving)] {
            for y in self.stage.edges(road, lanes) {
                self.pen.across(y, (road.left, road.right), 1.0, false, colour)?;
            }
        }
        Ok(())
    }

    /// The slots, free and taken. While a prefill stops everyone a barrier stands on either side.
    fn slots(&self) -> Drawn<DB> {
        for cell in self.stage.cells(self.scene) {
            self.pen.fill(cell, self.theme().grid().to_rgba())?;
        }
        for running in &self.scene.running {
            if let Some(cell) = self.stage.running(running) {
                self.slot(running, cell)?;
            }
        }
        // One after the other, so that a canvas strokes them all at once.
        for running in self.scene.running.iter().filter(|running| running.fate == Fate::Misses) {
            if let Some(cell) = self.stage.running(running) {
                let sign = self.sign(cell);
                let radius = ((sign.right - sign.left) / 2).min((cell.bottom - cell.top) * 2 / 7);
                self.cross(((sign.left + sign.right) / 2, (sign.top + sign.bottom) / 2), radius)?;
            }
        }
        if self.scene.prefill.is_some() {
            let Box4 { left, top, right, bottom } = self.stage.slots;
            let colour = self.theme().colour(Ink::Ink).to_rgba();
            let away = self.theme().px(8.0);
            if self.stage.narrow {
                for y in [top - away / 2, bottom + away / 4] {
                    self.pen.across(y, (left, right), 3.0, false, colour)?;
                }
            } else {
                for x in [left - away, right + away / 2] {
                    self.pen.up(x, (top, bottom), 3.0, false, colour)?;
                }
            }
        }
        Ok(())
    }

    /// The end of a slot, where its sign stands.
    fn sign(&self, cell: Box4) -> Box4 {
        let width = self.theme().px(10.0).min((cell.right - cell.left) / 3);
        Box4 { left: cell.right - width - width / 4, right: cell.right - width / 4, ..cell }
    }

    /// A bar that grows with the tokens; hatched in its own prefill.
    fn slot(&self, running: &Running, cell: Box4) -> Drawn<DB> {
        let colour = self.colour(running.fate);
        let length = self.sign(cell).left - cell.left;
        let bar = |share: f64| Box4 { right: cell.left + (share * f64::from(length)).round() as i32, ..cell };
        let so_far = |tokens: u32| bar(f64::from(tokens) / f64::from(running.output));
        match running.stage {
            At::Admitted => self.outline(cell, 1.0, colour),
            At::Prefill { done, length } => {
                let share = done.as_nanos() as f64 / length.as_nanos().max(1) as f64;
                self.hatch(bar(share), colour)?;
                self.outline(cell, 2.0, self.theme().colour(Ink::Ink))
            }
            At::Stalled { tokens } if self.scene.pale => self.pen.fill(so_far(tokens), colour.mix(0.4)),
            At::Stalled { tokens } | At::Decoding { tokens } => self.pen.fill(so_far(tokens), colour.to_rgba()),
        }
    }

    fn outline(&self, Box4 { left, top, right, bottom }: Box4, css_px: f64, colour: RGBColor) -> Drawn<DB> {
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.pen.path(corners, css_px, false, colour)
    }

    /// Slanted lines.
    fn hatch(&self, Box4 { left, top, right, bottom }: Box4, colour: RGBColor) -> Drawn<DB> {
        let (step, height) = (self.theme().px(5.0), bottom - top);
        for foot in (left - height..right).step_by(step as usize) {
            // Each runs up to the right at 45 degrees, cut off at both sides.
            let (from, to) = (foot.max(left), (foot + height).min(right));
            if from < to {
                self.pen.path(vec![(from, bottom - (from - foot)), (to, bottom - (to - foot))], 1.5, false, colour)?;
            }
        }
        Ok(())
    }

    fn cross(&self, (x, y): (i32, i32), radius: i32) -> Drawn<DB> {
        let colour = self.colour(Fate::Misses);
        for slope in [-radius, radius] {
            self.pen.path(vec![(x - radius, y - slope), (x + radius, y + slope)], 2.0, false, colour)?;
        }
        Ok(())
    }

    /// Those who wait and those who left.
    fn marks(&self) -> Drawn<DB> {
        let places = || {
            let waiting = self.scene.waiting.iter().take(self.stage.room()).enumerate();
            let waiting = waiting.map(|(place, waiting)| (waiting.fate, self.stage.waiting(place)));
            waiting.chain(self.scene.leaving.iter().map(|leaving| (leaving.fate, self.stage.leaving(leaving))))
        };
        for (fate, at) in places().filter(|(fate, _)| *fate != Fate::Misses) {
            self.pen.disc(at, 4.5, self.colour(fate))?;
        }
        for (_, at) in places().filter(|(fate, _)| *fate == Fate::Misses) {
            self.cross(at, self.theme().px(4.0))?;
        }
        Ok(())
    }

    /// A frame around the request whose autopsy is open.
    fn selected(&self) -> Drawn<DB> {
        let is_it = |request: usize| self.scene.selected == Some(request);
        let ink = self.theme().colour(Ink::Ink);
        if let Some(running) = self.scene.running.iter().find(|running| is_it(running.request)) {
            let away = self.theme().px(1.0);
            return match self.stage.running(running) {
                Some(Box4 { left, top, right, bottom }) => {
                    let around =
                        Box4 { left: left - away, top: top - away, right: right + away, bottom: bottom + away };
                    self.outline(around, 3.0, ink)
                }
                None => Ok(()),
            };
        }
        let waiting = self.scene.waiting.iter().take(self.stage.room()).position(|waiting| is_it(waiting.request));
        let leaving = || self.scene.leaving.iter().find(|leaving| is_it(leaving.request));
        let place = waiting.map(|place| self.stage.waiting(place));
        if let Some((x, y)) = place.or_else(|| leaving().map(|leaving| self.stage.leaving(leaving))) {
            let away = self.theme().px(8.0);
            self.outline(Box4 { left: x - away, top: y - away, right: x + away, bottom: y + away }, 2.0, ink)?;
        }
        Ok(())
    }
}
