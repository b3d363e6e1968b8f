//! How to cite a state: as a sentence, and for BibTeX.

use goodput_sim::ENGINE_VERSION;

use crate::share::words;

/// The year of this version.
const YEAR: &str = "2026";

/// For a list of references, in plain text.
#[must_use]
pub fn plain(link: &str) -> String {
    words::citation(YEAR, &note(), link)
}

/// An entry for BibTeX. Whole names and titles stand in a second pair of braces: they are taken as they are.
#[must_use]
pub fn bibtex(link: &str) -> String {
    let (author, title, note) = (words::author(), words::lesson(), note());
    [
        "@misc{goodput_lab,\n  author = {{",
        &author,
        "}},\n  title = {{",
        &title,
        "}},\n  year = {",
        YEAR,
        "},\n  howpublished = {\\url{",
        link,
        "}},\n  note = {",
        &note,
        "}\n}",
    ]
    .concat()
}

/// With which version of the page, and of the engine.
fn note() -> String {
    words::version(env!("CARGO_PKG_VERSION"), &ENGINE_VERSION.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://lab.example/?rate=6&engine=1#lab-title";

    #[test]
    fn a_citation_says_who_what_when_and_which_version() {
        assert_eq!(
            plain(LINK),
            format!(
                "Goodput Lab (2026). How do you measure LLM serving, and why does latency explode near capacity? \
                 Version {}, engine {ENGINE_VERSION}. {LINK}",
                env!("CARGO_PKG_VERSION")
            )
        );
    }

    #[test]
    fn bibtex_has_its_braces_in_pairs() {
        let entry = bibtex(LINK);
        let lines: Vec<&str> = entry.lines().collect();
        assert_eq!(lines.len(), 7, "{entry}");
        assert_eq!((lines[0], lines[1]), ("@misc{goodput_lab,", "  author = {{Goodput Lab}},"));
        assert_eq!(lines[4], "  howpublished = {\\url{https://lab.example/?rate=6&engine=1#lab-title}},");
        assert_eq!(lines[5], format!("  note = {{Version {}, engine {ENGINE_VERSION}}}", env!("CARGO_PKG_VERSION")));
        assert_eq!(entry.matches('{').count(), entry.matches('}').count());
    }
}
