//! Plain scalars have the same value as in kustomize, and kustomize, kpt and PyYAML read the strings that we
//! write as the same strings.

use std::fs;

use rhoso_fn::yaml::{Document, Step, write};
use serde_json::{Value, json};

use crate::host::{expect, kustomize, python, tool};

/// Strings that some reader reads as another type, and strings that are hard to write.
pub const NASTY: &[&str] = &[
    "",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "~",
    "null",
    "Null",
    "NULL",
    "nil",
    "none",
    "true",
    "True",
    "TRUE",
    "false",
    "False",
    "FALSE",
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "NO",
    "on",
    "On",
    "ON",
    "off",
    "Off",
    "OFF",
    "y",
    "Y",
    "n",
    "N",
    "0",
    "-0",
    "+0",
    "00",
    "0644",
    "0o644",
    "0O7",
    "0x1F",
    "0X1f",
    "0b101",
    "0B1",
    "08",
    "09",
    "1_000",
    "1__0",
    "_1",
    "1_",
    "+1",
    "-1",
    "1.",
    ".1",
    "-.1",
    "+.5",
    "1.0",
    "1.2.3",
    "1e3",
    "1E3",
    "1e+3",
    "1e-3",
    "1.e3",
    "1e",
    "e1",
    ".",
    "..",
    "...",
    "-",
    "--",
    "---",
    "--- a",
    "---a",
    "+",
    ".inf",
    ".Inf",
    ".INF",
    "-.inf",
    "+.inf",
    "inf",
    "Infinity",
    ".nan",
    ".NaN",
    ".NAN",
    "nan",
    "0x",
    "0b",
    "0o",
    "0xg",
    "12:30",
    "12:30:45",
    "1:2:3",
    "190:20:30",
    "190:20:30.15",
    "52:54:00:12:34:56",
    "aa:bb:cc:dd:ee:ff",
    "::1",
    "fd00::1",
    "2001:db8::1",
    "1:2::3",
    "172.17.0.80",
    "172.17.0.80-172.17.0.90",
    "10.0.0.0/8",
    "2001-01-01",
    "2001-1-1",
    "2001-01-01T00:00:00Z",
    "2001-01-01 00:00:00",
    "2001-01",
    "20010101",
    "18446744073709551616",
    "9223372036854775808",
    "-9223372036854775809",
    "1e400",
    "<<",
    "=",
    "!",
    "!!str",
    "&a",
    "*a",
    "|",
    ">",
    "|-",
    "'",
    "''",
    "\"",
    "\"\"",
    "'a'",
    "\"a\"",
    "a'b",
    "a\"b",
    "it's",
    "%a",
    "@a",
    "`a`",
    "#",
    "# a",
    "a#",
    "a #",
    "a # b",
    "a#b",
    ":",
    "a:",
    ":a",
    "a: b",
    "a:b",
    "a : b",
    "?",
    "? a",
    "?a",
    "- a",
    "-a",
    ",",
    "a,b",
    ", a",
    "[",
    "]",
    "[]",
    "[a]",
    "{",
    "}",
    "{}",
    "{a: b}",
    "{{ .Key }}",
    "a\\b",
    "\\",
    "\\n",
    "a\tb",
    "\ta",
    "a\t",
    " a",
    "a ",
    " a ",
    "a  b",
    "a\nb",
    "a\nb\n",
    "a\n\nb\n\n",
    "\na",
    "\n\na\n",
    " a\nb",
    "  a\n b\n",
    "a\n b",
    "a \nb",
    "a\n \nb",
    "a\n  ",
    "a\n\t\nb",
    "\ta\nb",
    "\ta\nb\n",
    "a\n\tb",
    "\n a\n",
    "# a\nb\n",
    "- a\n- b\n",
    "a: b\nc: d\n",
    "---\na\n",
    "a\n---\nb\n",
    "...\n",
    "a\r\nb\r\n",
    "a\rb",
    "\u{85}",
    "a\u{85}b",
    "\u{a0}",
    "\u{2028}",
    "a\u{2029}b",
    "\u{feff}",
    "\u{feff}a",
    "é",
    "ünïcödé",
    "😀",
    "a😀\nb\n",
    "\u{1}",
    "\u{1b}[0m",
    "\0",
    "\u{200b}",
    "\u{e000}",
    "\u{fffd}",
    "tRue",
    "nULL",
    "x: |\n  y\n",
    "key: [a, b",
    "a\u{300}",
    "[pci]\nalias = { \"name\":\"a\" }\n",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    "$(VAR)",
    "a=b",
    "--flag=value",
    "@every 5m",
    "*/5 * * * *",
    "0.0.0.0/0",
    "1/2",
    "50%",
    "10Gi",
    "100m",
    "1e3Gi",
    "v1.2",
    "1d",
    "0d",
    "1h30m",
];

