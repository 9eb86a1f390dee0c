//! The options in a functionConfig.

use super::service_options;
use crate::krm::{FieldPath, Finding, Results, Severity};

/// Reports options in a text of the functionConfig that the service does not have. `context` are other texts that the
/// service reads, and `accepted` is the reason why unknown options are acceptable.
pub fn options_of_config(
    project: &str,
    text: &str,
    context: &[&str],
    accepted: Option<&str>,
    path: &FieldPath,
    results: &mut Results,
) {
    for remark in service_options::remarks(project, text, context) {
        let (severity, message) = match accepted {
            Some(reason) => (Severity::Info, format!("{} (accepted: {reason})", remark.message)),
            None => (remark.severity, remark.message),
        };
        results.add(Finding::new(severity, remark.rule, message)).in_config_text(path.clone(), remark.range);
    }
}
