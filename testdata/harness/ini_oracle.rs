//! Compares the INI format with the real oslo.config.

use std::fs;
use std::path::Path;

use rhoso_fn::formats::ini::Ini;
use serde::Serialize;
use serde_json::{Value, json};

use crate::host::{expect, python};
use crate::material;

/// Parses the strings of a JSON list with oslo.config. Prints a list of [section, key, value] for each
/// string, or null if oslo.config rejects it.
const ORACLE: &str = r#"
import json, sys
from oslo_config import cfg, iniparser

class Parser(iniparser.BaseParser):
    def parse(self, text):
        self.section, self.found = None, []
        super().parse(text.splitlines(keepends=True))
        return self.found
    def new_section(self, section):
        self.section = cfg._normalize_group_name(section)
    def assignment(self, key, value):
        if self.section is None:
            raise ValueError('no section')
        self.found.append([self.section, key, '\n'.join(value)])

def read(text):
    try:
        return Parser().parse(text)
    except Exception:
        return None

json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
"#;

/// Handwritten INI text, text from all available manifests, and combinations of error-prone lines.
fn texts() -> Vec<String> {
    let lines = [
        "[pci]",
        "[PCI]",
        "[DEFAULT]",
        "[default]",
        "[a b]",
        "alias = x",
        "alias: y",
        "alias=z=w",
        "a : b = c",
        "k =",
        "k = \"q\"",
        "k = 'q'",
        "k = \"",
        "  more",
        "\tmore",
        "   ",
        "",
        "# c",
        "; c",
        "  # inside a value",
        "k = v # not a comment",
        "Alias = X",
        "[]x = 1",
    ];
    let mut texts: Vec<String> = Vec::new();
    for a in lines {
        for b in lines {
            for c in ["x = 1", "  more", "[pci]", ""] {
                texts.push(format!("[s]\n{a}\n{b}\n{c}\n"));
            }
        }
    }
    for (_, text) in material::files() {
        let mut at = 0;
        while let Some(found) = text[at..].find("onfig: |\n") {
            let start = at + found + "onfig: |\n".len();
            let indent = text[start..].len() - text[start..].trim_start_matches(' ').len();
            let block = text[start..]
                .lines()
                .take_while(|l| l.trim().is_empty() || l.starts_with(&" ".repeat(indent)));
            texts.push(block.map(|line| format!("{}\n", line.get(indent..).unwrap_or_default())).collect());
            at = start;
        }
    }
    texts
}

/// What oslo.config reads in texts: lists of section, option and value, or null for a text that it rejects.
pub fn read_all(python: &Path, texts: &[impl Serialize]) -> Vec<Value> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("oracle.py"), ORACLE).unwrap();
    let ended = expect(python, &["oracle.py"], &serde_json::to_vec(texts).unwrap(), dir.path());
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn options_are_those_that_oslo_config_finds() {
    let Some(python) = python() else { return };
    let texts = texts();
    let mut compared = 0;
    for (text, theirs) in texts.iter().zip(read_all(&python, &texts)) {
        let ini = Ini::parse(text);
        let is_refused = !ini.refused_lines().is_empty();
        assert_eq!(is_refused, theirs.is_null(), "{text}");
        if theirs.is_null() {
            continue;
        }
        let ours = ini.options().iter();
        let ours: Vec<[&String; 3]> =
            ours.map(|option| [&option.section, &option.key, &option.value]).collect();
        assert_eq!(json!(ours), theirs, "{text}");
        compared += 1;
    }
    assert!(compared > 1_000, "oslo.config took only {compared} of {}", texts.len());
}

/// After an alias is added, oslo.config reads the same options as before, and the alias.
#[test]
fn an_added_option_is_the_only_change_that_oslo_config_sees() {
    let Some(python) = python() else { return };
    let before = texts();
    let after: Vec<String> =
        before.iter().map(|text| Ini::parse(text).with_option("pci", "alias", "NEW")).collect();
    let (old, new) = (read_all(&python, &before), read_all(&python, &after));
    for ((text, old), new) in after.iter().zip(old).zip(new) {
        let Value::Array(old) = old else { continue };
        let Value::Array(mut new) = new else { panic!("oslo.config refuses {text}") };
        let added = json!(["pci", "alias", "NEW"]);
        let at =
            new.iter().rposition(|option| *option == added).unwrap_or_else(|| panic!("not found in {text}"));
        new.remove(at);
        assert_eq!(old, new, "{text}");
    }
}
