//! All tests except the golden cases: YAML, the protocol, the command line, and the generated documentation.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests")]

mod address_pools;
mod applications;
mod argocd_native;
mod arrows;
mod ci_examples;
mod cluster;
mod commands;
mod cost;
mod differential;
mod fields;
mod found_files;
mod fuzz;
mod host;
mod hostile;
mod hosts;
mod import;
mod ini_oracle;
mod instances;
mod judge;
mod linter;
mod locality;
mod machine_sets;
mod manuals;
mod map;
mod material;
mod metallb;
mod mutation;
mod network_model;
mod open_ends;
mod option_values;
mod oracle;
mod places;
mod protocol;
mod readers;
mod readings;
mod reports;
mod rule_cases;
mod rule_pages;
mod samples;
mod sarif;
mod service_config;
mod stories;
mod terminal;
mod written_files;
