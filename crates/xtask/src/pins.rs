//! The pinned versions, read from Trunk.toml: the one place that states them.

use anyhow::{Context, Result};
use toml::Table;

use crate::process;

/// Exact versions of the tools that turn Rust into a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pins {
    /// Trunk, as in "0.21.14".
    pub(crate) trunk: String,
    /// wasm-bindgen's command line, as in "0.2.130".
    pub(crate) wasm_bindgen: String,
    /// wasm-opt, by Binaryen's release, as in "132".
    pub(crate) wasm_opt: String,
}

impl Pins {
    /// Reads Trunk.toml.
    ///
    /// # Errors
    /// If the file cannot be read or names no exact version.
    pub(crate) fn read() -> Result<Self> {
        let path = process::root().join("Trunk.toml");
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).context("Trunk.toml does not pin the tools")
    }

    fn parse(text: &str) -> Result<Self> {
        let config: Table = toml::from_str(text)?;
        let tools = config.get("tools").and_then(|tools| tools.as_table()).context("no [tools]")?;
        Ok(Self {
            trunk: pinned(&config, "trunk-version", "=")?,
            wasm_bindgen: pinned(tools, "wasm_bindgen", "")?,
            wasm_opt: pinned(tools, "wasm_opt", "version_")?,
        })
    }
}

/// The value of `key` without its prefix.
fn pinned(table: &Table, key: &str, prefix: &str) -> Result<String> {
    table
        .get(key)
        .and_then(|value| value.as_str())
        .and_then(|value| value.strip_prefix(prefix))
        .map(str::to_owned)
        .with_context(|| format!("{key} is not of the form \"{prefix}<version>\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunk_toml_pins_the_three_tools() {
        let pins = Pins::read().expect("Trunk.toml pins the tools");
        let exact = |version: &str| version.chars().all(|c| c.is_ascii_digit() || c == '.');
        assert!(exact(&pins.trunk) && exact(&pins.wasm_bindgen) && exact(&pins.wasm_opt), "{pins:?}");
    }

    /// The glue and the crate speak one private protocol: their versions must be equal.
    #[test]
    fn wasm_bindgen_is_the_same_in_cargo_toml_and_in_trunk_toml() {
        let manifest = std::fs::read_to_string(process::root().join("Cargo.toml")).expect("Cargo.toml");
        let manifest: Table = toml::from_str(&manifest).expect("Cargo.toml is TOML");
        let in_cargo = manifest["workspace"]["dependencies"]["wasm-bindgen"].as_str();
        let in_trunk = Pins::read().expect("Trunk.toml pins the tools").wasm_bindgen;
        assert_eq!(in_cargo, Some(format!("={in_trunk}").as_str()));
    }

    #[test]
    fn a_range_is_not_a_pin() {
        let error = Pins::parse("trunk-version = \"^0.21\"\n[tools]").expect_err("a range");
        assert_eq!(error.to_string(), "trunk-version is not of the form \"=<version>\"");
    }
}
