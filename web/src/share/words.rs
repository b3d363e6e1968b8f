//! What the Share panel writes and says, from `text/en/share.txt`.

use std::sync::LazyLock;

use goodput_charts::{Phrases, format};

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(include_str!("../../text/en/share.txt")));

/// The title of a lab at this rate [requests/s] in somebody else's page.
#[must_use]
pub fn title(rate: f64) -> String {
    ENGLISH.say("title", &[("rate", &format::rate(rate))])
}

/// Who is cited.
#[must_use]
pub fn author() -> String {
    ENGLISH.say("author", &[])
}

/// What is cited.
#[must_use]
pub fn lesson() -> String {
    ENGLISH.say("lesson", &[])
}

/// Which version is cited.
#[must_use]
pub fn version(page: &str, engine: &str) -> String {
    ENGLISH.say("version", &[("page", page), ("engine", engine)])
}

/// A citation as a sentence.
#[must_use]
pub fn citation(year: &str, version: &str, link: &str) -> String {
    let (author, lesson) = (author(), lesson());
    let values =
        [("author", author.as_str()), ("year", year), ("lesson", &lesson), ("version", version), ("link", link)];
    ENGLISH.say("citation", &values)
}

/// What is said once a text was handed to the clipboard, or could not be.
#[must_use]
pub fn copied(done: bool) -> String {
    ENGLISH.say(if done { "copied" } else { "select" }, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_text() {
        assert_eq!(title(5.5), "Goodput Lab: LLM serving at 5.5 requests/s");
        assert_eq!(version("1.0.0", "2"), "Version 1.0.0, engine 2");
        assert_eq!(copied(true), "Copied.");
        assert_eq!(
            copied(false),
            "The browser does not let the page copy. The text is selected: press Ctrl+C (⌘C on a Mac)."
        );
    }
}
