//! What a first visit downloads, compressed as a static host compresses it, against a budget.
//!
//! The rule: everything in dist/ counts, whether the first view needs it or not. A chart picture comes
//! for light and dark pages and for wide and narrow ones, and a browser loads one of the four: the
//! largest counts. The type declarations are for editors; no page loads them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::process::root;

/// All files together, gzip [bytes].
const ALL_LIMIT: u64 = 160_000;
/// The WebAssembly module, gzip [bytes].
const WASM_LIMIT: u64 = 100_000;

/// One file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    raw: u64,
    gzip: u64,
}

/// Prints the table and fails if a budget is exceeded.
///
/// # Errors
/// If dist/ cannot be read, is no whole site, or is too large.
pub(crate) fn check() -> Result<()> {
    let entries = first_load(measure(&root().join("dist"))?);
    let all: u64 = entries.iter().map(|entry| entry.gzip).sum();
    let wasm: u64 = entries.iter().filter(|entry| entry.name.ends_with(".wasm")).map(|entry| entry.gzip).sum();

    println!("{:>10} {:>10}  file", "bytes", "gzip");
    for entry in &entries {
        println!("{:>10} {:>10}  {}", entry.raw, entry.gzip, entry.name);
    }
    println!("{:>10} {wasm:>10}  the wasm, of {WASM_LIMIT} allowed", "");
    println!("{:>10} {all:>10}  all files, of {ALL_LIMIT} allowed", "");

    if wasm == 0 {
        bail!("dist/ holds no wasm module: run `cargo xtask build`");
    }
    if wasm > WASM_LIMIT {
        bail!("the wasm is {wasm} bytes gzipped, over the budget of {WASM_LIMIT}");
    }
    if all > ALL_LIMIT {
        bail!("a first load is {all} bytes gzipped, over the budget of {ALL_LIMIT}");
    }
    Ok(())
}

/// Every file below `folder`, by name.
fn measure(folder: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(current) = pending.pop() {
        let listing = fs::read_dir(&current).with_context(|| format!("cannot read {}", current.display()))?;
        for item in listing {
            let path = item?.path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let content = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            entries.push(Entry { name, raw: content.len() as u64, gzip: gzip_size(&content)? });
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// One picture of each chart, and everything else that a page loads.
fn first_load(entries: Vec<Entry>) -> Vec<Entry> {
    let mut kept: BTreeMap<String, Entry> = BTreeMap::new();
    for entry in entries.into_iter().filter(|entry| !entry.name.ends_with(".d.ts")) {
        let key = chart_of(&entry.name);
        match kept.get(&key) {
            Some(other) if other.gzip >= entry.gzip => {}
            _ => {
                kept.insert(key, entry);
            }
        }
    }
    kept.into_values().collect()
}

/// The name of a picture without its colours and its width: equal for the pictures of one chart, and only for those.
fn chart_of(name: &str) -> String {
    match name.strip_suffix("-light.svg").or_else(|| name.strip_suffix("-dark.svg")) {
        Some(picture) => picture.trim_end_matches("-narrow").to_owned(),
        None => name.to_owned(),
    }
}

/// Size after gzip at its best level [bytes].
fn gzip_size(content: &[u8]) -> Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, gzip: u64) -> Entry {
        Entry { name: name.into(), raw: 2 * gzip, gzip }
    }

    #[test]
    fn of_the_pictures_of_a_chart_the_largest_counts() {
        let kept = first_load(vec![
            entry("still/ttft-dark.svg", 30),
            entry("still/ttft-light.svg", 20),
            entry("still/ttft-narrow-light.svg", 15),
            entry("index.d.ts", 7),
            entry("still/tpot-light.svg", 10),
            entry("index.html", 5),
        ]);
        let names: Vec<&str> = kept.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["index.html", "still/tpot-light.svg", "still/ttft-dark.svg"]);
    }

    #[test]
    fn gzip_shrinks_what_repeats() {
        assert!(gzip_size(&[b'a'; 10_000]).expect("memory") < 100);
    }
}
