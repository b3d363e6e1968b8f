//! What a first visit downloads, compressed as a static host compresses it, against a budget.
//!
//! The rule: everything in dist/ counts, whether the first view needs it or not, but for what no first view loads. Of
//! the pictures in still/ those count that the page shows at once: others it marks as lazy, or does not show at all,
//! because they are for the pages of others. A picture comes for light and dark pages and for wide and narrow ones, and
//! a browser loads one of the four: the largest counts. The type declarations are for editors; no page loads them. The
//! studies come when the reader opens one, and have a budget of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::process::root;
use crate::{files, studies};

/// All files of a first load together, gzip [bytes].
const ALL_LIMIT: u64 = 302_000;
/// The WebAssembly module, gzip [bytes]: what the page's other files leave of it.
const WASM_LIMIT: u64 = 248_500;
/// The module of the studies with its glue, gzip [bytes]: whoever opens one waits for it.
const STUDIES_LIMIT: u64 = 160_000;

/// Where the pictures are.
const STILLS: &str = "still/";

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
    let dist = root().join("dist");
    let page = files::text(&dist.join("index.html"))?;
    let (later, files): (Vec<_>, Vec<_>) =
        measure(&dist)?.into_iter().partition(|entry| entry.name.starts_with(studies::NAME));
    let entries = first_load(files, &shown_at_once(&page));
    let all: u64 = entries.iter().map(|entry| entry.gzip).sum();
    let wasm: u64 = entries.iter().filter(|entry| entry.name.ends_with(".wasm")).map(|entry| entry.gzip).sum();

    println!("{:>10} {:>10}  file", "bytes", "gzip");
    list(&entries);
    println!("{:>10} {wasm:>10}  the wasm, of {WASM_LIMIT} allowed", "");
    println!("{:>10} {all:>10}  all files, of {ALL_LIMIT} allowed", "");
    list(&later);
    let later: u64 = later.iter().map(|entry| entry.gzip).sum();
    println!("{:>10} {later:>10}  the studies, of {STUDIES_LIMIT} allowed", "");

    if wasm == 0 {
        bail!("dist/ holds no wasm module: run `cargo xtask build`");
    }
    if wasm > WASM_LIMIT {
        bail!("the wasm is {wasm} bytes gzipped, over the budget of {WASM_LIMIT}");
    }
    if all > ALL_LIMIT {
        bail!("a first load is {all} bytes gzipped, over the budget of {ALL_LIMIT}");
    }
    if later == 0 || later > STUDIES_LIMIT {
        bail!("the studies are {later} bytes gzipped: allowed are up to {STUDIES_LIMIT}, and not none");
    }
    Ok(())
}

fn list(entries: &[Entry]) {
    for entry in entries {
        println!("{:>10} {:>10}  {}", entry.raw, entry.gzip, entry.name);
    }
}

/// What stands beside the page, and no first load of it asks for: other pages, what the pages of others load, and what
/// comes when the reader asks for the licences or ticks the box that keeps the page.
const FOR_OTHERS: [&str; 8] = [
    "LICENSES.txt",
    "adapters/",
    "authors/",
    "embed.html",
    "goodput-lab.js",
    "icons/",
    "manifest.webmanifest",
    "sw.js",
];

fn is_for_others(name: &str) -> bool {
    FOR_OTHERS.iter().any(|start| name.starts_with(start))
}

/// Every file below `folder` that counts, by name.
fn measure(folder: &Path) -> Result<Vec<Entry>> {
    let counted = files::below(folder)?.into_iter().filter(|name| !is_for_others(name));
    counted
        .map(|name| {
            let content = files::bytes(&folder.join(&name))?;
            Ok(Entry { raw: content.len() as u64, gzip: gzip_size(&content)?, name })
        })
        .collect()
}

/// The charts whose pictures the page shows without waiting until they come near.
fn shown_at_once(page: &str) -> BTreeSet<String> {
    let images = page.split("<img").skip(1).filter_map(|rest| rest.split_once('>')).map(|(image, _)| image);
    let chart = |image: &str| {
        let (_, name) = image.split_once("src=")?;
        let end = name.trim_start_matches('"').find(['"', ' ']).unwrap_or(name.len());
        Some(chart_of(&name.trim_start_matches('"')[..end]))
    };
    images.filter(|image| !image.contains("loading=")).filter_map(chart).collect()
}

/// One picture of each chart that is shown at once, and everything else that a page loads.
fn first_load(entries: Vec<Entry>, shown: &BTreeSet<String>) -> Vec<Entry> {
    let mut kept: BTreeMap<String, Entry> = BTreeMap::new();
    for entry in entries.into_iter().filter(|entry| !entry.name.ends_with(".d.ts")) {
        let key = chart_of(&entry.name);
        if entry.name.starts_with(STILLS) && !shown.contains(&key) {
            continue;
        }
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
    let Some(picture) = name.strip_suffix(".svg") else { return name.to_owned() };
    picture.trim_end_matches("-light").trim_end_matches("-dark").trim_end_matches("-narrow").to_owned()
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
    fn of_the_pictures_shown_at_once_the_largest_counts_and_of_the_others_none() {
        let all = vec![
            entry("still/assistant-dark.svg", 60),
            entry("still/assistant.oembed.json", 50),
            entry("still/assistant.png", 70),
            entry("still/assistant.svg", 60),
            entry("still/ttft-dark.svg", 30),
            entry("still/ttft-light.svg", 20),
            entry("still/ttft-narrow-light.svg", 15),
            entry("index.d.ts", 7),
            entry("still/tpot-light.svg", 10),
            entry("index.html", 5),
        ];
        let names = |shown: &[&str]| {
            let shown = shown.iter().map(|chart| (*chart).to_owned()).collect();
            first_load(all.clone(), &shown).into_iter().map(|entry| entry.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["still/ttft"]), ["index.html", "still/ttft-dark.svg"]);
        assert_eq!(
            names(&["still/assistant", "still/tpot"]),
            ["index.html", "still/assistant-dark.svg", "still/tpot-light.svg"]
        );
        assert_eq!(names(&[]), ["index.html"]);
    }

    #[test]
    fn a_picture_is_shown_at_once_if_one_of_its_images_is_not_lazy() {
        let page = concat!(
            r#"<meta property="og:image" content="still/assistant.png">"#,
            r#"<img loading=lazy src=still/tpot-light.svg alt=x><img src="still/ttft-light.svg">"#,
            r#"<img loading="lazy" src="still/ttft-light.svg"><img src=still/calm.svg alt=x>"#
        );
        assert_eq!(shown_at_once(page), BTreeSet::from(["still/calm".to_owned(), "still/ttft".to_owned()]));
    }

    #[test]
    fn only_what_stands_beside_the_page_is_for_others() {
        assert!(is_for_others("icons/icon.svg") && is_for_others("sw.js") && is_for_others("goodput-lab.js"));
        assert!(!is_for_others("index.html") && !is_for_others("goodput-web-1.js") && !is_for_others("offline.js"));
    }

    #[test]
    fn gzip_shrinks_what_repeats() {
        assert!(gzip_size(&[b'a'; 10_000]).expect("memory") < 100);
    }
}
