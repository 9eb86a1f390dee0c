//! `check`: reports defects of plain manifests.

use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::manifests::{self, Manifest};
use super::{Console, FAILURE, Reply, USAGE, read};
use crate::checks::{self, Selection, rules};
use crate::functions::IGNORES;
use crate::krm::{File, Finding, Package, Registry, Results, Severity};
use crate::report::{self, Color};
use crate::yaml::{self, Document, stream};

/// The path that means stdin, and its name in findings.
const STDIN: (&str, &str) = ("-", "stdin");

#[derive(Debug, Args)]
pub struct Check {
    /// Files or directories; `-` reads manifests from stdin.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the report to FILE instead of stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Run only these rules or groups of rules; `all` includes pedantic ones.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Do not run these rules or groups of rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Also show infos.
    #[arg(short, long)]
    verbose: bool,
    /// Also fail on warnings.
    #[arg(long)]
    strict: bool,
    /// When to use colors; NO_COLOR turns them off.
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The affected source lines, for people.
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub workflow commands, which annotate a pull request.
    Github,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl Check {
    /// Exits with 0 if there are no errors, 1 if there are, and 2 if the input cannot be read.
    pub fn run(&self, stdin: impl Read, console: Console, registry: &Registry) -> Result<Reply> {
        let selection = match Selection::new(&checks::rules_of_checks(), &self.select, &self.ignore) {
            Ok(selection) => selection,
            Err(unknown) => return Ok(Reply::usage(&unknown.0)),
        };
        let mut results = Results::default();
        let files = match self.files(stdin, &mut results) {
            Ok(files) => files,
            Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
        };
        let package = Package::read(files, registry, &mut results);
        let is_unreadable = results.has_errors();
        let mut found = Results::default();
        package.report_duplicate_keys(&mut found);
        package.report_duplicates(&mut found);
        let found = checks::check(package.items(), found, &selection, IGNORES);
        let mut findings = results.into_sorted();
        findings.extend(found.into_sorted());
        let report = self.report(&findings, &package, console)?;
        // A skipped file is worth a note, but not a defect of the manifests.
        let defects: Vec<&Finding> =
            findings.iter().filter(|finding| *finding.rule != rules::NOT_KRM).collect();
        let has = |severity| defects.iter().any(|finding| finding.severity == severity);
        let code = match () {
            () if is_unreadable => USAGE,
            () if has(Severity::Error) || self.strict && has(Severity::Warning) => FAILURE,
            () => 0,
        };
        let reply = match &self.output {
            Some(path) => {
                fs::write(path, report).with_context(|| format!("cannot write {}", path.display()))?;
                Reply::default()
            }
            None => Reply::text(report),
        };
        Ok(Reply { code, ..reply })
    }

    /// Reads the files. One that cannot be opened is an error; one that is a template is skipped with a note.
    fn files(&self, stdin: impl Read, results: &mut Results) -> Result<Vec<File>> {
        let is_stdin = |path: &&PathBuf| path.as_path() == Path::new(STDIN.0);
        let paths: Vec<PathBuf> = self.paths.iter().filter(|path| !is_stdin(path)).cloned().collect();
        let mut texts = Vec::new();
        if paths.len() < self.paths.len() {
            let bytes = read(stdin)?;
            // The program before the pipe may have failed, so empty input is not a success.
            if bytes.trim_ascii().is_empty() {
                bail!("stdin is empty");
            }
            texts.push((STDIN.1.to_owned(), bytes));
        }
        for Manifest { path, .. } in manifests::find(&paths, self.output.as_deref(), results)? {
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            texts.push((path.display().to_string(), bytes));
        }
        if texts.is_empty() {
            let paths: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
            bail!("no YAML or JSON files in {}", paths.join(", "));
        }
        let mut files = Vec::new();
        for (path, bytes) in texts {
            match yaml::utf8(&bytes) {
                Ok(text) if is_template(text) => {
                    let message = "skipped: a template, which is not YAML until it is rendered";
                    results.warning(&rules::NOT_KRM, message).in_file(path, None);
                }
                Ok(text) => files.push(File { path, text: text.to_owned() }),
                Err(error) => {
                    results.error(&rules::YAML, error.message()).in_file(path, error.at.map(|at| at.line));
                }
            }
        }
        Ok(files)
    }

    fn report(&self, findings: &[Finding], package: &Package, console: Console) -> Result<String> {
        let files = package.files();
        Ok(match self.format {
            Format::Text => {
                let snippets = report::snippets(findings, files, self.verbose, self.color(console));
                format!("{snippets}{}", report::summary(findings, package.items().len(), files.len()))
            }
            Format::Json => report::json(findings)?,
            Format::Sarif => report::sarif(findings, files, &checks::rules_of_checks(), self.verbose)?,
            Format::Github => report::github(findings, self.verbose),
        })
    }

    fn color(&self, console: Console) -> Color {
        let is_wanted = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => console.stdout_is_terminal && self.output.is_none() && !console.no_color,
        };
        if is_wanted { Color::Ansi } else { Color::Plain }
    }
}

/// Whether a file is a template of Helm, Jinja or Go, and not YAML. Templates inside strings do not count.
fn is_template(text: &str) -> bool {
    let has_marks = ["{{", "{%"].iter().any(|mark| text.contains(mark));
    let is_yaml = |range: Range<usize>| Document::parse_with_duplicate_keys(&text[range]).is_ok();
    has_marks && !stream::documents(text).into_iter().all(is_yaml)
}
