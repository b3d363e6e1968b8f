//! The package for learning platforms that read SCORM 1.2: the site in a zip, with a manifest that lists it.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::files;

/// Where the standard wants the manifest, and the platforms look for it.
const MANIFEST: &str = "imsmanifest.xml";
/// The manifest without its list, as it lies in the site.
const UNLISTED: &str = "adapters/imsmanifest.xml";

/// Writes the zip of the folder `site`.
///
/// # Errors
/// If a file cannot be read, the manifest has no place for the list, or the zip cannot be written.
pub(super) fn write(site: &Path, zip: &Path) -> Result<()> {
    let mut names = files::below(site)?;
    // The list of the files is not listed, and types are for editors.
    names.retain(|name| name != UNLISTED && !name.ends_with(".d.ts"));
    let manifest = listed(&files::text(&site.join(UNLISTED))?, &names)?;

    let file = File::create(zip).with_context(|| format!("cannot write {}", zip.display()))?;
    let mut writer = ZipWriter::new(file);
    // The first instant that a zip can name: the same files make the same bytes, today and in five years.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    writer.start_file(MANIFEST, options)?;
    writer.write_all(manifest.as_bytes())?;
    for name in &names {
        writer.start_file(name, options)?;
        writer.write_all(&files::bytes(&site.join(name))?)?;
    }
    writer.finish().context("cannot end the zip")?;
    Ok(())
}

/// The manifest with a line for each file that it does not name itself, at the end of its resource.
fn listed(manifest: &str, names: &[String]) -> Result<String> {
    let (before, after) = manifest.split_once("</resource>").context("imsmanifest.xml has no </resource>")?;
    let is_named = |name: &&String| before.contains(&format!("<file href=\"{name}\""));
    let lines: String =
        names.iter().filter(|name| !is_named(name)).map(|name| format!("  <file href=\"{name}\"/>\n    ")).collect();
    Ok(format!("{before}{lines}</resource>{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_each_file_once() {
        let manifest = "<resource href=\"sco.html\">\n      <file href=\"sco.html\"/>\n    </resource></resources>";
        let names = ["a.js", "sco.html"].map(str::to_owned);
        let text = listed(manifest, &names).expect("it has a resource");
        assert_eq!(
            text,
            "<resource href=\"sco.html\">\n      <file href=\"sco.html\"/>\n      <file href=\"a.js\"/>\n    </resource></resources>"
        );
        assert!(listed("<manifest/>", &names).is_err());
    }
}
