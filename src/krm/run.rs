//! One run: bytes in, bytes out, and whether it went well.

use super::config;
use super::finding::{Fault, Finding, Results, Severity};
use super::function::Entry;
use super::list::ResourceList;
use crate::yaml;

/// What a run leaves behind. The caller writes it: stdout whole, then the findings, then the exit code.
#[derive(Debug)]
pub struct Outcome {
    pub stdout: String,
    /// Sorted.
    pub findings: Vec<Finding>,
    pub failed: bool,
}

impl Outcome {
    /// The lines for stderr: kustomize shows nothing else.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.findings.iter().filter(|f| f.severity != Severity::Info).map(ToString::to_string)
    }
}

/// Runs the function that the list's functionConfig names.
///
/// On any error the items go back as they came. Input that is no ResourceList gives an empty stdout:
/// orchestrators read it before they look at the exit code, and what they cannot read hides the error.
pub fn run(stdin: &[u8], registry: &[Entry]) -> Outcome {
    let mut results = Results::default();
    let text = match yaml::utf8(stdin) {
        Ok(text) => text,
        Err(e) => {
            results.add(Fault::new("resource-list", format!("stdin: {e}")).into_finding());
            return failure(String::new(), results);
        }
    };
    let mut list = match ResourceList::parse(text) {
        Ok(list) => list,
        Err(fault) => {
            results.add(fault.into_finding());
            return failure(String::new(), results);
        }
    };
    let config = list.function_config.take();
    let ran = config::dispatch(config.as_ref(), registry).and_then(|entry| {
        let config = config.as_ref().ok_or_else(|| Fault::new("function-config", "no functionConfig"))?;
        entry.run(config, &mut list.items, &mut results)
    });
    if let Err(fault) = ran {
        results.add(fault.into_finding());
    }
    if results.has_errors() {
        return failure(text.to_owned(), results);
    }
    let findings = results.into_sorted();
    match list.print(&findings) {
        Ok(stdout) => Outcome { stdout, findings, failed: false },
        Err(fault) => {
            let mut results = Results::default();
            results.add(fault.into_finding());
            failure(text.to_owned(), results)
        }
    }
}

fn failure(given: String, results: Results) -> Outcome {
    let findings = results.into_sorted();
    let stdout = if given.is_empty() { given } else { ResourceList::unchanged(&given, &findings) };
    Outcome { stdout, findings, failed: true }
}
