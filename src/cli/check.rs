//! `check`: reports defects of plain manifests.

mod deployments;
mod ran;

use std::io::Read;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use self::deployments::Checked;
use self::ran::Functions;
use super::color::When;
use super::definitions;
use super::deployments::Copied;
use super::exclude::Exclude;
use super::manifests::Request;
use super::report_file;
use super::sources::{self, Empty, Input};
use super::{Console, FAILURE, Reply, USAGE};
use crate::checks::{self, Selection, rules};
use crate::krm::{Finding, Location, Package, Registry, Results, Severity};
use crate::report;

#[derive(Debug, Args)]
pub struct Check {
    /// Files or directories; `-` reads manifests from stdin.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    exclude: Exclude,
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
    /// Use the fields of these CRDs: files or directories, such as what `oc get crd -o yaml` prints. For kinds without a
    /// CRD there, the built-in fields are used.
    #[arg(long, value_name = "PATH")]
    crds: Vec<PathBuf>,
    /// Fail if functions of a package, or of a file, have not run.
    ///
    /// Runs each function again on the given manifests: whatever it would still
    /// change shows that kustomize skipped it. PATH is a functionConfig, or a
    /// directory; its kustomization is followed.
    #[arg(long, value_name = "PATH")]
    ran: Vec<PathBuf>,
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

impl Check {
    /// Exits with 0 if there are no errors, 1 if there are, and 2 if the input cannot be read or the report cannot be
    /// written.
    pub fn run(&self, stdin: &mut dyn Read, console: Console, registry: &Registry) -> Result<Reply> {
        let selection = match Selection::new(&checks::rules_of_checks(), &self.select, &self.ignore) {
            Ok(selection) => selection,
            Err(unknown) => return Ok(Reply::usage(&unknown.0)),
        };
        let crds = match definitions::schemas(&self.crds) {
            Ok(crds) => crds,
            Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
        };
        let functions = match Functions::read(&self.ran, registry) {
            Ok(functions) => functions,
            Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
        };
        let mut results = Results::default();
        let request = Request { paths: &self.paths, output: self.output.as_deref(), exclude: &self.exclude };
        // If all resources are generated and kustomize skips the functions, it prints nothing.
        let empty = if self.ran.is_empty() { Empty::Nothing } else { Empty::Anything };
        let input = match sources::read(request, empty, stdin, registry, &mut results) {
            Ok(input) => input,
            Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
        };
        let Input { package, deployments, copied } = input;
        let is_unreadable = results.has_errors();
        package.report_lists(&mut results);
        let mut findings = results.into_sorted();
        let checked = Checked::new(&deployments, &package, registry, &selection, crds.as_ref());
        findings
            .extend(checked.findings.into_iter().filter(|finding| !is_left_out(finding, &copied, &package)));
        findings.extend(functions.report(&package, registry));
        let report = self.report(&findings, checked.unrendered, &package, console)?;
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
            Some(path) => match report_file::write(path, &report) {
                // Whoever watches the job still sees whether there are findings.
                Ok(()) => {
                    Reply { stderr: summary(&findings, checked.unrendered, &package), ..Reply::default() }
                }
                Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
            },
            None => Reply::text(report),
        };
        Ok(Reply { code, is_report: true, ..reply })
    }

    fn report(
        &self,
        findings: &[Finding],
        unrendered: usize,
        package: &Package,
        console: Console,
    ) -> Result<String> {
        let files = package.files();
        Ok(match self.format {
            Format::Text => {
                let color = self.color.color(console, self.output.is_some());
                let snippets = report::snippets(findings, files, self.verbose, color);
                format!("{snippets}{}", summary(findings, unrendered, package))
            }
            Format::Json => report::json(findings)?,
            Format::Sarif => report::sarif(findings, files, &checks::rules_of_checks(), self.verbose)?,
            Format::Github => report::github(findings, self.verbose),
        })
    }
}

/// Whether a finding is about a value that kustomize does not copy to an object.
fn is_left_out(finding: &Finding, copied: &Copied, package: &Package) -> bool {
    let places = finding.related.iter().map(|related| &related.location).chain([&finding.location]);
    let is_left_out = |location: &Location| {
        let file = package.files().iter().position(|file| Some(&file.path) == location.place.file.as_ref());
        file.zip(location.field.as_ref()).is_some_and(|(file, field)| copied.leave_out(file, field))
    };
    places.into_iter().any(is_left_out)
}

fn summary(findings: &[Finding], unrendered: usize, package: &Package) -> String {
    let counts = report::summary(findings, package.items().len(), package.files().len());
    counts + &report::unrendered(unrendered)
}
