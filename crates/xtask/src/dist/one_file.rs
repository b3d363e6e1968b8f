//! The whole page in one file: for a stick, an attachment, a classroom without a network.

use std::cell::RefCell;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lol_html::html_content::{ContentType, Element};
use lol_html::{RewriteStrSettings, element, rewrite_str};

use crate::digest::base64;
use crate::files;
use crate::page_files::{ATTRIBUTES, name_of, named_by};

/// Nothing but what is in the file: were something forgotten, the browser would refuse it and say so.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data:; \
    style-src 'unsafe-inline'; connect-src data:; img-src data:";

/// Types by the ends of names.
const TYPES: [(&str, &str); 4] =
    [(".svg", "image/svg+xml"), (".png", "image/png"), (".js", "text/javascript"), (".wasm", "application/wasm")];

/// What goes wrong inside the rewriter, in its own terms.
type Handled = std::result::Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// The page of the folder `site` with everything that it loads inside.
///
/// # Errors
/// If the page names a file that is missing, or in a way that is not known here.
pub(super) fn build(site: &Path) -> Result<String> {
    let page = files::text(&site.join("index.html"))?;
    // Scripts that wait for the end of the page: one without an address of its own cannot wait, so it moves there.
    let waiting = RefCell::new(String::new());
    let handlers = vec![
        element!("head", |head| {
            let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
            head.prepend(&policy, ContentType::Html);
            Ok(())
        }),
        element!("link[href]", |link| take_in_link(link, site)),
        element!("script[src]", |script| take_in_script(script, site, &waiting)),
        element!("[data-studies]", |part| take_in_module(part, site)),
        element!("img[src]", |image| take_in(image, "src", site)),
        element!("source[srcset]", |source| take_in(source, "srcset", site)),
        element!("a[href]", |link| end_link(link, site)),
        // Previews of links are for what has an address.
        element!("meta[property], meta[name^='twitter:']", |meta| {
            meta.remove();
            Ok(())
        }),
    ];
    let settings =
        handlers.into_iter().fold(RewriteStrSettings::new(), RewriteStrSettings::append_element_content_handler);
    let page = rewrite_str(&page, settings).context("cannot rewrite the built page")?;
    let (before, after) = page.rsplit_once("</body>").context("the built page has no </body>")?;
    let page = format!("{before}{}</body>{after}", waiting.into_inner());
    if let Some(left) = named_by(&page, site)?.first() {
        bail!("the page in one file still asks for {left}");
    }
    Ok(page)
}

/// Style sheets come in; what only makes loading faster, or is for those who find the page by its address, goes.
fn take_in_link(link: &mut Element, site: &Path) -> Handled {
    let Some(name) = own_name(link, "href")? else { return Ok(()) };
    match link.get_attribute("rel").as_deref() {
        Some("stylesheet") => {
            let sheet = safe_within("style", files::text(&site.join(&name))?)?;
            link.replace(&format!("<style>{sheet}</style>"), ContentType::Html);
        }
        Some("preload" | "modulepreload" | "alternate") => link.remove(),
        rel => return Err(format!("a link that is not known here: {name}, {rel:?}").into()),
    }
    Ok(())
}

fn take_in_script(script: &mut Element, site: &Path, waiting: &RefCell<String>) -> Handled {
    let Some(name) = own_name(script, "src")? else { return Ok(()) };
    // It offers to keep the page on the device, where this file is already.
    if name == "offline.js" {
        script.remove();
        return Ok(());
    }
    take_in_module(script, site)?;
    let text = safe_within("script", files::text(&site.join(&name))?)?;
    let is_waiting = script.has_attribute("defer");
    script.remove_attribute("src");
    script.remove_attribute("defer");
    if is_waiting {
        let attributes: String = script
            .attributes()
            .iter()
            .map(|one| format!(" {}=\"{}\"", one.name(), one.value().replace('"', "&quot;")))
            .collect();
        waiting.borrow_mut().push_str(&format!("<script{attributes}>{text}</script>\n"));
        script.remove();
    } else {
        script.set_inner_content(&text, ContentType::Html);
    }
    Ok(())
}

/// The glue and the WebAssembly of a module.
fn take_in_module(element: &mut Element, site: &Path) -> Handled {
    ["data-js", "data-wasm"].into_iter().try_for_each(|attribute| take_in(element, attribute, site))
}

