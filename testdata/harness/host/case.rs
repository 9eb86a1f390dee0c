//! A golden case: `testdata/<function>/<a-sentence>/` with
//!
//! - `config.yaml`: the functionConfig;
//! - `input.yaml`: the resources, as a user has them in a file, if there are any;
//! - `expected.yaml`: those resources afterwards;
//! - `generated.yaml`: the resources that are new, if there are any;
//! - `results.yaml`: the findings, if there are any.
//!
//! `UPDATE=1 cargo test` writes the last three. A case whose name begins with `refuses-` must fail and
//! change nothing. Every case runs beside the same bystander, which must come back byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use rhoso_fn::krm::{FieldPath, FieldPattern, Place, Resource};
use rhoso_fn::yaml::stream;

use super::root;

#[derive(Debug, Clone)]
pub struct Case {
    pub function: String,
    pub name: String,
    pub path: PathBuf,
    pub config: String,
    pub input: String,
    pub expected: Option<String>,
    pub generated: String,
    pub results: String,
}

impl Case {
    pub fn all() -> Vec<Case> {
        let mut cases = Vec::new();
        for function in directories(&root().join("testdata")) {
            for path in directories(&function) {
                if path.join("config.yaml").is_file() {
                    cases.push(Case::read(&path));
                }
            }
        }
        cases
    }

    fn read(path: &Path) -> Case {
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let read = |file: &str| fs::read_to_string(path.join(file)).ok();
        Case {
            function: name(path.parent().unwrap()),
            name: name(path),
            path: path.to_owned(),
            config: read("config.yaml").unwrap(),
            input: read("input.yaml").unwrap_or_default(),
            expected: read("expected.yaml"),
            generated: read("generated.yaml").unwrap_or_default(),
            results: read("results.yaml").unwrap_or_default(),
        }
    }

    /// By its name, so that `UPDATE=1` cannot turn a case that works into one that fails unseen.
    pub fn must_fail(&self) -> bool {
        self.name.starts_with("refuses-")
    }

    /// The given resources as they must be afterwards.
    pub fn outcome(&self) -> &str {
        self.expected.as_deref().unwrap_or(&self.input)
    }

    /// The messages of the findings that are for a terminal.
    pub fn messages(&self) -> Vec<String> {
        if self.results.is_empty() {
            return Vec::new();
        }
        let list = format!("results:\n{}", self.results);
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

fn directories(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
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