/// Strings that kustomize itself breaks, even in JSON input.
fn kustomize_keeps(text: &str) -> bool {
    !text
        .chars()
        .any(|c| matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}'))
}

/// A deterministic generator of strings, without seed or clock.
fn pseudo_random_strings(count: usize) -> Vec<String> {
    const ALPHABET: &[&str] = &[
        "a", "b", "y", "n", "0", "1", "7", "e", "x", "_", ".", ":", "-", "+", " ", " ", "\n", "\n", "\t",
        "#", "'", "\"", "\\", "{", "}", "[", "]", ",", "&", "*", "!", "|", ">", "%", "@", "`", "?", "=", "~",
        "<", "/", "é", "😀", "\u{a0}",
    ];
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    (0..count).map(|_| (0..1 + next(9)).map(|_| ALPHABET[next(ALPHABET.len())]).collect()).collect()
}

/// A resource with the strings in every position in which the writer may put one: as values, as list
/// elements, as keys, in flow style, and as replacements of other values.
fn strings_resource(strings: &[String]) -> String {
    let mut spec = serde_json::Map::new();
    spec.insert(
        "values".into(),
        strings.iter().enumerate().map(|(i, s)| (format!("v{i}"), json!(s))).collect(),
    );
    spec.insert("elements".into(), strings.iter().map(|s| json!(s)).collect());
    let keys: Vec<&String> = strings.iter().filter(|s| s.as_str() != "<<").collect();
    spec.insert("keys".into(), keys.iter().map(|s| ((*s).clone(), json!(1))).collect());
    let value =
        json!({"apiVersion": "example.com/v1", "kind": "Strings", "metadata": {"name": "s"}, "spec": spec});
    let formatting = write::Formatting::default();
    let mut text = write::document(&value, &formatting);
    text.push_str(&format!(
        "flow: {}\n",
        write::flow(&json!({"values": strings, "keys": spec["keys"]}), &formatting)
    ));
    // Replace old values of every style.
    text.push_str("edited:\n");
    let styles = ["plain", "'single'", "\"double\"", "|\n    literal", "{a: 1}", "[1]", ""];
    for (i, style) in (0..strings.len()).zip(styles.iter().cycle()) {
        text.push_str(&format!("  e{i}: {style}\n"));
    }
    let mut edited: Value = json!({});
    for (i, string) in strings.iter().enumerate() {
        edited[format!("e{i}")] = json!(string);
    }
    let doc = Document::parse(text).unwrap();
    doc.set(&[Step::Key("edited".into())], &edited).unwrap().unwrap().into_text()
}

