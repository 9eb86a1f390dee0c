//! A golden case is one file, `testdata/<function>/<what-it-tests>.yaml`: a YAML stream with these sections,
//! each of which starts with a line such as `--- # config`.
//!
//! - `config`: the functionConfig;
//! - `input`: the resources, if any, as in a user's file. `--- # input: <name>` reads them from
//!   `testdata/<function>/inputs/<name>.yaml`, which several cases share;
//! - `expected`: the same resources afterwards, if they change;
//! - `generated`: the new resources, if any;
//! - `results`: the findings, if any.
//!
//! You write the first two, and `UPDATE=1 cargo test --test cases` writes the rest. A case whose name starts
//! with `refuses-` must fail and change nothing. Cases in which the functionConfig is rejected are entries in
//! one table per function ([`super::refusals`]). Every case also contains the same unrelated resource, the
//! bystander, which must be preserved byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{FieldPath, FieldPattern, Place, Resource};
use rhoso_fn::yaml::stream;

use super::{refusals, root};

#[derive(Debug, Clone)]
pub struct Case {
    pub function: String,
    pub name: String,
    /// The file of the case: its own, or the table of its function.
    pub path: PathBuf,
    pub config: String,
    pub input: String,
    /// The name of the shared input, if the case uses one.
    pub shared_input: Option<String>,
    pub outcome: Outcome,
}

/// The expected result of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The input resources afterwards, if they change.
    pub expected: Option<String>,
    pub generated: String,
    pub results: String,
}

impl Case {
    pub fn all() -> Vec<Case> {
        REGISTRY.functions.iter().flat_map(|entry| Case::of(entry.name)).collect()
    }

    /// The cases of a function.
    pub fn of(function: &str) -> Vec<Case> {
        let mut cases = Vec::new();
        for path in sorted(&root().join("testdata").join(function)) {
            match path.file_name().and_then(|name| name.to_str()).unwrap() {
                "inputs" => {}
                refusals::FILE => cases.extend(refusals::read(&path)),
                _ => cases.push(Case::read(&path)),
            }
        }
        cases
    }

    pub fn named(function: &str, name: &str) -> Case {
        let found = Case::of(function).into_iter().find(|case| case.name == name);
        found.unwrap_or_else(|| panic!("{function} has no golden case {name}"))
    }

    fn read(path: &Path) -> Case {
        let text = fs::read_to_string(path).unwrap_or_else(|e| {
            panic!("{}: {e}; a golden case is one file, see host/case.rs", path.display())
        });
        let function = path.parent().unwrap();
        let mut case = Case {
            function: function.file_name().unwrap().to_string_lossy().into_owned(),
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            path: path.to_owned(),
            config: String::new(),
            input: String::new(),
            shared_input: None,
            outcome: Outcome::default(),
        };
        for (section, text) in sections(&text) {
            match section {
                "config" => case.config = text,
                "input" => case.input = text,
                "expected" => case.outcome.expected = Some(text),
                "generated" => case.outcome.generated = text,
                "results" => case.outcome.results = text,
                shared => {
                    let name = shared.strip_prefix(SHARED).unwrap();
                    assert!(text.is_empty(), "{}: text below a shared input", path.display());
                    case.input = shared_input(function, name);
                    case.shared_input = Some(name.to_owned());
                }
            }
        }
        assert!(!case.config.is_empty(), "{} has no line `--- # config`", path.display());
        case
    }

    /// The text of the file, including the expected result.
    pub fn text(&self, outcome: &Outcome) -> String {
        let mut text = format!("{MARK}config\n{}", self.config);
        let mut add = |section: &str, body: &str| text.push_str(&format!("{MARK}{section}\n{body}"));
        match &self.shared_input {
            Some(name) => add(&format!("{SHARED}{name}"), ""),
            None if !self.input.is_empty() => add("input", &self.input),
            None => {}
        }
        if let Some(expected) = &outcome.expected {
            add("expected", expected);
        }
        for (section, body) in [("generated", &outcome.generated), ("results", &outcome.results)] {
            if !body.is_empty() {
                add(section, body);
            }
        }
        text
    }

    /// The expected input resources afterwards.
    pub fn after(&self) -> &str {
        self.outcome.expected.as_deref().unwrap_or(&self.input)
    }

    /// Determined by the name, so that `UPDATE=1` cannot silently turn a case that succeeds into one that
    /// fails.
    pub fn must_fail(&self) -> bool {
        self.name.starts_with("refuses-")
    }

    /// The messages of the findings that stderr shows.
    pub fn messages(&self) -> Vec<String> {
        if self.outcome.results.is_empty() {
            return Vec::new();
        }
        let list = format!("results:\n{}", self.outcome.results);
        let list = Resource::from_file(list.as_str().into(), 0..list.len(), Place::default()).unwrap();
        let text = |path: &FieldPath, key: &'static str| {
            list.get::<String>(&path.clone().key(key)).unwrap().unwrap()
        };
        let findings = list.fields(&FieldPattern::new("results[*]")).unwrap();
        let shown = findings.iter().filter(|finding| text(finding, "severity") != "info");
        shown.map(|finding| text(finding, "message")).collect()
    }

    /// The functionConfig with an additional annotation.
    pub fn config_with(&self, annotation: &str, value: &str) -> String {
        let mut config =
            Resource::from_file(self.config.as_str().into(), 0..self.config.len(), Place::default()).unwrap();
        config.set(&FieldPath::new("metadata.annotations").key(annotation.to_owned()), value).unwrap();
        config.text().to_owned()
    }
}

/// The start of a section.
const MARK: &str = "--- # ";
/// The prefix before the name of a shared input.
const SHARED: &str = "input: ";

/// The sections of a file by name. Other lines with `---` separate the documents of a section.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let name = line.strip_prefix(MARK).map(str::trim_end).filter(|name| {
            ["config", "input", "expected", "generated", "results"].contains(name) || name.starts_with(SHARED)
        });
        match (name, found.last_mut()) {
            (Some(name), _) => found.push((name, String::new())),
            (None, Some((_, section))) => section.push_str(line),
            (None, None) => panic!("a golden case begins with `--- # config`, not with {line:?}"),
        }
    }
    found
}

/// An input that several cases of a function share.
pub fn shared_input(function: &Path, name: &str) -> String {
    let path = function.join("inputs").join(format!("{name}.yaml"));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn sorted(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

pub fn bystander() -> String {
    fs::read_to_string(root().join("testdata/bystander.yaml")).unwrap()
}

/// Documents as hosts send them: each is an entry in `items`.
pub fn wire(resources: &[&str], config: &str) -> String {
    let mut list = String::from("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n");
    for text in resources {
        for range in stream::documents(text) {
            list.push_str(&shifted(&text[range], "- "));
        }
    }
    list.push_str("functionConfig:\n");
    list.push_str(&shifted(config, "  "));
    list
}

/// Indents text by two columns, with a prefix in the margin of the first line.
fn shifted(text: &str, margin: &str) -> String {
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        match (i, line) {
            (0, _) => out.push_str(margin),
            (_, "") => {}
            _ => out.push_str("  "),
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
