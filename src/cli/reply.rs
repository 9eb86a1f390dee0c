//! The outcome of a command.

use std::path::PathBuf;

use super::{FAILURE, PROGRAM, USAGE, causes, visible};
use crate::yaml::Text;

/// What `main` writes, and the exit code of the process.
#[derive(Debug, Default)]
pub struct Reply {
    /// Pieces of text; most are slices of stdin or of files.
    pub stdout: Vec<Text>,
    pub stderr: String,
    /// 0 for success, 1 for errors, 2 for wrong usage.
    pub code: u8,
    /// Whether kustomize or kpt reads stdout, which must then be complete.
    pub is_for_host: bool,
    /// Whether stdout is the report of `check`. If it cannot be written, the exit code is 2, because 1 means findings.
    pub is_report: bool,
}

impl Reply {
    pub(super) fn text(stdout: impl Into<String>) -> Self {
        Reply::pieces(vec![stdout.into().into()])
    }

    pub(super) fn pieces(stdout: Vec<Text>) -> Self {
        Reply { stdout, ..Reply::default() }
    }

    /// One path per line.
    pub(super) fn paths<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Self {
        let lines = paths.into_iter().map(|path| format!("{}\n", visible(&path.display().to_string())));
        Reply::text(lines.collect::<String>())
    }

    pub(super) fn failure(error: &anyhow::Error) -> Self {
        let line = format!("{PROGRAM}: error: {}\n", visible(&causes(error)));
        Reply { stderr: line, code: FAILURE, ..Reply::default() }
    }

    pub(super) fn usage(message: &str) -> Self {
        let line = format!("{PROGRAM}: error: {}\n", visible(message));
        Reply { stderr: line, code: USAGE, ..Reply::default() }
    }
}
