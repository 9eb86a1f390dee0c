//! `render`: runs functions on plain files.

mod elsewhere;
mod parts;
mod targets;

use std::io::Read;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use self::targets::Target;
use super::color::When;
use super::contents;
use super::exclude::Exclude;
use super::file_set;
use super::manifests::{self, Layout, Manifest, Request};
use super::report_file;
use super::streams::Given;
use super::{Console, FAILURE, Format, Reply, Reporting};
use crate::checks::rules;
use crate::krm::{File, Finding, Package, Registry, Results, side_by_side};
use crate::report::{self, Color};
use crate::yaml::{self, Text};

#[derive(Debug, Args)]
pub struct Render {
    /// Files or directories; `-` reads manifests from stdin.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    exclude: Exclude,
    /// Write the files that differ to this directory: either all or none.
    ///
    /// One path is written without its prefix, several keep theirs. Files that
    /// are already below DIR are changed in place. New files that contain a
    /// Secret have mode 0600.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print what would change as a unified diff, and write nothing.
    ///
    /// Compares with the files in DIR of `--output`, or else with the given
    /// files themselves.
    #[arg(long)]
    diff: bool,
    /// Fail if anything would change, and write nothing.
    ///
    /// Prints the paths of the files that would change, or with `--diff` the
    /// diff. For rendered files that are committed.
    #[arg(long)]
    check: bool,
    /// When to use colors; NO_COLOR turns them off.
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    #[command(flatten)]
    reporting: Reporting,
}

/// The files that were read.
struct Input {
    files: Vec<File>,
    /// How many of the files are streams, which come first.
    streams: usize,
    found: Vec<Manifest>,
    layout: Layout,
}

impl Render {
    pub fn run(&self, stdin: &mut dyn Read, console: Console, registry: &Registry) -> Result<Reply> {
        let mut results = Results::default();
        let Input { files, streams, found, layout } = self.read(stdin, &mut results)?;
        if streams > 0 && self.output.is_some() {
            bail!(
                "`--output` needs files, because what is read from stdin has no file name; redirect stdout instead"
            );
        }
        let mut package = Package::read(files, registry, &mut results);
        // An unreadable file may contain what a function looks for, so report only the unreadable files.
        if results.has_errors() {
            package.report_duplicate_keys(&mut results);
        } else {
            package.run(registry, &mut results);
        }
        if !package.has_functions() && !results.has_errors() {
            let message = format!(
                "no functionConfig (API group {}) in these files, so no function runs",
                registry.group
            );
            results.warning(&rules::NO_FUNCTION, message);
        }
        let failed = results.has_errors() || self.reporting.strict && results.has_warnings();
        let mut findings = results.into_sorted();
        elsewhere::explain(&mut findings, &layout);
        let reply = match &self.output {
            _ if failed => Reply { code: FAILURE, ..Reply::default() },
            None if !self.diff && !self.check => Reply::pieces(package.to_stream()?.into_texts()),
            output => {
                let rendered = package.to_files()?;
                let found = targets::Found { manifests: &found, streams, paths: &self.paths };
                let targets = targets::plan(&rendered, found, package.files(), output.as_deref())?;
                self.write_or_compare(&targets, console)?
            }
        };
        let stderr = self.findings(&findings, &package, console)? + &reply.stderr;
        if let Some(path) = &self.reporting.report {
            report_file::write(path, &report::json(&findings)?)?;
        }
        Ok(Reply { stderr, ..reply })
    }

    fn read(&self, stdin: &mut dyn Read, results: &mut Results) -> Result<Input> {
        let given = Given::read(&self.paths, stdin, false)?;
        let request = Request { paths: &given.paths, output: self.output.as_deref(), exclude: &self.exclude };
        let (found, layout) = manifests::find(request, results)?;
        let streams = given.streams.len();
        if found.is_empty() && streams == 0 {
            return Err(manifests::no_files(&self.paths));
        }
        let of_streams =
            given.streams.into_iter().map(|(name, bytes)| (name, yaml::into_utf8(bytes).map(Text::from)));
        let paths = found.iter().map(|manifest| manifest.path.display().to_string());
        let of_files = paths.zip(contents::read(&found)?);
        let mut files = Vec::new();
        for (path, text) in of_streams.chain(of_files) {
            match text {
                Ok(text) => files.push(File { path, text }),
                Err(error) => {
                    results.error(&rules::YAML, error.message()).in_file(path, error.at.map(|at| at.line));
                }
            }
        }
        Ok(Input { files, streams, found, layout })
    }

    fn write_or_compare(&self, targets: &[Target<'_>], console: Console) -> Result<Reply> {
        if let Some(root) = self.output.as_deref().filter(|_| !self.diff && !self.check) {
            let files: Vec<_> = targets.iter().map(|target| target.new_file(root)).collect();
            return Ok(Reply::paths(&file_set::write(&files)?));
        }
        let color = self.color.color(console, false);
        let diff = |target: &Target| match self.diff {
            true => target.diff(console.stdout_is_terminal, color).into(),
            false => Text::from(""),
        };
        let diffs = side_by_side::map(targets::threads(targets), targets.len(), |position| {
            let target = &targets[position];
            target.is_changed().then(|| diff(target))
        });
        let changes: Vec<_> =
            targets.iter().zip(diffs).filter_map(|(target, diff)| Some((&target.path, diff?))).collect();
        let count = changes.len();
        let reply = match self.diff {
            true => Reply::pieces(changes.into_iter().map(|(_, diff)| diff).collect()),
            false => Reply::paths(changes.into_iter().map(|(path, _)| path)),
        };
        if !self.check || count == 0 {
            return Ok(reply);
        }
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let stderr = match self.reporting.format {
            Format::Text => format!("{files} would change; `render` with `--output` writes them\n"),
            Format::Json => String::new(), // stderr is one JSON document
        };
        Ok(Reply { code: FAILURE, stderr, ..reply })
    }

    fn findings(&self, findings: &[Finding], package: &Package, console: Console) -> Result<String> {
        let verbose = self.reporting.verbose;
        Ok(match self.reporting.format {
            Format::Json => report::json(findings)?,
            Format::Text if console.stderr_is_terminal => {
                report::snippets(findings, package.files(), verbose, Color::Plain)
            }
            Format::Text => report::lines(findings, verbose),
        })
    }
}
