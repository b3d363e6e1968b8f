//! The colour that a host page gives to what can be pressed, made readable on our own page.

use std::fmt;

/// Contrast that text needs against its page, 4.5 (WCAG 2.2, 1.4.3), and what our nearness to the exact curve takes.
const CONTRAST: f64 = 4.7;

/// The page in light and in dark [luminance, of 1]: `--page` in the style sheet.
const PAGE_LIGHT: f64 = 0.97;
const PAGE_DARK: f64 = 0.009;

/// Steps on the way to black or white.
const STEPS: u32 = 20;

/// A colour as a host page gives it [red, green, blue, each 0 to 255].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent([u8; 3]);

impl Accent {
    /// From `0b62a8` or `#0b62a8`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self([red, green, blue]))
    }

    /// The nearest shade that can be read on the light page.
    #[must_use]
    pub fn on_light(self) -> Self {
        self.shaded(0.0, |luminance| (PAGE_LIGHT + 0.05) / (luminance + 0.05))
    }

    /// The nearest shade that can be read on the dark page.
    #[must_use]
    pub fn on_dark(self) -> Self {
        self.shaded(255.0, |luminance| (luminance + 0.05) / (PAGE_DARK + 0.05))
    }

    /// The colour on its way to black or white, as soon as its contrast is enough.
    fn shaded(self, end: f64, contrast: impl Fn(f64) -> f64) -> Self {
        let at = |step: u32| {
            let share = f64::from(step) / f64::from(STEPS);
            Self(self.0.map(|channel| (f64::from(channel) * (1.0 - share) + end * share).round() as u8))
        };
        (0..STEPS).map(at).find(|shade| contrast(shade.luminance()) >= CONTRAST).unwrap_or(at(STEPS))
    }

    /// Relative luminance [of 1]. The square and a half stands for the exact curve of sRGB, which would bring a power
    /// function into the download; it is within 0.02 of it.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let share = f64::from(channel) / 255.0;
            share * share * (0.6 + 0.4 * share)
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Accent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::Accent;

    /// The exact curve.
    fn luminance(Accent(channels): Accent) -> f64 {
        let [red, green, blue] = channels.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { libm::pow((share + 0.055) / 1.055, 2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn every_colour_becomes_one_that_can_be_read() {
        let (light, dark) = (luminance(Accent([0xfc, 0xfc, 0xfa])), luminance(Accent([0x16, 0x17, 0x1a])));
        for red in (0..=255).step_by(15) {
            for green in (0..=255).step_by(15) {
                for blue in (0..=255).step_by(15) {
                    let accent = Accent([red, green, blue]);
                    let on_light = (light + 0.05) / (luminance(accent.on_light()) + 0.05);
                    let on_dark = (luminance(accent.on_dark()) + 0.05) / (dark + 0.05);
                    assert!(on_light >= 4.4 && on_dark >= 4.4, "{accent}: {on_light}, {on_dark}");
                }
            }
        }
    }

    #[test]
    fn a_colour_that_can_be_read_stays_as_it_is() {
        let blue = Accent::read("#0b62a8").expect("a colour");
        assert_eq!((blue.on_light(), blue.to_string()), (blue, "#0b62a8".to_owned()));
        let yellow = Accent::read("ffd500").expect("a colour");
        assert_eq!(yellow.on_dark(), yellow);
        for text in ["", "blue", "#12345", "#1234567", "12345g", "\u{e9}12345"] {
            assert_eq!(Accent::read(text), None, "{text}");
        }
    }
}
