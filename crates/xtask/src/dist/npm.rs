//! The package for npm: the module with stable names, its types, and the element.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{VERSION, hashed};
use crate::files;
use crate::node::Node;
use crate::process::{self, root};

/// The module, under a name that stays.
const WASM: &str = "goodput_lab_bg.wasm";

/// The element `<goodput-lab>` and its types, in the site under the same names.
const ELEMENT: [&str; 2] = ["goodput-lab.js", "goodput-lab.d.ts"];

/// Puts the package together and lets npm pack it into the folder `release`.
///
/// # Errors
/// If a file of the module is missing, or npm does not pack it.
pub(super) fn pack(node: &Node, site: &Path, release: &Path) -> Result<()> {
    let folder = root().join("target/npm");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("cannot empty target/npm")?;
    }
    let wasm = hashed(site, "goodput-web", ".wasm")?;
    let glue = hashed(site, "goodput-web", ".js")?;
    let types = hashed(site, "goodput-web", ".d.ts")?;
    files::write(&folder.join(WASM), files::bytes(&site.join(&wasm))?)?;
    files::write(&folder.join("goodput-lab.mjs"), renamed(&files::text(&site.join(glue))?)?)?;
    files::write(&folder.join("goodput-lab.d.mts"), files::bytes(&site.join(types))?)?;
    files::write(&folder.join("node.mjs"), include_str!("npm/node.mjs"))?;
    files::write(&folder.join("README.md"), include_str!("npm/README.md"))?;
    files::write(&folder.join("LICENSES.txt"), files::bytes(&site.join("LICENSES.txt"))?)?;
    for name in ELEMENT {
        files::write(&folder.join(name), files::bytes(&site.join(name))?)?;
    }
    files::write(&folder.join("package.json"), include_str!("npm/package.json").replace("{version}", VERSION))?;
    let mut pack = node.npm();
    pack.args(["pack", "--silent", "--ignore-scripts", "--pack-destination"]).arg(release).current_dir(&folder);
    process::run(&mut pack).context("npm did not pack the package")
}

/// The glue looks for the module beside itself, under the name it had when it was written.
fn renamed(glue: &str) -> Result<String> {
    const GIVEN: &str = "'goodput-web_bg.wasm'";
    if glue.matches(GIVEN).count() != 1 {
        bail!("the glue does not name {GIVEN} once: see what wasm-bindgen writes now");
    }
    Ok(glue.replace(GIVEN, &format!("'{WASM}'")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glue_finds_the_module_under_its_new_name() {
        let glue = "new URL('goodput-web_bg.wasm', import.meta.url);";
        assert_eq!(renamed(glue).expect("one name"), "new URL('goodput_lab_bg.wasm', import.meta.url);");
        assert!(renamed("fetch(name)").is_err());
    }
}
