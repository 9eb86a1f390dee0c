//! Writes the input of the benchmark: `generate kustomize|kpt|documents|plan|config|STYLE [COUNT]`. The
//! styles are those of `styles.rs`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

mod plan;
mod resources;
mod styles;

use std::process::ExitCode;

use plan::plan;
use resources::{Wire, config, documents, list};
use styles::{STYLES, styled};

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
        (Some(style), Some(count)) if STYLES.contains(style) => styled(style, count).unwrap_or_default(),
        _ => {
            eprintln!("usage: generate kustomize|kpt|documents|plan|STYLE COUNT, or generate config|styles");
            return ExitCode::FAILURE;
        }
    };
    print!("{text}");
    ExitCode::SUCCESS
}
