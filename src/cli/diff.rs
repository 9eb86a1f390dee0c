//! `diff`: compares objects of two sets of manifests.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::color::When;
use super::exclude::Exclude;
use super::manifests::Request;
use super::sources::{self, Empty, Input};
use super::streams::is_stdin;
use super::{Console, FAILURE, Reply, USAGE};
use crate::krm::{Package, Registry, Resource, Results};
use crate::model::differences;
use crate::report;

#[derive(Debug, Args)]
pub struct Diff {
    /// A file or a directory; `-` reads stdin.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// What to compare it with.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    #[command(flatten)]
    exclude: Exclude,
    /// The format; `markdown` is for a comment on a pull request.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// When to use colors; NO_COLOR turns them off.
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
}

impl Diff {
    /// Exits with 0 if all objects are equal, 1 if some differ, and 2 if the input cannot be read.
    pub fn run(&self, stdin: &mut dyn Read, console: Console, registry: &Registry) -> Reply {
        let mut results = Results::default();
        let mut read = |path: &Path| self.read(path, stdin, registry, &mut results);
        let packages = read(&self.old).and_then(|old| Ok((old, read(&self.new)?)));
        let (old, new) = match packages {
            Ok(packages) => packages,
            Err(error) => return Reply { code: USAGE, ..Reply::failure(&error) },
        };
        let is_unreadable = results.has_errors();
        let stderr = report::lines(&results.into_sorted(), false);
        if is_unreadable {
            return Reply { stderr, code: USAGE, ..Reply::default() };
        }
        let changes = differences::between(&objects(&old), &objects(&new));
        let report = match self.format {
            Format::Text => report::differences::text(&changes, self.color.color(console, false)),
            Format::Json => report::differences::json(&changes),
            Format::Markdown => report::differences::markdown(&changes),
        };
        let code = if changes.is_empty() { 0 } else { FAILURE };
        Reply { stderr, code, is_report: true, ..Reply::text(report) }
    }

    fn read(
        &self,
        path: &Path,
        stdin: &mut dyn Read,
        registry: &Registry,
        results: &mut Results,
    ) -> Result<Package> {
        if is_stdin(&self.old) && is_stdin(&self.new) {
            bail!("only one of OLD and NEW can be stdin");
        }
        let request = Request { paths: &[path.to_owned()], output: None, exclude: &self.exclude };
        let Input { package, .. } = sources::read(request, Empty::Files, stdin, registry, results)?;
        package.report_duplicate_keys(results);
        Ok(package)
    }
}

/// All objects. FunctionConfigs are compared too, because a change of one is a change of a package.
fn objects(package: &Package) -> Vec<&Resource> {
    package.configs().iter().chain(package.items()).collect()
}
