//! Digits and separators of the page's language.

use std::sync::OnceLock;

static NUMERALS: OnceLock<Numerals> = OnceLock::new();

/// How a language writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numerals {
    /// Between the whole part and the rest.
    pub decimal: char,
    /// Before each three digits of the whole part.
    pub group: char,
    /// Its zero; the other digits follow it.
    pub zero: char,
}

impl Numerals {
    /// English, in which all figures are made.
    pub const ENGLISH: Self = Self { decimal: '.', group: ',', zero: '0' };

    /// From now on all figures are written so. The first call counts: a page has one language.
    pub fn set(self) {
        NUMERALS.get_or_init(|| self);
    }

    /// A figure in English, written so.
    fn write(self, figure: &str) -> String {
        let digit = |digit| char::from_u32(self.zero as u32 + digit).unwrap_or(self.zero);
        figure
            .chars()
            .map(|character| match character {
                '.' => self.decimal,
                ',' => self.group,
                _ => character.to_digit(10).map_or(character, digit),
            })
            .collect()
    }
}

/// A figure as the page's language writes it.
pub(crate) fn localized(figure: String) -> String {
    match NUMERALS.get() {
        Some(numerals) if *numerals != Numerals::ENGLISH => numerals.write(&figure),
        _ => figure,
    }
}

#[cfg(test)]
mod tests {
    use super::Numerals;

    #[test]
    fn other_languages_write_the_same_number() {
        let german = Numerals { decimal: ',', group: '.', zero: '0' };
        assert_eq!(german.write("1,234.5 s"), "1.234,5 s");
        let arabic = Numerals { decimal: '٫', group: '٬', zero: '٠' };
        assert_eq!(arabic.write("1,004.2"), "١٬٠٠٤٫٢");
        assert_eq!(Numerals::ENGLISH.write("> 99.9 %"), "> 99.9 %");
    }
}
