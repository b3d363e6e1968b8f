//! What only a site that knows its address can say: previews of links want whole addresses, not relative ones.

use std::path::Path;

use anyhow::{Context, Result, bail};
use lol_html::{RewriteStrSettings, element, rewrite_str};

use crate::cargo::cargo;
use crate::files;
use crate::process;

/// The pages that name a picture for previews.
const PAGES: [&str; 2] = ["index.html", "embed.html"];

/// Reads where the site will be.
///
/// # Errors
/// In a sentence, if it is no address of a folder.
pub(crate) fn folder(text: &str) -> Result<String> {
    if !(text.starts_with("https://") || text.starts_with("http://")) || text.contains(['?', '#', ' ', '"']) {
        bail!("allowed are addresses such as https://lab.example/ or https://lab.example/goodput/");
    }
    Ok(format!("{}/", text.trim_end_matches('/')))
}

/// Puts the address into the pages of the folder `site`, and into what stands beside the presets' pictures.
///
/// # Errors
/// If a page cannot be read or written, or the pictures not drawn.
pub(super) fn write(site: &Path, address: &str) -> Result<()> {
    for name in PAGES {
        let page = files::text(&site.join(name))?;
        files::write(&site.join(name), with_address(&page, address)?)?;
    }
    let mut stills = cargo(["run", "--quiet", "--package", "goodput", "--", "stills", "--site-url", address, "--out"]);
    process::run(stills.arg(site.join("still")))
}

fn with_address(page: &str, address: &str) -> Result<String> {
    let whole = |name: String| format!("{address}{name}");
    let handlers = [
        element!("meta[property='og:image']", |meta| {
            let name = meta.get_attribute("content").unwrap_or_default();
            Ok(meta.set_attribute("content", &whole(name))?)
        }),
        element!("link[type='application/json+oembed']", |link| {
            let name = link.get_attribute("href").unwrap_or_default();
            Ok(link.set_attribute("href", &whole(name))?)
        }),
    ];
    let settings =
        handlers.into_iter().fold(RewriteStrSettings::new(), RewriteStrSettings::append_element_content_handler);
    rewrite_str(page, settings).context("cannot rewrite the built page")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folders() {
        assert_eq!(folder("https://lab.example").expect("an address"), "https://lab.example/");
        assert_eq!(folder("https://lab.example/a/").expect("an address"), "https://lab.example/a/");
        for text in ["lab.example", "https://lab.example/?a", "ftp://lab.example/", "https://lab.example/\""] {
            assert!(folder(text).is_err(), "{text}");
        }
    }

    #[test]
    fn previews_get_whole_addresses_and_nothing_else_changes() {
        let page = r#"<meta property="og:image" content="still/a.png"><link type="application/json+oembed" href="still/a.oembed.json"><img src="still/a.svg">"#;
        assert_eq!(
            with_address(page, "https://lab.example/v1.0.0/").expect("a page"),
            r#"<meta property="og:image" content="https://lab.example/v1.0.0/still/a.png"><link type="application/json+oembed" href="https://lab.example/v1.0.0/still/a.oembed.json"><img src="still/a.svg">"#
        );
    }
}
