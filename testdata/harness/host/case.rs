//! A golden case is one file, `testdata/<function>/<a-sentence>.yaml`: a YAML stream with these sections, each begun by
//! a line such as `--- # config`.
//!
//! - `config`: the functionConfig;
//! - `input`: the resources, as a user has them in a file, if there are any. `--- # input: <name>` takes them from
//!   `testdata/<function>/inputs/<name>.yaml`, which several cases share;
//! - `expected`: those resources afterwards, if anything changed;
//! - `generated`: the resources that are new, if there are any;
//! - `results`: the findings, if there are any.
//!
//! You write the first two, `UPDATE=1 cargo test --test cases` writes the rest. A case whose name begins with
//! `refuses-` must fail and change nothing. Refusals that are about the functionConfig are entries of one table for
//! each function ([`super::refusals`]). Every case runs beside the same bystander, which must come back byte for byte.

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
    /// The file that has it: its own, or the table of its function.
    pub path: PathBuf,
    pub config: String,
    pub input: String,
    /// The name of the shared input, if it is one.
    pub shared_input: Option<String>,
    pub outcome: Outcome,
}

/// What must come out of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The given resources, if they change.
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

    /// The text of the file, with what must come out of it.
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

    /// The given resources as they must be afterwards.
    pub fn after(&self) -> &str {
        self.outcome.expected.as_deref().unwrap_or(&self.input)
    }

    /// By its name, so that `UPDATE=1` cannot turn a case that works into one that fails unseen.
    pub fn must_fail(&self) -> bool {
        self.name.starts_with("refuses-")
    }

    /// The messages of the findings that are for a terminal.
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

    /// The functionConfig with an annotation more.
    pub fn config_with(&self, annotation: &str, value: &str) -> String {
        let mut config =
            Resource::from_file(self.config.as_str().into(), 0..self.config.len(), Place::default()).unwrap();
        config.set(&FieldPath::new("metadata.annotations").key(annotation.to_owned()), value).unwrap();
        config.text().to_owned()
    }
}

/// What begins a section.
const MARK: &str = "--- # ";
/// What begins the name of a shared input.
const SHARED: &str = "input: ";

/// The sections of a file, by their names. Other lines with `---` part the documents of a section.
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

/// Documents as orchestrators put them on the wire: each an entry of `items`.
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

/// A text two columns further right, with something in the margin of its first line.
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
