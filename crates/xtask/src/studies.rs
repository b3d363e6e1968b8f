//! The page's second module, the studies: built as Trunk builds the first, with the same tools, and named in the page.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use sha2::{Digest, Sha256};

use crate::cargo::{cargo, without_our_folders};
use crate::digest::hex;
use crate::process::{self, root, say};
use crate::tools::Toolbox;
use crate::{files, targets};

/// The beginning of the names of its files; a hash follows.
pub(crate) const NAME: &str = "goodput-studies";

/// Its two files as the page names them.
struct Named {
    js: String,
    wasm: String,
}

/// Builds the module into the folder `stage` and writes its names into the page there.
///
/// # Errors
/// If it does not compile, a tool fails, or the page has no part for it.
pub(crate) fn write(stage: &Path) -> Result<()> {
    let page = files::text(&stage.join("index.html"))?;
    let named = build(stage).context("the studies were not built")?;
    files::write(&stage.join("index.html"), naming(&page, &named)?)
}

fn build(stage: &Path) -> Result<Named> {
    let toolbox = Toolbox::ensure()?;
    let compiled = compile()?;
    let folder = root().join("target/studies");
    fs::create_dir_all(&folder).context("cannot make target/studies")?;

    let mut bind = toolbox.command("wasm-bindgen").context("wasm-bindgen is not on PATH")?;
    bind.args(["--target", "web", "--no-typescript", "--out-name", NAME, "--out-dir"]).arg(&folder).arg(compiled);
    process::run(&mut bind)?;
    ensure!(!folder.join("snippets").exists(), "the module would need files beside its glue");

    let module = folder.join(format!("{NAME}_bg.wasm"));
    match toolbox.command("wasm-opt") {
        Some(mut optimise) => {
            optimise.args(["-Oz", "--output"]).arg(&module).args(optimisations()?).arg(&module);
            process::run(&mut optimise)?;
        }
        None => say("there is no wasm-opt, so the studies stay larger than they need be"),
    }

    let glue = files::text(&folder.join(format!("{NAME}.js")))?;
    let module = files::bytes(&module)?;
    let mut digest = Sha256::new();
    digest.update(&glue);
    digest.update(&module);
    let hash = &hex(&digest.finalize())[..16];
    let named = Named { js: format!("{NAME}-{hash}.js"), wasm: format!("{NAME}-{hash}_bg.wasm") };
    files::write(&stage.join(&named.js), glue)?;
    files::write(&stage.join(&named.wasm), module)?;
    Ok(named)
}

/// Compiles the module with the flags of the first; its path.
fn compile() -> Result<PathBuf> {
    let mut build = cargo(["build", "--quiet", "--release", "--package", NAME, "--target", targets::PAGE]);
    if let Some(flags) = without_our_folders() {
        build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    }
    process::run(&mut build)?;
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec();
    let target = metadata.context("cargo metadata failed")?.target_directory.into_std_path_buf();
    Ok(target.join(targets::PAGE).join("release/goodput_studies.wasm"))
}

/// What Trunk tells wasm-opt of the first module, as `index.html` has it.
fn optimisations() -> Result<Vec<String>> {
    let page = files::text(&root().join("index.html"))?;
    let (_, rest) = page.split_once("data-wasm-opt-params=\"").context("index.html does not say how to optimise")?;
    let (parameters, _) = rest.split_once('"').context("an attribute without an end")?;
    Ok(parameters.split_whitespace().map(str::to_owned).collect())
}

fn naming(page: &str, named: &Named) -> Result<String> {
    let handler = element!("[data-studies]", |part| {
        part.set_attribute("data-js", &format!("./{}", named.js))?;
        part.set_attribute("data-wasm", &format!("./{}", named.wasm))?;
        Ok(())
    });
    let rewritten = rewrite_str(page, RewriteStrSettings::new().append_element_content_handler(handler))
        .context("cannot rewrite the built page")?;
    ensure!(rewritten.contains(&named.js), "the page has no part for the studies");
    Ok(rewritten)
}

#[cfg(test)]
mod tests {
    use super::{Named, naming, optimisations};

    #[test]
    fn the_part_of_the_page_names_the_files() {
        let named = Named { js: "s-1.js".into(), wasm: "s-1_bg.wasm".into() };
        assert_eq!(
            naming("<main><section data-studies>A</section></main>", &named).expect("a page"),
            r#"<main><section data-studies data-js="./s-1.js" data-wasm="./s-1_bg.wasm">A</section></main>"#
        );
        assert!(naming("<main></main>", &named).is_err());
    }

    #[test]
    fn both_modules_are_optimised_alike() {
        let parameters = optimisations().expect("index.html has them");
        assert!(parameters.contains(&"--strip-producers".to_owned()), "{parameters:?}");
    }
}
