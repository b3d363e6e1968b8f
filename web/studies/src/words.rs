//! The words of the studies, from `text/en/studies.txt`: another language is another file.

use std::sync::LazyLock;

use goodput_charts::{Phrases, text_file};

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../text/en/studies.txt")));

/// The sentence of a key, each `{name}` replaced by its value.
#[must_use]
pub fn say(key: &str, values: &[(&str, &str)]) -> String {
    ENGLISH.say(key, values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// Every literal after `say(` in the sources of this crate.
    fn used(folder: &Path, keys: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                used(&path, keys);
            } else if !path.ends_with("words.rs") {
                let source = fs::read_to_string(path).expect("a source");
                let calls = source.split("say(").skip(1).filter_map(|call| call.trim_start().strip_prefix('"'));
                keys.extend(calls.filter_map(|call| call.split_once('"')).map(|(key, _)| key.to_owned()));
            }
        }
    }

    #[test]
    fn every_key_has_a_sentence_and_every_sentence_a_use() {
        let mut keys = BTreeSet::new();
        used(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut keys);
        let lines = include_str!("../text/en/studies.txt").lines().filter(|line| !line.starts_with('#'));
        let known = lines.filter_map(|line| line.split_once(" = ")).map(|(key, _)| key.to_owned()).collect();
        assert_eq!(keys, known);
    }
}
