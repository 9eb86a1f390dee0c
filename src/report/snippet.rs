//! Renders findings with the affected source lines, as compilers do.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::line::lines;
use super::shown;
use super::sources::Sources;
use crate::checks::rules;
use crate::krm::{File, Finding, Location, Severity, visible};

/// Whether to color the output of a terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Color {
    #[default]
    Plain,
    Ansi,
}

impl Color {
    /// A text with a style, by its ANSI code.
    pub(super) fn styled(self, code: &str, text: &str) -> String {
        match self {
            Color::Ansi if !text.is_empty() && !code.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            _ => text.to_owned(),
        }
    }
}

/// Findings without a position in a file are rendered as one line each, and so are those about lines with secrets, and
/// notes about skipped files, of which there can be many.
pub fn snippets(findings: &[Finding], files: &[File], infos: bool, color: Color) -> String {
    let renderer = match color {
        Color::Plain => Renderer::plain(),
        Color::Ansi => Renderer::styled(),
    };
    let sources = Sources::new(files);
    let mut out = String::new();
    let mut in_lines = false;
    for finding in shown(findings, infos) {
        let group = if *finding.rule == rules::NOT_KRM { None } else { group(finding, &sources) };
        if in_lines && group.is_some() {
            out.push('\n');
        }
        in_lines = group.is_none();
        match group {
            Some(group) => {
                out.push_str(&renderer.render(&[group]));
                out.push_str("\n\n");
            }
            None => out.push_str(&lines(std::slice::from_ref(finding), infos)),
        }
    }
    if in_lines {
        out.push('\n');
    }
    out
}

fn group<'f>(finding: &'f Finding, sources: &Sources<'f>) -> Option<Group<'f>> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let location = &finding.location;
    if finding.hides_source {
        return None;
    }
    let (problem, help) = parts(&finding.message);
    let title = level.primary_title(visible(problem).into_owned()).id(finding.rule.id);
    let mut group = title.element(excerpt(location, sources, AnnotationKind::Primary, what(location))?);
    for related in &finding.related {
        let label = visible(&related.message).into_owned();
        if let Some(excerpt) = excerpt(&related.location, sources, AnnotationKind::Context, label) {
            group = group.element(excerpt);
        }
    }
    if let Some(help) = help {
        group = group.element(Level::HELP.message(visible(help).into_owned()));
    }
    Some(group)
}

/// A message says what is wrong, then what to do, with a semicolon between them. Those in quoted values do not count.
fn parts(message: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    for (at, c) in message.char_indices() {
        match (c, quote) {
            ('"' | '`', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (';', None) => {
                if let Some(help) = message[at + 1..].strip_prefix(' ') {
                    return (&message[..at], Some(help));
                }
            }
            _ => {}
        }
    }
    (message, None)
}

fn excerpt<'f>(
    location: &Location,
    sources: &Sources<'f>,
    kind: AnnotationKind,
    label: String,
) -> Option<Snippet<'f, annotate_snippets::Annotation<'f>>> {
    // Logs are kept longer than secrets should be, and more people read them.
    if location.resource.as_ref().is_some_and(|id| id.kind == "Secret") {
        return None;
    }
    let excerpt = sources.excerpt(&location.place)?;
    let path = visible(location.place.file.as_deref()?).into_owned();
    let annotation = kind.span(excerpt.span).label(label);
    Some(Snippet::source(excerpt.text).line_start(excerpt.first_line).path(path).annotation(annotation))
}

/// The label: the resource and the field.
fn what(location: &Location) -> String {
    let resource = location.resource.as_ref().map(ToString::to_string);
    let field = location.field.as_ref().map(|field| format!("`{field}`"));
    let words: Vec<String> = resource.into_iter().chain(field).collect();
    visible(&words.join(" ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_a_problem_and_a_way_out() {
        assert_eq!(parts("no pool; add one; or two"), ("no pool", Some("add one; or two")));
        assert_eq!(parts("\"a; b\" is wrong"), ("\"a; b\" is wrong", None));
        assert_eq!(parts("`a; b` is \"c\"; remove it"), ("`a; b` is \"c\"", Some("remove it")));
        assert_eq!(parts("\"a is not closed; remove it"), ("\"a is not closed; remove it", None));
    }
}
