//! What the built page asks for: the files of the site that stand in its attributes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lol_html::{RewriteStrSettings, element, rewrite_str};

/// The attributes by which our pages name a file. `data-js` and `data-wasm` are for `web/boot.js`.
pub(crate) const ATTRIBUTES: [&str; 5] = ["src", "srcset", "href", "data-js", "data-wasm"];

/// The names of the files that a page of the folder `site` names, sorted.
///
/// # Errors
/// If the page cannot be parsed, or names a file that is not there.
pub(crate) fn named_by(page: &str, site: &Path) -> Result<BTreeSet<String>> {
    let names = RefCell::new(BTreeSet::new());
    let handler = element!("*", |element| {
        for value in ATTRIBUTES.iter().filter_map(|attribute| element.get_attribute(attribute)) {
            names.borrow_mut().extend(name_of(&value)?.map(str::to_owned));
        }
        Ok(())
    });
    rewrite_str(page, RewriteStrSettings::new().append_element_content_handler(handler))
        .context("cannot parse the built page")?;
    let names = names.into_inner();
    for name in &names {
        if !site.join(name).is_file() {
            bail!("the built page names {name}, which is not there");
        }
    }
    Ok(names)
}

/// The name of a file of the site in an attribute; `None` if it is a place in the page, or elsewhere.
///
/// # Errors
/// If it is a list of pictures: the page chooses among them with `<source media>`.
pub(crate) fn name_of(value: &str) -> Result<Option<&str>> {
    let value = value.trim();
    if value.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':')) {
        return Ok(None);
    }
    if value.contains([',', ' ']) {
        bail!("an attribute with several addresses: {value}");
    }
    let name = value.split(['?', '#']).next().unwrap_or_default();
    let name = name.strip_prefix("./").unwrap_or(name);
    Ok((!name.is_empty()).then_some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_lies_in_the_site() {
        let name = |value| name_of(value).expect("one address");
        assert_eq!(name("./a-1.js"), Some("a-1.js"));
        assert_eq!(name("still/ttft.svg"), Some("still/ttft.svg"));
        assert_eq!(name("embed.html?rate=5#x"), Some("embed.html"));
        for elsewhere in ["https://a.example/b", "mailto:a@b.example", "data:,", "#slo", "?rate=5", ""] {
            assert_eq!(name(elsewhere), None, "{elsewhere}");
        }
        assert!(name_of("a.svg 1x, b.svg 2x").is_err());
    }

    #[test]
    fn a_page_that_names_a_missing_file_is_refused() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = r#"<a href="Cargo.toml"></a><img src="src/main.rs"><a href="https://a.example">"#;
        let names = named_by(page, here).expect("both are there");
        assert_eq!(names, BTreeSet::from(["Cargo.toml".to_owned(), "src/main.rs".to_owned()]));
        let error = named_by(r#"<img src="gone.svg">"#, here).expect_err("it is not there");
        assert!(error.to_string().contains("gone.svg"), "{error}");
    }
}
