//! The files of a folder, in one order on every machine.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The names of all files below `folder`, with slashes, sorted.
///
/// # Errors
/// If the folder cannot be read.
pub(crate) fn below(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(current) = pending.pop() {
        let listing = fs::read_dir(&current).with_context(|| format!("cannot read {}", current.display()))?;
        for item in listing {
            let path = item?.path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).context("a file outside its folder")?;
            let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            names.push(parts.join("/"));
        }
    }
    names.sort();
    Ok(names)
}

/// Reads a text file.
///
/// # Errors
/// If it cannot be read or is no text.
pub(crate) fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, and the folders it lies in.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// Copies all files below a folder.
///
/// # Errors
/// If one cannot be read or written.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<()> {
    below(from)?.iter().try_for_each(|name| write(&to.join(name), bytes(&from.join(name))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    #[test]
    fn files_are_named_from_the_folder_with_slashes_and_sorted() {
        let names = below(&root().join("crates/xtask")).expect("this crate");
        assert!(names.is_sorted());
        assert!(names.contains(&"src/files.rs".to_owned()), "{names:?}");
        assert!(below(&root().join("no such folder")).is_err());
    }
}
