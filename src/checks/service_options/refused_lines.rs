//! Lines that oslo.config cannot read.

use super::{Remark, is_template};
use crate::checks::rules;
use crate::formats::ini::Ini;
use crate::krm::quoted;

/// A remark on the first line with which a service does not start. A template may write anything, also a section for the
/// lines below it.
pub fn remark(project: &str, ini: &Ini<'_>, text: &str) -> Option<Remark> {
    let line = ini.refused_lines().first()?;
    let (above, whole) = (&text[..line.start], &text[line.clone()]);
    if above.contains("{{") || above.contains("{%") || is_template(whole) {
        return None;
    }
    let written = whole.trim();
    let is_indented = whole.starts_with([' ', '\t']);
    let has_section = ini.headers().any(|(_, header)| header.start < line.start);
    let why = match written.contains(['=', ':']) {
        _ if is_indented => "it is indented, but continues no option",
        true if !has_section => "no section is above it",
        _ => "it is neither a section nor an option",
    };
    let start = line.start + whole.find(written).unwrap_or_default();
    let message = format!(
        "{project} cannot read {}, because {why}, and does not start; write `[section]`, then `option = value`, without \
         indentation",
        quoted(written)
    );
    Some(Remark::error(&rules::CONFIG_SYNTAX, message, start..start + written.len()))
}
