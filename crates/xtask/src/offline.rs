//! The service worker with the list of what it keeps (`web/sw.js`).

use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::digest::hex;
use crate::files;
use crate::page_files::named_by;
use crate::process::root;

/// What the page asks for only once the box is ticked.
const INSTALLED: [&str; 4] = ["manifest.webmanifest", "icons/icon.svg", "icons/icon-192.png", "icons/icon-512.png"];

/// Writes the worker of the site in `stage`.
///
/// # Errors
/// If a file that it shall keep is not there, or it cannot be written.
pub(crate) fn write(stage: &Path) -> Result<()> {
    let page = files::text(&stage.join("index.html"))?;
    let source = files::text(&root().join("web/sw.js"))?;
    let mut names = named_by(&page, stage)?;
    // Another page is another visit, and pages for frames are never kept.
    names.retain(|name| !name.ends_with(".html"));
    names.extend(INSTALLED.map(str::to_owned));

    let mut digest = Sha256::new();
    digest.update(&page);
    for name in &names {
        digest.update(name);
        digest.update(files::bytes(&stage.join(name))?);
    }
    let release = format!("{}-{}", env!("CARGO_PKG_VERSION"), &hex(&digest.finalize())[..12]);
    files::write(&stage.join("sw.js"), worker(&release, names.iter().map(String::as_str), &source)?)
}

/// The page itself goes by the name of its folder: some hosts lead from `index.html` there, and a browser shows no page
/// that was led elsewhere.
fn worker<'a>(release: &str, names: impl Iterator<Item = &'a str>, source: &str) -> Result<String> {
    let names: Vec<&str> = std::iter::once("./").chain(names).collect();
    let names = serde_json::to_string(&names).context("names are text")?;
    Ok(format!("const RELEASE = \"{release}\";\nconst FILES = {names};\n{source}"))
}

#[cfg(test)]
mod tests {
    use super::worker;

    #[test]
    fn the_worker_knows_its_release_and_its_files() {
        let text = worker("1.0.0-abc", ["a.js", "still/b.svg"].into_iter(), "go();\n").expect("names are text");
        assert_eq!(text, "const RELEASE = \"1.0.0-abc\";\nconst FILES = [\"./\",\"a.js\",\"still/b.svg\"];\ngo();\n");
    }
}
