//! One style sheet for the page, out of one file for each of its parts.

use std::fs;

use anyhow::{Context, Result};

use crate::process::root;

/// The parts, in the order of the page: `main` has the tokens and the lab, and a later one may refine an earlier one.
const PARTS: [&str; 10] =
    ["main", "lesson", "picture", "say", "guess", "goals", "studies", "incident", "share", "embed"];

/// Writes `target/style.css`, which `index.html` names. Trunk calls it before each build.
///
/// # Errors
/// If a part cannot be read or the sheet not written.
pub(crate) fn write() -> Result<()> {
    let folder = root().join("web/style");
    let mut sheet = String::new();
    for part in PARTS {
        let path = folder.join(part).with_extension("css");
        let part = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        sheet += &without_comments(&part);
    }
    let path = root().join("target/style.css");
    fs::create_dir_all(root().join("target")).context("cannot make target/")?;
    fs::write(&path, sheet).with_context(|| format!("cannot write {}", path.display()))
}

/// The comments are for those who write the sheets. None of our strings holds the sign of one.
fn without_comments(sheet: &str) -> String {
    let mut parts = sheet.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once("*/").map_or("", |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_nothing_else() {
        assert_eq!(without_comments("/* a */b { c: d } /* e\n */\nf"), "b { c: d } \nf");
        assert_eq!(without_comments("a"), "a");
    }

    #[test]
    fn no_part_is_forgotten() {
        let mut there: Vec<String> = fs::read_dir(root().join("web/style"))
            .expect("the styles")
            .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
            .collect();
        there.sort();
        let mut known = PARTS;
        known.sort();
        assert_eq!(there, known);
    }
}
