//! Compares which values of options are accepted with the real oslo.config.

use std::fs;

use rhoso_fn::checks::rules;
use rhoso_fn::checks::service_options::remarks;
use serde_json::{Value, json};

use crate::host::{expect, python};

/// Reads [type, choices, value] triples, each value from a file with one option. Prints whether oslo.config accepts it.
const ORACLE: &str = r"
import json, sys, tempfile
from oslo_config import cfg, types

TYPES = {
    'bool': lambda _: types.Boolean(), 'int': lambda c: types.Integer(choices=c and list(map(int, c))),
    'float': lambda _: types.Float(), 'port': lambda _: types.Port(), 'ip': lambda _: types.IPAddress(),
    'dict': lambda _: types.Dict(), 'list': lambda c: types.List(types.String(choices=c)),
    'str': lambda c: types.String(choices=c), 'fold': lambda c: types.String(choices=c, ignore_case=True),
}

def accepts(kind, choices, value):
    conf = cfg.ConfigOpts()
    conf.register_opt(cfg.Opt('x', type=TYPES[kind](choices)))
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as file:
        file.write('[DEFAULT]\nx = ' + value + '\n')
        file.flush()
        conf(['--config-file', file.name], project='p')
        try:
            conf.x
            return True
        except cfg.ConfigFileValueError:
            return False

json.dump([accepts(*case) for case in json.load(sys.stdin)], sys.stdout)
";

/// An option of each type: the type, the project, the section and name of the option, and its choices.
const OPTIONS: [(&str, &str, &str, &str, &[&str]); 10] = [
    ("bool", "nova", "DEFAULT", "debug", &[]),
    ("int", "nova", "libvirt", "rx_queue_size", &["256", "512", "1024"]),
    ("int", "nova", "DEFAULT", "osapi_compute_workers", &[]),
    ("float", "nova", "DEFAULT", "cpu_allocation_ratio", &[]),
    ("port", "nova", "vnc", "novncproxy_port", &[]),
    ("ip", "neutron", "ovs", "of_listen_address", &[]),
    ("list", "nova", "api", "vendordata_providers", &["DynamicJSON", "StaticJSON"]),
    (DICT, "neutron", "sriov_nic", "resource_provider_hypervisors", &[]),
    ("str", "nova", "libvirt", "cpu_mode", &["custom", "host-model", "host-passthrough", "none"]),
    ("fold", "nova", "DEFAULT", "log_rotation_type", &["interval", "none", "size"]),
];

/// Options of this type may have other separators, so that only some values are certainly wrong.
const DICT: &str = "dict";

const VALUES: [&str; 59] = [
    "",
    "true",
    "TRUE",
    "True ",
    "yes",
    "no",
    "on",
    "off",
    "0",
    "1",
    "2",
    "t",
    "y",
    "none",
    "None",
    "-1",
    "+7",
    "007",
    "1_000",
    "_1",
    "1_",
    "1__0",
    "256",
    "0256",
    "256.0",
    "1.5",
    ".5",
    "5.",
    "1e3",
    "1e",
    "inf",
    "-Infinity",
    "nan",
    "0x10",
    "65535",
    "65536",
    "99999999999999999999999999999999999999999999",
    "\"true\"",
    "'256'",
    "true # comment",
    "256 ; comment",
    "custom",
    "Custom",
    "host-model",
    "size",
    "SIZE",
    "StaticJSON",
    "StaticJSON,",
    "StaticJSON, DynamicJSON",
    "StaticJSON,,DynamicJSON",
    "staticjson",
    "a:b",
    "10.0.0.1",
    "10.0.0.256",
    "10.1",
    "fe80::1",
    "::ffff:1.2.3.4",
    "[::1]",
    "a:b,c",
];

#[test]
fn values_are_accepted_as_by_oslo_config() {
    let Some(python) = python() else { return };
    let cases = || OPTIONS.iter().flat_map(|option| VALUES.iter().map(move |value| (option, *value)));
    let question: Vec<Value> = cases()
        .map(|((kind, _, _, _, choices), value)| {
            let choices = (!choices.is_empty()).then_some(choices);
            json!([kind, choices, value])
        })
        .collect();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("oracle.py"), ORACLE).unwrap();
    let ended = expect(python, &["oracle.py"], &serde_json::to_vec(&question).unwrap(), dir.path());
    let theirs: Vec<bool> = serde_json::from_str(&ended.stdout).unwrap();
    let mut differences = Vec::new();
    for (((kind, project, section, option, _), value), theirs) in cases().zip(&theirs) {
        let text = format!("[{section}]\n{option} = {value}\n");
        let found = remarks(project, &text, &[]);
        assert!(found.iter().all(|remark| remark.rule == &rules::WRONG_OPTION_VALUE), "{found:?}");
        if found.is_empty() != *theirs && (*kind != DICT || *theirs) {
            differences.push(format!("{kind} {value:?}: oslo.config {theirs}, {found:?}"));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(
        theirs.iter().filter(|accepted| **accepted).count() > 50,
        "oslo.config rejects almost everything"
    );
}
