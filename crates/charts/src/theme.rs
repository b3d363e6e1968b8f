//! Colours, font and lengths.

use plotters::style::RGBColor;

/// The font of every label: what the reader's system uses itself, so nothing is loaded.
pub const FONT_FAMILY: &str = "system-ui, sans-serif";

/// plotters gives a font's size as the height of a line; its SVG backend divides by this number to get the CSS
/// `font-size` (one em). A backend of one's own must do the same, or its letters come out larger.
pub const LINE_HEIGHT_PER_EM: f64 = 1.24;

/// Light or dark page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Dark ink on a light page.
    Light,
    /// Light ink on a dark page.
    Dark,
}

/// What a colour stands for. The page's prose uses the same colours for the same things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Tokens per second; the running batch that makes them.
    Throughput,
    /// Medians.
    P50,
    /// 99th percentiles.
    P99,
    /// Goodput and SLO attainment.
    Goodput,
    /// Limits and references: SLO, capacity, the offered load.
    Slo,
    /// Text, and the reader's own marks.
    Ink,
    /// Axes and notes.
    Muted,
}

/// How a chart is painted: a colour scheme, and how many drawing units make one CSS pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    scheme: Scheme,
    pixel_ratio: f64,
    subpixels: u32,
}

impl Theme {
    /// A theme for a screen with `pixel_ratio` device pixels to a CSS pixel; the drawing unit is the device pixel.
    /// A ratio that is no positive number counts as 1.
    #[must_use]
    pub fn new(scheme: Scheme, pixel_ratio: f64) -> Self {
        let pixel_ratio = if pixel_ratio.is_finite() && pixel_ratio > 0.0 { pixel_ratio } else { 1.0 };
        Self { scheme, pixel_ratio, subpixels: 1 }
    }

    /// The same with `subpixels` drawing units to a device pixel, for a backend that divides every coordinate by it.
    ///
    /// plotters knows whole units only; with whole pixels a flat curve turns into a staircase.
    #[must_use]
    pub fn subdivided(self, subpixels: u32) -> Self {
        Self { subpixels: subpixels.max(1), ..self }
    }

    /// The same with every length and letter `times` as large.
    #[must_use]
    pub(crate) fn magnified(self, times: f64) -> Self {
        Self { pixel_ratio: self.pixel_ratio * times, ..self }
    }

    /// Light or dark.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Drawing units in one CSS pixel.
    #[must_use]
    pub fn units_per_css_px(&self) -> f64 {
        self.pixel_ratio * f64::from(self.subpixels)
    }

    /// A length in CSS pixels as drawing units, rounded; a positive length never vanishes.
    #[must_use]
    pub fn px(&self, css_px: f64) -> i32 {
        let units = (css_px * self.units_per_css_px()).round() as i32;
        if css_px > 0.0 { units.max(1) } else { units }
    }

    /// A stroke's width in CSS pixels as whole device pixels, at least one, in drawing units: straight lines of such a
    /// width between [`Theme::snap`]ped edges are crisp.
    #[must_use]
    pub(crate) fn hairline(&self, css_px: f64) -> i32 {
        let device_px = (css_px * self.pixel_ratio).floor().max(1.0);
        device_px as i32 * self.subpixels as i32
    }

    /// The edge of a device pixel at or before a coordinate [drawing units].
    #[must_use]
    pub(crate) fn snap(&self, coordinate: i32) -> i32 {
        coordinate - coordinate.rem_euclid(self.subpixels as i32)
    }

    /// The size to give plotters for letters of `em` CSS pixels [drawing units].
    #[must_use]
    pub(crate) fn font_size(&self, em: f64) -> f64 {
        em * self.units_per_css_px() * LINE_HEIGHT_PER_EM
    }

    /// The page behind the charts.
    #[must_use]
    pub fn page(&self) -> RGBColor {
        self.pick(0xFCFCFA, 0x16171A)
    }

    /// The horizontal grid: to be seen when looked for.
    #[must_use]
    pub fn grid(&self) -> RGBColor {
        self.pick(0xE6E4DE, 0x2C2D31)
    }

    /// The colour of a role. All reach a contrast of 4.5 to 1 on the page.
    #[must_use]
    pub fn colour(&self, ink: Ink) -> RGBColor {
        match ink {
            Ink::Throughput => self.pick(0x0B62A8, 0x6CB6FF),
            Ink::P50 => self.pick(0x6B46A5, 0xBFA3F5),
            Ink::P99 => self.pick(0xC2410C, 0xFF8A5B),
            Ink::Goodput => self.pick(0x2E7D32, 0x7CC98A),
            Ink::Slo => self.pick(0x6B6B6B, 0xA0A0A0),
            Ink::Ink => self.pick(0x1C1B19, 0xECEAE4),
            Ink::Muted => self.pick(0x5F5B53, 0xA9A59B),
        }
    }

    /// One of two colours, each 0xRRGGBB.
    fn pick(&self, light: u32, dark: u32) -> RGBColor {
        let [_, red, green, blue] = match self.scheme {
            Scheme::Light => light,
            Scheme::Dark => dark,
        }
        .to_be_bytes();
        RGBColor(red, green, blue)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ink, Scheme, Theme};

    #[test]
    fn lengths_follow_the_pixel_ratio() {
        let theme = Theme::new(Scheme::Light, 1.5);
        assert_eq!((theme.px(10.0), theme.px(0.1), theme.px(0.0), theme.px(-4.0)), (15, 1, 0, -6));
        assert_eq!(theme.subdivided(4).px(10.0), 60);
        assert_eq!(Theme::new(Scheme::Light, f64::NAN).px(10.0), 10);
    }

    #[test]
    fn straight_lines_fall_on_device_pixels() {
        let theme = Theme::new(Scheme::Light, 1.5).subdivided(4);
        assert_eq!((theme.hairline(1.0), theme.hairline(2.0)), (4, 12));
        assert_eq!((theme.snap(7), theme.snap(8), theme.snap(-1)), (4, 8, -4));
    }

    #[test]
    fn every_role_can_be_read_on_the_page() {
        // WCAG 2: relative luminance; the sRGB curve is near enough to a power of 2.2 to tell 4.5 from 4.
        let luminance = |colour: plotters::style::RGBColor| {
            let linear = |channel: u8| libm::pow(f64::from(channel) / 255.0, 2.2);
            0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
        };
        for scheme in [Scheme::Light, Scheme::Dark] {
            let theme = Theme::new(scheme, 1.0);
            for ink in [Ink::Throughput, Ink::P50, Ink::P99, Ink::Goodput, Ink::Slo, Ink::Ink, Ink::Muted] {
                let (a, b) = (luminance(theme.page()), luminance(theme.colour(ink)));
                assert!((a.max(b) + 0.05) / (a.min(b) + 0.05) >= 4.5, "{scheme:?} {ink:?}");
            }
        }
    }
}
