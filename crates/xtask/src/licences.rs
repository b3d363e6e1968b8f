//! The licences of everything that is in the page's two WebAssembly modules, with their texts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::cargo::cargo;
use crate::files;
use crate::process::{self, root};
use crate::targets;

/// Beginnings of the names under which crates keep their licences.
const NAMES: [&str; 5] = ["license", "licence", "copying", "copyright", "notice"];

/// One crate and the texts that it carries.
#[derive(Clone, Debug)]
struct Software {
    title: String,
    texts: Vec<String>,
}

/// The whole text of `LICENSES.txt`.
///
/// # Errors
/// If cargo does not answer, or a crate is found whose licence we cannot show.
pub(crate) fn text() -> Result<String> {
    let metadata = metadata()?;
    let mut all = vec![ours()?, standard_library()?];
    for (name, version) in crates_of_the_page()? {
        let package = metadata.packages.iter().find(|package| package.name == name && is_version(package, &version));
        let package = package.with_context(|| format!("cargo metadata does not know {name} {version}"))?;
        if package.source.is_some() {
            all.push(read(package)?);
        }
    }
    Ok(write(&all))
}

fn metadata() -> Result<Metadata> {
    let filter = ["--filter-platform", targets::PAGE].map(str::to_owned);
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).other_options(filter);
    command.exec().context("cargo metadata failed")
}

/// Names and versions as they are compiled for the page: macros run in the compiler and leave nothing of themselves.
fn crates_of_the_page() -> Result<Vec<(String, String)>> {
    let mut tree = cargo(["tree", "--quiet", "--package", "goodput-web", "--package", "goodput-studies"]);
    tree.args(["--edges", "normal,no-proc-macro"]);
    tree.args(["--target", targets::PAGE, "--prefix", "none", "--format", "{p}"]);
    let tree = process::output(&mut tree).context("cargo tree failed")?;
    let mut crates: Vec<_> = tree.lines().filter_map(name_and_version).collect();
    crates.sort();
    crates.dedup();
    Ok(crates)
}

/// Of a line such as "libm v0.2.16 (*)".
fn name_and_version(line: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some((name.to_owned(), version.to_owned()))
}

fn is_version(package: &Package, version: &str) -> bool {
    package.version.to_string() == version
}

fn ours() -> Result<Software> {
    let texts = ["LICENSE-APACHE", "LICENSE-MIT"].map(|name| files::text(&root().join(name)));
    let title = format!("Goodput Lab {} (MIT OR Apache-2.0)", env!("CARGO_PKG_VERSION"));
    Ok(Software { title, texts: texts.into_iter().collect::<Result<_>>()? })
}

/// It is linked into every program, and cargo does not list it.
fn standard_library() -> Result<Software> {
    let version = process::output(process::command("rustc").arg("--version")).context("rustc does not answer")?;
    let version = version.split(' ').nth(1).unwrap_or_default();
    let parts = "with compiler-builtins, dlmalloc and hashbrown";
    let title = format!("The standard library of Rust {version}, {parts} (MIT OR Apache-2.0)");
    Ok(Software { title, texts: vec![apache()?] })
}

fn apache() -> Result<String> {
    files::text(&root().join("LICENSE-APACHE"))
}

fn read(package: &Package) -> Result<Software> {
    let expression = package.license.as_deref().with_context(|| format!("{} names no licence", package.name))?;
    let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
    let mut texts = licence_files(folder.as_std_path())?;
    if texts.is_empty() {
        // The Apache licence names no holder: its text is the same for all.
        if !expression.contains("Apache-2.0") {
            bail!("{} {} carries no text of its licence, {expression}", package.name, package.version);
        }
        texts.push(apache()?);
    }
    let address = package.repository.as_deref().map(|address| format!(", {address}")).unwrap_or_default();
    let title = format!("{} {} ({expression}){address}", package.name, package.version);
    Ok(Software { title, texts })
}

fn licence_files(folder: &Path) -> Result<Vec<String>> {
    let listing = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = listing.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.is_file() && is_licence(&path.file_name().unwrap_or_default().to_string_lossy()));
    paths.sort();
    paths.iter().map(|path| files::text(path)).collect()
}

fn is_licence(name: &str) -> bool {
    let name = name.to_lowercase();
    NAMES.iter().any(|start| name.starts_with(start))
}

/// The list, then each text once, with the numbers of those that carry it.
fn write(all: &[Software]) -> String {
    let mut texts: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for (index, software) in all.iter().enumerate() {
        for text in &software.texts {
            // Copies differ in how they break their lines.
            let words = text.split_whitespace().collect();
            let place = *places.entry(words).or_insert_with(|| {
                texts.push((text, Vec::new()));
                texts.len() - 1
            });
            texts[place].1.push(index + 1);
        }
    }
    let list: String = all.iter().enumerate().map(|(i, one)| format!("{:>3}  {}\n", i + 1, one.title)).collect();
    let rule = "-".repeat(80);
    let texts: String = texts
        .iter()
        .map(|(text, owners)| {
            let owners: Vec<String> = owners.iter().map(usize::to_string).collect();
            format!("\n{rule}\nOf {}:\n\n{}\n", owners.join(", "), text.replace('\r', "").trim_end())
        })
        .collect();
    format!("The software in the page of Goodput Lab, and its licences. The texts follow the list.\n\n{list}{texts}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_stands_once_with_all_its_owners() {
        let one = |title: &str, texts: &[&str]| Software {
            title: title.into(),
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
        };
        let text = write(&[one("a 1", &["Do what\nyou like"]), one("b 2", &["Do what you\r\nlike", "Or not"])]);
        assert_eq!(text.matches("like").count(), 1);
        assert!(text.contains("  1  a 1\n  2  b 2\n"), "{text}");
        assert!(text.contains("Of 1, 2:\n\nDo what\nyou like\n"), "{text}");
        assert!(text.contains("Of 2:\n\nOr not\n"), "{text}");
    }

    #[test]
    fn the_page_holds_the_engine_and_no_macro() {
        let crates = crates_of_the_page().expect("cargo tree");
        let has = |name: &str| crates.iter().any(|(one, _)| one == name);
        assert!(has("libm") && has("plotters") && has("wasm-bindgen") && has("goodput-sim"), "{crates:?}");
        assert!(!has("serde_derive") && !has("syn") && !has("clap"), "{crates:?}");
    }

    #[test]
    fn every_crate_of_the_page_has_its_text() {
        let text = text().expect("all licences are known");
        assert!(text.contains("  libm 0.2.16 (MIT), https://github.com/rust-lang/compiler-builtins\n"), "{text}");
        assert!(text.contains("UNICODE LICENSE V3"), "unicode-ident's own licence");
        assert!(text.contains("TERMS AND CONDITIONS FOR USE, REPRODUCTION"), "the Apache licence");
    }

    #[test]
    fn a_licence_is_known_by_its_name() {
        assert!(["LICENSE-MIT", "license.txt", "COPYING", "NOTICE"].into_iter().all(is_licence));
        assert!(!is_licence("README.md") && !is_licence("src"));
    }
}
