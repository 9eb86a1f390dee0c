//! `map`: shows the address plan of manifests.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::color::When;
use super::deployments::Deployment;
use super::exclude::Exclude;
use super::manifests::Request;
use super::report_file;
use super::sources::{self, Empty, Input};
use super::{Console, Reply, USAGE};
use crate::checks::{self, Selection, Stage};
use crate::functions::IGNORES;
use crate::krm::{Package, Registry, Results};
use crate::model::Model;
use crate::report;
use crate::report::map::{self, Chart};

/// The groups of rules whose findings are on the map.
const RULES: [&str; 2] = ["addresses", "metallb"];

#[derive(Debug, Args)]
pub struct Map {
    /// Files or directories; `-` reads manifests from stdin.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    exclude: Exclude,
    /// Write the map to FILE as a page for browsers, which needs no other file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// When to use colors; NO_COLOR turns them off.
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
}

impl Map {
    /// Exits with 0 even if addresses collide, and with 2 if the input cannot be read or the page cannot be written.
    pub fn run(&self, stdin: &mut dyn Read, console: Console, registry: &Registry) -> Result<Reply> {
        let rules = RULES.map(str::to_owned);
        let selection = match Selection::new(&checks::rules_of_checks(), &rules, &[]) {
            Ok(selection) => selection,
            Err(unknown) => return Ok(Reply::usage(&unknown.0)),
        };
        let mut results = Results::default();
        let request = Request { paths: &self.paths, output: self.output.as_deref(), exclude: &self.exclude };
        let read = sources::read(request, Empty::Nothing, stdin, registry, &mut results);
        let Input { package, deployments, .. } = match read {
            Ok(input) => input,
            Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
        };
        let code = if results.has_errors() { USAGE } else { 0 };
        let mut stderr = report::lines(&results.into_sorted(), false);
        let (charts, unrendered) = charts(&deployments, &package, registry, &selection);
        if charts.is_empty() {
            stderr.push_str("These manifests contain no addresses.\n");
        }
        stderr.push_str(&report::unrendered_map(unrendered));
        let reply = match &self.output {
            Some(path) => match report_file::write(path, &map::html(&charts)) {
                Ok(()) => Reply::default(),
                Err(error) => return Ok(Reply { code: USAGE, ..Reply::failure(&error) }),
            },
            None => Reply::text(map::text(&charts, self.color.color(console, false))),
        };
        Ok(Reply { code, stderr, ..reply })
    }
}

/// One chart for each deployment with addresses, and how many of them are not rendered yet.
fn charts(
    deployments: &[Deployment],
    all: &Package,
    registry: &Registry,
    selection: &Selection,
) -> (Vec<Chart>, usize) {
    let mut charts = Vec::new();
    let mut unrendered = 0;
    let mut titles = BTreeSet::new();
    for deployment in deployments.iter().filter(|deployment| deployment.alternatives.is_none()) {
        let part = deployment.part(all, registry);
        let package = part.as_ref().unwrap_or(all);
        let stage = deployment.stage(package, registry);
        let findings = checks::check(package.items(), Results::default(), stage, selection, IGNORES.into())
            .into_sorted();
        let title = title(package, &titles);
        if let Some(chart) = Chart::new(title.clone(), &Model::read(package.items()), findings) {
            titles.insert(title);
            charts.push(chart);
            unrendered += usize::from(stage != Stage::Rendered);
        }
    }
    (charts, unrendered)
}

/// The directory of the files, or the only file. If another deployment in that directory has the same title, the files.
fn title(package: &Package, taken: &BTreeSet<String>) -> String {
    let paths: Vec<&Path> = package.files().iter().map(|file| Path::new(&file.path)).collect();
    let title = match paths.as_slice() {
        [] => String::new(),
        [only] => only.display().to_string(),
        [first, rest @ ..] => {
            let contains = |directory: &&Path| rest.iter().all(|path| path.starts_with(directory));
            let directory = first.ancestors().skip(1).find(contains).unwrap_or(Path::new(""));
            let is_named = !directory.as_os_str().is_empty();
            if is_named { directory.display().to_string() } else { ".".to_owned() }
        }
    };
    if !taken.contains(&title) {
        return title;
    }
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}