/// Puts the file itself where its name stands.
fn take_in(element: &mut Element, attribute: &str, site: &Path) -> Handled {
    let Some(name) = own_name(element, attribute)? else { return Ok(()) };
    let Some((_, kind)) = TYPES.iter().find(|(end, _)| name.ends_with(end)) else {
        return Err(format!("a file of a type that is not known here: {name}").into());
    };
    let content = base64(files::bytes(&site.join(&name))?);
    element.set_attribute(attribute, &format!("data:{kind};base64,{content}"))?;
    Ok(())
}

/// The licences are shown in place; any other file of the site stays behind, and its words stay here.
fn end_link(link: &mut Element, site: &Path) -> Handled {
    match own_name(link, "href")? {
        Some(name) if name.ends_with(".txt") => {
            let text = files::text(&site.join(&name))?.replace('&', "&amp;").replace('<', "&lt;");
            link.before("<details><summary>", ContentType::Html);
            let text = format!(
                "</summary><pre style=\"white-space: pre-wrap; overflow-wrap: anywhere\">{text}</pre></details>"
            );
            link.after(&text, ContentType::Html);
            link.remove_and_keep_content();
        }
        Some(_) => link.remove_and_keep_content(),
        None => {}
    }
    Ok(())
}

/// The file of the site that an attribute names.
fn own_name(element: &Element, attribute: &str) -> Result<Option<String>> {
    debug_assert!(ATTRIBUTES.contains(&attribute), "{attribute} is not looked for at the end");
    let value = element.get_attribute(attribute);
    Ok(value.as_deref().map(name_of).transpose()?.flatten().map(str::to_owned))
}

/// The text of a script or a style sheet, if it does not end its element.
fn safe_within(element: &str, text: String) -> Result<String> {
    let lower = text.to_lowercase();
    if lower.contains(&format!("</{element}")) || lower.contains("<!--") {
        bail!("a {element} whose text would end before it does");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What is left of a page of these words, beside the files given.
    fn built(page: &str, beside: &[(&str, &str)]) -> Result<String> {
        let unique = format!("goodput-{}-{:?}", std::process::id(), std::thread::current().id());
        let site = std::env::temp_dir().join(unique.replace(['(', ')'], ""));
        files::write(&site.join("index.html"), page)?;
        beside.iter().try_for_each(|(name, text)| files::write(&site.join(name), text))?;
        let built = build(&site);
        fs::remove_dir_all(&site).context("cannot remove the folder of this test")?;
        built
    }

    #[test]
    fn all_that_the_page_loads_comes_in_and_scripts_that_wait_still_do() {
        let page = concat!(
            r#"<head><link rel="stylesheet" href="./a.css"/><link rel="alternate" href="a.json"><script src="first.js"></script>"#,
            r#"<script defer src="./boot.js" data-js="./glue.js" data-wasm="./glue.wasm"></script></head>"#,
            r##"<body><img src="a.svg"><a href="L.txt">Licences</a> <a href="embed.html">frame</a><a href="#b">b</a></body>"##,
        );
        let beside = [
            ("a.css", "b { color: red }"),
            ("a.json", "{}"),
            ("a.svg", "<svg/>"),
            ("first.js", "first()"),
            ("boot.js", "boot(1 < 2)"),
            ("glue.js", "glue"),
            ("glue.wasm", "wasm"),
            ("L.txt", "you & <me>"),
            ("embed.html", ""),
        ];
        let built = built(page, &beside).expect("a whole site");
        let (_, after_policy) = built.split_once("data:\">").expect("the policy comes first");
        assert_eq!(
            after_policy,
            concat!(
                "<style>b { color: red }</style><script>first()</script></head>",
                r#"<body><img src="data:image/svg+xml;base64,PHN2Zy8+"><details><summary>Licences</summary>"#,
                r#"<pre style="white-space: pre-wrap; overflow-wrap: anywhere">you &amp; &lt;me></pre></details>"#,
                r##" frame<a href="#b">b</a>"##,
                r#"<script data-js="data:text/javascript;base64,Z2x1ZQ==" data-wasm="data:application/wasm;base64,d2FzbQ==">"#,
                "boot(1 < 2)</script>\n</body>"
            )
        );
    }

    #[test]
    fn what_cannot_come_in_is_refused() {
        let refused = |page, beside: &[_]| format!("{:#}", built(page, beside).expect_err("it cannot come in"));
        let video = refused(r#"<head></head><body><video src="a.mp4"></video></body>"#, &[("a.mp4", "")]);
        assert!(video.contains("still asks for a.mp4"), "{video}");
        let script = refused(r#"<head><script src="a.js"></script></head><body></body>"#, &[("a.js", "'</script>'")]);
        assert!(script.contains("would end before it does"), "{script}");
    }
}
