//! Writes the input of the benchmark: `generate kustomize|kpt|documents|plan|config|STYLE [COUNT [FUNCTION]]`. The
//! styles are those of `styles.rs`, the functions those of `functions.rs`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

mod functions;
mod plan;
mod resources;
mod styles;

use std::process::ExitCode;

use functions::{for_function, functions};
use plan::plan;
use resources::{Wire, config, documents, list};
use styles::{STYLES, in_style, styled};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let count = args.get(1).and_then(|count| count.parse().ok());
    let text = match (args.first(), count) {
        (Some(&"kustomize"), Some(count)) => list(Wire::Kustomize, count),
        (Some(&"kpt"), Some(count)) => list(Wire::Kpt, count),
        (Some(&"documents"), Some(count)) => documents(count),
        (Some(&"plan"), Some(count)) => plan(count),
        (Some(&"config"), None) => config(),
        (Some(&"styles"), None) => STYLES.join("\n") + "\n",
        (Some(&"functions"), None) => functions().map(|name| format!("{name}\n")).collect(),
        (Some(style), Some(count)) => styled_for(style, count, args.get(2)).unwrap_or_default(),
        _ => String::new(),
    };
    if text.is_empty() {
        eprintln!("usage: generate kustomize|kpt|documents|plan COUNT");
        eprintln!("       generate STYLE COUNT [FUNCTION]");
        eprintln!("       generate config|styles|functions");
        return ExitCode::FAILURE;
    }
    print!("{text}");
    ExitCode::SUCCESS
}

fn styled_for(style: &str, count: usize, function: Option<&&str>) -> Option<String> {
    match function {
        Some(function) => in_style(style, for_function(&list(Wire::Kustomize, count), function)?, count),
        None => styled(style, count),
    }
}
