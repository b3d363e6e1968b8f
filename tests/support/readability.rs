//! How hard a text is to read: the Flesch-Kincaid grade, as years of school.
//!
//! Kincaid, Fishburne, Rogers and Chissom, "Derivation of New Readability Formulas", Naval Technical Training Command,
//! Research Branch Report 8-75, 1975.

/// Counts over some blocks of prose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Whatever stands between spaces and holds a letter or a digit.
    pub words: usize,
    /// Ends of sentences; a block of text ends one in any case.
    pub sentences: usize,
    /// Syllables of all words.
    pub syllables: usize,
}

impl Counts {
    /// Adds one block: a paragraph or an entry of a list.
    pub fn add(&mut self, block: &str) {
        let mut open = false;
        for token in block.split_whitespace() {
            if token.chars().any(char::is_alphanumeric) {
                self.words += 1;
                self.syllables += syllables(token);
                open = true;
            }
            // A decimal point stands inside its word, so it ends nothing.
            if open && token.trim_end_matches(['”', '"', '’', ')']).ends_with(['.', '!', '?']) {
                self.sentences += 1;
                open = false;
            }
        }
        self.sentences += usize::from(open);
    }

    /// The grade: 0.39 words a sentence + 11.8 syllables a word - 15.59. Of no words it is not a number.
    #[must_use]
    pub fn grade(self) -> f64 {
        let [words, sentences, syllables] = [self.words, self.sentences, self.syllables].map(|count| count as f64);
        0.39 * words / sentences + 11.8 * syllables / words - 15.59
    }
}

/// Syllables of a word, by the usual rule of thumb: groups of vowels, less the silent ones at the end.
///
/// Parts of a compound are counted one by one. A number or an abbreviation counts as one syllable, as most programs for
/// this have it.
#[must_use]
pub fn syllables(word: &str) -> usize {
    if !word.chars().any(char::is_alphabetic) {
        return 1;
    }
    word.replace(['’', '\''], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(of_part)
        .sum()
}

fn of_part(part: &str) -> usize {
    let letters: Vec<char> = part.to_lowercase().chars().collect();
    let vowel = |i: usize| matches!(letters.get(i), Some('a' | 'e' | 'i' | 'o' | 'u' | 'y'));
    let groups = (0..letters.len()).filter(|&i| vowel(i) && !(i > 0 && vowel(i - 1))).count();
    let text: String = letters.iter().collect();
    // "me-di-an", but "spe-cial" and "par-tial".
    let apart = ["dia", "ria", "via", "nia"].iter().filter(|pair| text.contains(*pair)).count();
    groups.saturating_sub(usize::from(ends_silent(&text, vowel))).max(1) + apart
}

/// Whether the last vowel is not heard: "wave", "waves", "served"; but "table", "batches", "waited".
fn ends_silent(text: &str, vowel: impl Fn(usize) -> bool) -> bool {
    let after_consonant = |stem: &str| stem.chars().count().checked_sub(1).is_some_and(|last| !vowel(last));
    let syllabic_l =
        |stem: &str| stem.strip_suffix('l').is_some_and(|start| after_consonant(start) && !start.ends_with(['l', 'r']));
    if let Some(stem) = text.strip_suffix('e') {
        after_consonant(stem) && !syllabic_l(stem)
    } else if let Some(stem) = text.strip_suffix("es") {
        let hissing = ["s", "x", "z", "ch", "sh", "c", "g"].iter().any(|sound| stem.ends_with(sound));
        after_consonant(stem) && !hissing && !syllabic_l(stem)
    } else if let Some(stem) = text.strip_suffix("ed") {
        after_consonant(stem) && !stem.ends_with(['t', 'd']) && !syllabic_l(stem)
    } else {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, syllables};

    #[test]
    fn syllables_of_known_words() {
        let known = [
            (1, "the wait queue served used times road grows need whole p99 TTFT 1,142 5.84 pulled curled one's"),
            (
                2,
                "throughput goodput request table prefill decode server batches waited people tables reply token pages",
            ),
            (3, "latency median percentile batches/s user-side"),
            (4, "capacity simulated"),
        ];
        for (count, words) in known {
            for word in words.split(' ') {
                assert_eq!(syllables(word), count, "{word}");
            }
        }
    }

    #[test]
    fn sentences_end_with_their_mark_or_their_block() {
        let mut counts = Counts::default();
        counts.add("It waits 1.23 s. Why? “Because of the queue.” And so");
        counts.add("a b – c");
        assert_eq!((counts.words, counts.sentences), (4 + 1 + 4 + 2 + 3, 5));
        counts.add("");
        assert_eq!(counts.sentences, 5);
    }

    #[test]
    fn the_grade_is_the_published_formula() {
        let mut counts = Counts::default();
        counts.add("The cat sat on the mat.");
        assert_eq!(counts, Counts { words: 6, sentences: 1, syllables: 6 });
        assert!((counts.grade() - (0.39 * 6.0 + 11.8 - 15.59)).abs() < 1e-12);
        let mut harder = Counts::default();
        harder.add("Simulated utilisation misrepresents availability considerations notwithstanding simultaneity.");
        assert!(harder.grade() > 20.0);
    }
}
