//! What kustomizations of the given directories refer to, and `render` was not given.

use crate::checks::rules;
use crate::cli::manifests::Layout;
use crate::krm::{Finding, shortened};

/// How many references a message names.
const SHOWN: usize = 3;

/// Adds to what a function did not find that it may be elsewhere: `render` does not follow kustomizations.
pub fn explain(findings: &mut [Finding], layout: &Layout) {
    let Some((kustomization, _)) = layout.elsewhere.first() else { return };
    let of_first = layout.elsewhere.iter().filter(|(file, _)| file == kustomization);
    let mut entries: Vec<String> = of_first.map(|(_, entry)| format!("\"{}\"", shortened(entry))).collect();
    let more = entries.len().saturating_sub(SHOWN);
    entries.truncate(SHOWN);
    if more > 0 {
        entries.push(format!("{more} more"));
    }
    let hint = format!(
        "; {} also refers to {}, which `render` does not follow: pass these paths too, or run `kustomize build`",
        kustomization.display(),
        entries.join(", ")
    );
    for finding in
        findings.iter_mut().filter(|finding| *finding.rule == rules::NO_MATCH && finding.has_file())
    {
        finding.message.push_str(&hint);
    }
}
