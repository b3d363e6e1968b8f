//! The other pages of the site, made out of the one that Trunk builds, and what stands beside them under its own name.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process::root;
use crate::{files, licences, offline, studies};

/// What is copied as it is, and to where: addresses that others write into their pages may carry no hash.
const COPIED: [(&str, &str); 3] = [("web/element", ""), ("web/adapters", "adapters"), ("web/authors", "authors")];

/// Writes them into the folder that Trunk is about to publish. Trunk calls it after each build.
///
/// # Errors
/// If Trunk did not say where, or a file cannot be read or written.
pub(crate) fn write() -> Result<()> {
    let stage = PathBuf::from(std::env::var_os("TRUNK_STAGING_DIR").context("only Trunk calls this, after a build")?);
    studies::write(&stage)?;
    let page = fs::read_to_string(stage.join("index.html")).context("cannot read the built index.html")?;
    fs::write(stage.join("embed.html"), embed(&page)?).context("cannot write embed.html")?;
    for (from, to) in COPIED.map(|(from, to)| (root().join(from), stage.join(to))) {
        if from.is_dir() {
            files::copy_all(&from, &to)?;
        }
    }
    files::write(&stage.join("LICENSES.txt"), licences::text()?)?;
    offline::write(&stage)
}

/// The page for frames is our own page, which shows of itself what the address asks for.
fn embed(page: &str) -> Result<String> {
    let (before, after) = page.split_once("<html").context("the built page has no <html>")?;
    let (attributes, after) = after.split_once('>').context("the built page's <html> has no end")?;
    let (head, rest) = after.split_once("<head>").context("the built page has no <head>")?;
    Ok(format!("{before}<html{attributes} data-embed>{head}<head><meta name=\"robots\" content=\"noindex\">{rest}"))
}

#[cfg(test)]
mod tests {
    use super::embed;

    #[test]
    fn the_page_for_frames_differs_in_its_head_alone() {
        let page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<title>A</title></head><body>B</body></html>";
        assert_eq!(
            embed(page).expect("a page"),
            "<!doctype html>\n<html lang=\"en\" data-embed>\n<head><meta name=\"robots\" content=\"noindex\">\n<title>A</title></head><body>B</body></html>"
        );
        assert!(embed("<p>").is_err());
    }
}
