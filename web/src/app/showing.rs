//! What a lab shows: one animation frame at a time, and all at once on paper.

use goodput_charts::{ChartId, Scheme};
use wasm_bindgen::prelude::*;

use crate::app::{App, Paint};
use crate::callbacks::after_ms;
use crate::dom::now_ms;
use crate::failure::report_failure;
use crate::lab::worded;
use crate::panel::Panel;

/// Least time between two `lab-change` events [ms].
const CHANGE_MS: f64 = 100.0;
/// How long the curves may take of one frame [ms]: a lone server's are done by then, those of many go on in the next.
const CURVE_MS: f64 = 30.0;

impl App {
    pub(super) fn resize(&mut self, index: usize, css_width: f64, device: (f64, f64)) {
        let scheme = self.scheme.get();
        let other = self.panels.get_mut(index).is_some_and(|panel| panel.resize(css_width, device, scheme));
        if other {
            self.next_paint = Paint::All;
        }
        self.request_frame();
    }

    /// Takes whether a panel is seen, or after all panels a line of the prose.
    pub(super) fn see(&mut self, index: usize, is: bool) {
        let panels = self.panels.len();
        if let Some(panel) = self.panels.get_mut(index) {
            panel.see(is);
            self.sentences.due(index);
        } else {
            self.prose.see(index - panels, is);
            // The prose has the last turn.
            self.sentences.due(panels + 1);
        }
        self.request_frame();
    }

    pub(super) fn recolour(&mut self) {
        let scheme = self.scheme.get();
        for panel in &mut self.panels {
            panel.recolour(scheme);
        }
        self.recolour_pictures(scheme);
        self.next_paint = Paint::All;
        self.request_frame();
    }

    /// On paper the charts are drawn as lines, on white, whatever the screen's colours.
    pub(super) fn before_print(&mut self) {
        while self.model.is_growing() {
            self.show(Paint::InSight);
        }
        self.show(Paint::All);
        for (panel, chart) in self.panels.iter().zip(self.model.charts()) {
            panel.put_on_paper(chart, &self.model);
        }
        self.recolour_pictures(Scheme::Light);
    }

    pub(super) fn after_print(&mut self) {
        self.panels.iter().for_each(Panel::clear_paper);
        self.recolour_pictures(self.scheme.get());
    }

    /// Paints at once, in other colours, what is a canvas on paper too: the moving picture and the guessed line. A printer
    /// does not wait for a frame.
    pub(super) fn recolour_pictures(&mut self, scheme: Scheme) {
        if let Some(picture) = &mut self.picture {
            picture.recolour(scheme);
            picture.follow(&self.model.run(), true);
        }
        if let Some(guess) = &mut self.guess {
            guess.recolour(scheme);
            guess.show(self.model.is_covered()).unwrap_or_else(|failure| report_failure(&failure));
        }
    }

    pub(super) fn request_frame(&mut self) {
        if self.frame.is_none() {
            let handle = self.handle.clone();
            self.frame = Some(gloo_render::request_animation_frame(move |_| handle.frame()));
        }
    }

    pub(super) fn frame(&mut self) {
        self.frame = None;
        let paint = std::mem::replace(&mut self.next_paint, Paint::InSight);
        self.show(paint);
        if self.untold && self.telling.is_none() && now_ms() - self.told_at >= CHANGE_MS {
            // Pixels first: those who listen are told when the frame is on its way.
            let handle = self.handle.clone();
            self.telling = Some(after_ms(0, move || {
                handle.with(Self::tell);
            }));
        }
    }

    /// Simulates what is wanted and shows it.
    pub(super) fn show(&mut self, paint: Paint) {
        let grew = self.model.is_growing();
        let until = now_ms() + CURVE_MS;
        // Every rate on the slider is valid on every draw; were one not, the last picture would stay.
        let simulated = self.model.simulate_while(&mut || now_ms() < until).unwrap_or_else(|refusal| {
            report_failure(&worded(&refusal));
            false
        });
        match (grew, self.model.is_growing()) {
            (_, true) => self.request_frame(),
            (true, false) if self.settling.is_none() => self.grown(),
            _ => {}
        }
        self.controls.show(&self.model);
        self.readouts.show(&self.model);
        self.levers.show(&self.model).unwrap_or_else(|failure| report_failure(&failure));
        self.root.toggle_attribute_with_force("data-lesson-beside", self.model.shows_the_lesson()).ok();
        self.show_beside().unwrap_or_else(|failure| report_failure(&failure));
        for index in 0..self.panels.len() {
            if paint == Paint::All || self.panels[index].is_seen() {
                self.show_panel(index);
            }
        }
        self.table.show(&self.model).unwrap_or_else(|failure| report_failure(&failure));
        if let Some(picture) = self.picture.as_mut().filter(|_| simulated || paint == Paint::All) {
            picture.follow(&self.model.run(), paint == Paint::All);
        }
        if let Some(guess) = &mut self.guess {
            guess.show(self.model.is_covered()).unwrap_or_else(|failure| report_failure(&failure));
        }
        self.show_sentences(simulated, paint);
    }

    /// Shows a chart and the values read off it.
    pub(super) fn show_panel(&mut self, index: usize) {
        let Some(panel) = self.panels.get_mut(index) else { return };
        if panel.id == ChartId::Time {
            self.model.follow_time();
        }
        let Some(chart) = self.model.charts().nth(index) else { return };
        panel.show_readout(chart, &self.model);
        panel.paint(chart, &self.model).unwrap_or_else(|failure| report_failure(&failure));
    }

    /// Shows what stands beside the run, and goes on with what of it is not simulated yet.
    pub(super) fn show_beside(&mut self) -> Result<(), JsValue> {
        match self.model.advance_draws() {
            Ok(true) => self.request_frame(),
            Ok(false) => {}
            Err(refusal) => return Err(worded(&refusal)),
        }
        let (scheme, handle) = (self.scheme.get(), self.handle.clone());
        self.beside.show(&self.model, scheme, move |msg| handle.send(msg))
    }

    /// Shows the sentences that are due and in sight: all of them, or while something moves one in each frame. Others are
    /// due again when they come into sight.
    fn show_sentences(&mut self, simulated: bool, paint: Paint) {
        let moves = simulated && paint == Paint::InSight;
        let verdict = self.panels.len();
        while let Some(index) = self.sentences.take() {
            match self.panels.get(index) {
                Some(panel) => {
                    if !moves || panel.is_seen() {
                        panel.show_headline(&self.model);
                    }
                }
                None if index == verdict => self.readouts.show_words(&self.model),
                None if moves && !self.prose.is_seen() => {}
                None => {
                    self.prose.show(&self.model);
                    self.little.show(&self.model);
                }
            }
            if moves && self.sentences.any_due() {
                self.request_frame();
                return;
            }
        }
    }
}