/// The value that every reader must read from `strings_resource`.
fn check(read: &Value, strings: &[String], reader: &str) {
    let mut wrong = Vec::new();
    for (i, string) in strings.iter().enumerate() {
        let places = [
            ("value", &read["spec"]["values"][format!("v{i}")]),
            ("element", &read["spec"]["elements"][i]),
            ("flow", &read["flow"]["values"][i]),
            ("edited", &read["edited"][format!("e{i}")]),
        ];
        for (place, found) in places {
            if *found != json!(string) {
                wrong.push(format!("{place}: {string:?} is read as {found}"));
            }
        }
        if string != "<<" {
            for (place, keys) in [("key", &read["spec"]["keys"]), ("flow key", &read["flow"]["keys"])] {
                if keys.get(string) != Some(&json!(1)) {
                    wrong.push(format!("{place}: {string:?} is lost"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{reader} misreads {}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

fn strings() -> Vec<String> {
    let mut strings: Vec<String> = NASTY.iter().map(|s| (*s).to_owned()).collect();
    strings.extend(pseudo_random_strings(2_000));
    strings.sort();
    strings.dedup();
    strings
}

#[test]
fn we_read_what_we_write() {
    let strings = strings();
    let doc = Document::parse(strings_resource(&strings)).unwrap();
    check(&doc.root_value().unwrap(), &strings, "our own reader");
}

#[test]
fn pyyaml_reads_what_we_write() {
    let Some(python) = python() else { return };
    let strings = strings();
    let text = strings_resource(&strings);
    let dir = tempfile::tempdir().unwrap();
    let script = "import json, sys, yaml\njson.dump(yaml.safe_load(sys.stdin.buffer.read()), sys.stdout)";
    let ended = expect(python, &["-c", script], text.as_bytes(), dir.path());
    check(&serde_json::from_str(&ended.stdout).unwrap(), &strings, "PyYAML");
}

#[test]
fn kustomize_reads_what_we_write() {
    let Some(kustomize) = kustomize() else { return };
    let strings: Vec<String> = strings().into_iter().filter(|s| kustomize_keeps(s)).collect();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("strings.yaml"), strings_resource(&strings)).unwrap();
    fs::write(dir.path().join("kustomization.yaml"), "resources: [strings.yaml]\n").unwrap();
    let ended = expect(kustomize, &["build", "."], b"", dir.path());
    let read = Document::parse(ended.stdout).unwrap().root_value().unwrap();
    check(&read, &strings, "kustomize");
}

#[test]
fn kpt_reads_what_we_write() {
    let Some(kpt) = tool("kpt") else { return };
    let strings: Vec<String> = strings().into_iter().filter(|s| kustomize_keeps(s)).collect();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("strings.yaml"), strings_resource(&strings)).unwrap();
    let ended = expect(kpt, &["fn", "source", "."], b"", dir.path());
    let list = Document::parse(ended.stdout).unwrap().root_value().unwrap();
    check(&list["items"][0], &strings, "kpt");
}

/// Sends plain scalars through kustomize. It writes numbers in decimal and quotes strings, so its output
/// shows the type that it has read.
#[test]
fn plain_scalars_mean_what_they_mean_to_kustomize() {
    let Some(kustomize) = kustomize() else { return };
    // Exclude timestamps, which kustomize rewrites, and infinity, which it cannot write.
    let is_plain = |s: &&&str| {
        let text = format!("k: {s}\n");
        s.chars().all(|c| c == ' ' || c.is_alphanumeric() || c.is_ascii_punctuation())
            && !s.contains("inf")
            && !s.contains("Inf")
            && !s.contains("INF")
            && !s.to_lowercase().contains("nan")
            && !rhoso_fn::yaml::scalar::is_timestamp(s)
            && Document::parse(text.as_str()).is_ok_and(|doc| {
                doc.find(&[Step::Key("k".into())]).is_some_and(|node| doc.source(node) == **s)
            })
            && !s.starts_with(['"', '\'', '|', '>', '[', '{', '!', '&', '*'])
    };
    let plain: Vec<&&str> = NASTY.iter().filter(is_plain).collect();
    assert!(plain.len() > 100, "{}", plain.len());
    let mut text = String::from("apiVersion: example.com/v1\nkind: Plain\nmetadata:\n  name: p\nspec:\n");
    for (i, scalar) in plain.iter().enumerate() {
        text.push_str(&format!("  k{i}: {scalar}\n"));
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("plain.yaml"), &text).unwrap();
    fs::write(dir.path().join("kustomization.yaml"), "resources: [plain.yaml]\n").unwrap();
    let theirs = Document::parse(expect(kustomize, &["build", "."], b"", dir.path()).stdout).unwrap();
    let (ours, theirs) = (Document::parse(text).unwrap().root_value().unwrap(), theirs.root_value().unwrap());
    for (i, scalar) in plain.iter().enumerate() {
        let key = format!("k{i}");
        assert_eq!(ours["spec"][&key], theirs["spec"][&key], "{scalar}");
    }
}
