//! Standard output: what is written there, and who may stop reading it.

use std::io::{self, Write};

use anyhow::Error;
use clap::ValueEnum;
use serde::Serialize;

/// For people or for programs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    Table,
    /// One object with every number, in SI units and not rounded.
    Json,
}

/// Prints indented JSON and a line feed.
pub(crate) fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    // The conversion gives back the error of the pipe, if that is what broke.
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)
}

/// Whether the reader of standard output has gone, as `head` does when it has seen enough.
pub(crate) fn is_broken_pipe(error: &Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
