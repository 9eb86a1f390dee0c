//! Documents for property tests: from the project, from next to the project, and handwritten ones.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::host::case::{Case, bystander};
use crate::host::{root, shared};

/// Longer documents are CRDs: megabytes in the style of one tool. Slow tests skip them.
pub const LARGE: usize = 100_000;

/// All YAML constructs that the tests cover.
const WRITTEN: &[&str] = &[
    "a: 1\n",
    "a: 1",
    "# head\n\na: 1 # tail\n# foot\n",
    "a: &x {k: 1}\nb: *x\nc:\n- *x\n- [*x]\n",
    "base: &b\n  k: v\nd:\n  <<: *b\n  l: 1\n",
    "base: &b\n  k: v\nd:\n  !!merge <<: *b\n  l: 1\n",
    "s: !!str 5\nm: !!map {a: 1}\nn: !local x\nb: !!binary aGVsbG8=\n",
    "f: {a: [1, 2, {b: c}], 'd': \"e\", }\ng: [\n  x, # one\n  y\n]\n",
    "a: |\n  x\n   y\n\n  z\nb: |-\n  x\nc: |+\n  x\n\n\nd: >\n  x\n  y\n\n  z\ne: >-\n  x\nf: >+\n  x\n\ng: |2\n    x\nh: |1-\n  x\ni: >2+\n    x\n\nj: end\n",
    "l:\n- a\n-   b: 1\n    c: 2\n- - d\n  - e\n-\n  f: g\n- |\n  text\n-\n",
    "l:\n  - a\n  - b: 1\n    c:\n      - d\n",
    "? a\n: b\n? |\n  long\n  key\n: c\n",
    "q: \"a\\n\\\n  b\\tc \\u00e9 \\x41\"\nr: 'it''s\n\n  folded'\np: plain\n  over\n  lines\n",
    "e1:\ne2: ~\ne3: ''\ne4: {}\ne5: []\ne6: # comment\n",
    "{\"json\": {\"a\": [1, 2.5, true, null], \"b\": \"x\\u00e9\"}}\n",
    "{\n  \"json\": {\n    \"a\": 1\n  }\n}",
    "a:   \n  - x   \n\nb:\tc\n",
    "k with spaces: v\n\"quoted key\": v\n'single': v\n1: int key\ntrue: bool key\n",
    "url: http://example.com:80/#frag\ntime: 12:30:45\nmode: 0644\n",
    "ünï: cödé 😀\n",
];

/// Unique documents, each with its origin.
pub fn documents() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> =
        WRITTEN.iter().enumerate().map(|(i, text)| (format!("written {i}"), (*text).to_owned())).collect();
    for (name, text) in found.clone() {
        found.push((format!("{name} with CR LF"), text.replace('\n', "\r\n")));
        found.push((
            format!("{name} without a line break at its end"),
            text.trim_end_matches('\n').to_owned(),
        ));
    }
    for (path, text) in files() {
        for (i, range) in rhoso_fn::yaml::stream::documents(&text).into_iter().enumerate() {
            found.push((format!("{path} document {i}"), text[range].to_owned()));
        }
    }
    without_copies(found)
}

/// All YAML and JSON files of the project and next to it; of golden cases, only the handwritten sections.
pub fn files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for case in Case::all() {
        let name = |part: &str| format!("{}: {} of {}", case.function, part, case.name);
        found.push((name("config"), case.config.clone()));
        found.push((name("input"), case.input.clone()));
    }
    for folder in ["testdata/stories", "functions", "examples"] {
        collect(&root().join(folder), &mut found);
    }
    for folder in ["captures", "samples", "crds"] {
        if let Some(path) = shared(folder) {
            collect(&path, &mut found);
        }
    }
    found.push(("bystander".to_owned(), bystander()));
    without_copies(found)
}

fn without_copies(mut found: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    found.retain(|(_, text)| seen.insert(text.clone()));
    found
}

fn collect(path: &Path, found: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(path) else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, found);
        } else if ["yaml", "yml", "json"].contains(&extension.as_str())
            // Skip the large output in our own style; the handwritten manifests next to it are more useful.
            && !path.ends_with("expected.yaml")
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push((path.display().to_string(), text));
        }
    }
}
