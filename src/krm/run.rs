//! Runs a function on a ResourceList.

use super::fault::Fault;
use super::finding::Finding;
use super::list::ResourceList;
use super::registry::Registry;
use super::results::Results;
use super::rules;
use crate::yaml::{self, Text};

/// The outcome of a run. The caller writes stdout, then the findings, then sets the exit code.
///
/// Large outputs are in pieces, most of them parts of the input, so that nothing is copied.
#[derive(Debug)]
pub struct Outcome<Stdout = String> {
    pub stdout: Stdout,
    /// Sorted.
    pub findings: Vec<Finding>,
    pub failed: bool,
}

/// Runs the function that the list's functionConfig names.
///
/// On any error, the items are returned unchanged. If the input is not a ResourceList, stdout is empty: orchestrators
/// parse stdout before they check the exit code, and output that they cannot parse would hide the error.
pub fn run(stdin: &[u8], registry: &Registry) -> Outcome {
    let (Outcome { stdout, findings, failed }, _) = run_on(stdin.to_owned(), registry);
    Outcome { stdout: stdout.iter().map(|piece| &**piece).collect(), findings, failed }
}

/// Like [`run`], for large inputs, and for programs that end afterwards.
pub fn run_in_pieces(stdin: Vec<u8>, registry: &Registry) -> Outcome<Vec<Text>> {
    let (outcome, list) = run_on(stdin, registry);
    // Freeing thousands of items one by one takes time, and the system frees all of them at once.
    std::mem::forget(list);
    outcome
}

fn run_on(stdin: Vec<u8>, registry: &Registry) -> (Outcome<Vec<Text>>, Option<ResourceList>) {
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
    (Outcome { stdout, findings, failed }, Some(list))
}

/// The input could not be read, so there is nothing to return.
fn unreadable(fault: Fault) -> (Outcome<Vec<Text>>, Option<ResourceList>) {
    (Outcome { stdout: Vec::new(), findings: vec![fault.into_finding()], failed: true }, None)
}
