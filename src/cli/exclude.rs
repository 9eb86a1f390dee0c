//! `--exclude`: files that commands do not read.

use std::cell::Cell;
use std::path::Path;

use clap::Args;

use crate::checks::rules;
use crate::formats::gitignore::Patterns;
use crate::krm::{Results, quoted};

#[derive(Debug, Default, Args)]
pub struct Exclude {
    /// Skip files and directories that match, as in .gitignore.
    #[arg(long = "exclude", value_name = "GLOB")]
    globs: Vec<String>,
}

/// The patterns of `--exclude`, and whether each of them matched a file.
#[derive(Debug)]
pub struct Excluded<'e>(Vec<(&'e str, Patterns, Cell<bool>)>);

impl<'e> From<&'e Exclude> for Excluded<'e> {
    fn from(exclude: &'e Exclude) -> Self {
        let parse = |glob: &'e String| (glob.as_str(), Patterns::parse(glob), Cell::new(false));
        Excluded(exclude.globs.iter().map(parse).collect())
    }
}

impl Excluded<'_> {
    /// Whether a path matches a pattern: as the user wrote it, or relative to the given directory.
    pub fn matches(&self, path: &Path, given: &Path, is_directory: bool) -> bool {
        let written = path.strip_prefix(".").unwrap_or(path).to_string_lossy();
        let below = path.strip_prefix(given).unwrap_or(path).to_string_lossy();
        let mut is_excluded = false;
        for (_, patterns, is_used) in &self.0 {
            let decide = |path: &str| !path.is_empty() && patterns.decide(path, is_directory) == Some(true);
            if decide(&written) || decide(&below) {
                is_used.set(true);
                is_excluded = true;
            }
        }
        is_excluded
    }

    /// A pattern that matches nothing is probably misspelt.
    pub fn report_unused(&self, results: &mut Results) {
        for (glob, _, _) in self.0.iter().filter(|(_, _, is_used)| !is_used.get()) {
            let message = format!("`--exclude` {} matches no file in the given paths", quoted(glob));
            results.warning(&rules::NO_MATCH, message);
        }
    }
}
