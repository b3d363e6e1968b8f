//! The digests of a release, for people and for programs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, json};

use crate::digest::{integrity, sha256};
use crate::files;

/// The script that others load into their pages, and may want to pin.
const PINNED: &str = "goodput-lab.js";

/// A line for each file below a folder, as `sha256sum --check` reads it.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn lines(folder: &Path) -> Result<String> {
    let line = |name: &String| Ok(format!("{}  {name}\n", sha256(&files::bytes(&folder.join(name))?)));
    files::below(folder)?.iter().map(line).collect()
}

/// `release.json`: the version, the files with size and digest, and the integrity of the script.
///
/// # Errors
/// If a file cannot be read, or the script is not there.
pub(super) fn release(version: &str, site: &Path) -> Result<String> {
    let read = |name: String| files::bytes(&site.join(&name)).map(|content| (name, content));
    described(version, &files::below(site)?.into_iter().map(read).collect::<Result<_>>()?)
}

fn described(version: &str, contents: &BTreeMap<String, Vec<u8>>) -> Result<String> {
    let script = contents.get(PINNED).with_context(|| format!("the site has no {PINNED}"))?;
    let entry = |content: &Vec<u8>| json!({ "bytes": content.len(), "sha256": sha256(content) });
    let listed: Map<_, _> = contents.iter().map(|(name, content)| (name.clone(), entry(content))).collect();
    let release = json!({ "version": version, "integrity": { PINNED: integrity(script) }, "files": listed });
    Ok(serde_json::to_string_pretty(&release).context("a release is JSON")? + "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_release_lists_each_file_and_pins_the_script() {
        let contents = BTreeMap::from([("a/b.svg".to_owned(), vec![1, 2]), (PINNED.to_owned(), b"abc".to_vec())]);
        let release: Value = serde_json::from_str(&described("1.2.3", &contents).expect("whole")).expect("JSON");
        assert_eq!(release["version"], "1.2.3");
        assert_eq!(release["files"]["a/b.svg"], json!({ "bytes": 2, "sha256": sha256(&[1, 2]) }));
        assert_eq!(release["integrity"][PINNED], integrity(b"abc"));
        assert!(described("1.2.3", &BTreeMap::new()).is_err());
    }

    #[test]
    fn lines_are_those_of_sha256sum() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dist");
        let own = sha256(&files::bytes(&here.join("sums.rs")).expect("this file"));
        assert!(lines(&here).expect("readable").contains(&format!("{own}  sums.rs\n")));
    }
}
