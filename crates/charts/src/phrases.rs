//! The words, from `text/en.txt`: another language is another file.

use std::sync::LazyLock;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(crate::text_file!("../text/en.txt")));

/// A text file beside the sources, without its comments: they are for translators, and every visitor would download them.
#[macro_export]
macro_rules! text_file {
    ($path:literal) => {{
        const FILE: &str = include_str!($path);
        const KEPT: ([u8; FILE.len()], usize) = $crate::without_comments(FILE);
        const TEXT: [u8; KEPT.1] = *KEPT.0.first_chunk().expect("what is kept is a part");
        const {
            match core::str::from_utf8(&TEXT) {
                Ok(text) => text,
                Err(_) => panic!("whole lines were taken out"),
            }
        }
    }};
}

/// The bytes of a file but for the lines that begin with `#`, and how many they are. For [`text_file`](crate::text_file).
#[must_use]
pub const fn without_comments<const N: usize>(file: &str) -> ([u8; N], usize) {
    let file = file.as_bytes();
    let (mut kept, mut len) = ([0; N], 0);
    let (mut at, mut starts_line, mut in_comment) = (0, true, false);
    while at < file.len() {
        let byte = file[at];
        in_comment = if starts_line { byte == b'#' } else { in_comment };
        if !in_comment {
            kept[len] = byte;
            len += 1;
        }
        starts_line = byte == b'\n';
        at += 1;
    }
    (kept, len)
}

/// Sentences by key, read from a text file.
#[derive(Clone, Debug)]
pub struct Phrases(Vec<(&'static str, &'static str)>);

impl Phrases {
    /// Lines `key = sentence`; empty lines and lines that begin with `#` are left out.
    #[must_use]
    pub fn read(file: &'static str) -> Self {
        let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once('='));
        Self(pairs.map(|(key, sentence)| (key.trim(), sentence.trim())).collect())
    }

    // There are some ninety of them, so looking through them all is as fast as any map, and smaller.
    fn get(&self, key: &str) -> Option<&'static str> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, sentence)| *sentence)
    }

    /// The sentence of a key, each `{name}` replaced by its value.
    ///
    /// A key that is missing reads as itself; the tests see to it that none is.
    #[must_use]
    pub fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        let Some(sentence) = self.get(key) else {
            debug_assert!(false, "no sentence for {key}");
            return key.to_owned();
        };
        let mut out = String::with_capacity(sentence.len() + 16 * values.len());
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            let value = values.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
            debug_assert!(value.is_some(), "{key} asks for {name}");
            out.push_str(before);
            out.push_str(value.unwrap_or_default());
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// This crate's sentence of a key.
pub(crate) fn say(key: &str, values: &[(&str, &str)]) -> String {
    ENGLISH.say(key, values)
}

/// A small number in words; `None` from where on digits read better.
pub(crate) fn number_word(number: u32) -> Option<&'static str> {
    ENGLISH.get("numbers").and_then(|words| words.split_whitespace().nth(number as usize))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::{ENGLISH, Phrases, number_word, without_comments};

    #[test]
    fn comments_are_left_behind() {
        let file = "# é\na = 1 # one\n\n#\nb = é\n# end";
        let kept = "a = 1 # one\n\nb = é\n";
        assert_eq!(without_comments::<64>(file).0[..kept.len()], *kept.as_bytes());
        assert_eq!(without_comments::<64>(file).1, kept.len());
    }

    #[test]
    fn lines_become_sentences() {
        let phrases = Phrases::read("# note\n\n a.b = x = {y}\n");
        assert_eq!(phrases.0.into_iter().collect::<Vec<_>>(), [("a.b", "x = {y}")]);
    }

    #[test]
    fn numbers_have_words_up_to_twelve() {
        assert_eq!((number_word(0), number_word(9), number_word(12)), (Some("zero"), Some("nine"), Some("twelve")));
        assert_eq!(number_word(13), None);
    }

    /// Reads this crate's own sources: the keys are the string literals after `say(`.
    #[test]
    fn every_key_has_a_sentence_and_every_sentence_a_use() {
        let mut used = BTreeSet::from(["numbers".to_owned()]);
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.ends_with("phrases.rs") {
                continue;
            }
            let source = fs::read_to_string(path).expect("a source");
            let calls = source.split("say(").skip(1).filter_map(|call| call.trim_start().strip_prefix('"'));
            used.extend(calls.filter_map(|call| call.split_once('"')).map(|(key, _)| key.to_owned()));
        }
        let known: BTreeSet<_> = ENGLISH.0.iter().map(|(key, _)| (*key).to_owned()).collect();
        let missing: Vec<_> = used.difference(&known).collect();
        let unused: Vec<_> = known.difference(&used).collect();
        assert!(missing.is_empty() && unused.is_empty(), "missing: {missing:?}, unused: {unused:?}");
    }
}
