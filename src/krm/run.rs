//! One run: bytes in, bytes out, and whether it went well.

use super::finding::{Fault, Finding, Results};
use super::list::ResourceList;
use super::registry::Registry;
use super::rules;
use crate::yaml::{self, Text};

/// What a run leaves behind. The caller writes it: stdout whole, then the findings, then the exit code.
///
/// Large answers come in pieces, most of them parts of the input, so that nothing is copied.
#[derive(Debug)]
pub struct Outcome<Stdout = String> {
    pub stdout: Stdout,
    /// Sorted.
    pub findings: Vec<Finding>,
    pub failed: bool,
}

/// Runs the function that the list's functionConfig names.
///
/// On any error the items go back as they came. Input that is no ResourceList gives an empty stdout:
/// orchestrators read it before they look at the exit code, and what they cannot read hides the error.
pub fn run(stdin: &[u8], registry: &Registry) -> Outcome {
    let Outcome { stdout, findings, failed } = run_in_pieces(stdin.to_owned(), registry);
    Outcome { stdout: stdout.iter().map(|piece| &**piece).collect(), findings, failed }
}

/// The same, for input of any size.
pub fn run_in_pieces(stdin: Vec<u8>, registry: &Registry) -> Outcome<Vec<Text>> {
    let text = match yaml::into_utf8(stdin) {
        Ok(text) => text,
        Err(e) => return unreadable(Fault::new(&rules::RESOURCE_LIST, format!("stdin: {e}"))),
    };
    let mut list = match ResourceList::parse(text) {
        Ok(list) => list,
        Err(fault) => return unreadable(fault),
    };
    let mut results = Results::default();
    let config = list.function_config.take();
    let ran = match &config {
        None => Err(registry.missing()),
        Some(config) => {
            registry.dispatch(config).and_then(|entry| entry.run(config, &mut list.items, &mut results))
        }
    };
    if let Err(fault) = ran {
        results.add(fault.into_finding());
    }
    let mut failed = results.has_errors();
    let mut findings = results.into_sorted();
    let printed = if failed { Ok(list.print_given(&findings)) } else { list.print(&findings) };
    let stdout = printed.unwrap_or_else(|fault| {
        failed = true;
        findings.push(fault.into_finding());
        list.print_given(&findings)
    });
    Outcome { stdout, findings, failed }
}

/// Nothing can be handed back: it could not be read.
fn unreadable(fault: Fault) -> Outcome<Vec<Text>> {
    Outcome { stdout: Vec::new(), findings: vec![fault.into_finding()], failed: true }
}
