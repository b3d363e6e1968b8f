//! The static answer to "how do I embed this?", as oEmbed 1.0 has it (<https://oembed.com>).

use std::str::FromStr;

use anyhow::ensure;
use goodput_charts::POSTER_SIZE;
use serde::Serialize;

/// The frame of an embed [CSS pixels]: a column of text, and the height that the embed view needs in it.
const FRAME: (u32, u32) = (800, 620);

/// Where the site is, ending in a slash.
#[derive(Clone, Debug)]
pub(crate) struct Site(String);

impl FromStr for Site {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let text = text.trim();
        ensure!(
            text.starts_with("https://") || text.starts_with("http://"),
            "{text:?} is no address of a site: it must begin with https:// or http://"
        );
        ensure!(!text.contains(['?', '#', '"', '<', '>', ' ']), "{text:?} has more than a host and a folder");
        Ok(Self(format!("{}/", text.trim_end_matches('/'))))
    }
}

/// The answer, field by field as the specification names them.
#[derive(Debug, Serialize)]
pub(crate) struct OEmbed {
    version: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    provider_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_url: Option<String>,
    html: String,
    width: u32,
    height: u32,
    thumbnail_url: String,
    thumbnail_width: u32,
    thumbnail_height: u32,
}

impl OEmbed {
    /// How to embed a preset. Without a site, addresses are relative to the file, which lies in `still/`.
    pub(crate) fn new(preset: &str, title: &str, site: Option<&Site>) -> Self {
        let base = site.map_or("../", |Site(url)| url);
        let (width, height) = FRAME;
        // No escaping: a title is our own sentence, and a preset's name and a site's address have no such letters.
        let html = format!(
            r#"<iframe src="{base}embed.html?preset={preset}" title="{title}" width="{width}" height="{height}" loading="lazy"></iframe>"#
        );
        Self {
            version: "1.0",
            kind: "rich",
            title: title.to_owned(),
            provider_name: "Goodput Lab",
            provider_url: site.map(|Site(url)| url.clone()),
            html,
            width,
            height,
            thumbnail_url: format!("{base}still/{preset}.png"),
            thumbnail_width: POSTER_SIZE.0,
            thumbnail_height: POSTER_SIZE.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OEmbed, Site};

    #[test]
    fn a_site_is_a_host_and_a_folder() {
        let Site(url) = "https://example.org/lab/v1.2.0".parse().expect("a site");
        assert_eq!(url, "https://example.org/lab/v1.2.0/");
        for refused in ["", "example.org", "javascript:alert(1)", "https://a/?b", "https://a/\"onload=", "https://a/ b"]
        {
            assert!(refused.parse::<Site>().is_err(), "{refused}");
        }
    }

    #[test]
    fn addresses_are_the_sites_or_relative() {
        let site = "https://example.org/v1".parse().expect("a site");
        let known = OEmbed::new("calm", "Title", Some(&site));
        assert!(known.html.starts_with(r#"<iframe src="https://example.org/v1/embed.html?preset=calm" title="Title""#));
        assert_eq!(known.thumbnail_url, "https://example.org/v1/still/calm.png");
        assert_eq!(known.provider_url.as_deref(), Some("https://example.org/v1/"));
        let unknown = OEmbed::new("calm", "Title", None);
        assert!(unknown.html.starts_with(r#"<iframe src="../embed.html?preset=calm""#));
        assert_eq!((unknown.thumbnail_url.as_str(), unknown.provider_url), ("../still/calm.png", None));
    }
}
