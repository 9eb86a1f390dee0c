//! Renders findings with the affected source lines, as compilers do.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::line::lines;
use super::shown;
use crate::krm::{File, Finding, Location, Severity, visible};

/// Whether to color the output of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    Plain,
    Ansi,
}

/// Findings without a position in a file, and those about lines with secrets, are rendered as one line each.
pub fn snippets(findings: &[Finding], files: &[File], infos: bool, color: Color) -> String {
    let renderer = match color {
        Color::Plain => Renderer::plain(),
        Color::Ansi => Renderer::styled(),
    };
    let mut out = String::new();
    for finding in shown(findings, infos) {
        match group(finding, files) {
            Some(group) => {
                out.push_str(&renderer.render(&[group]));
                out.push_str("\n\n");
            }
            None => out.push_str(&lines(std::slice::from_ref(finding), infos)),
        }
    }
    out
}

fn group<'f>(finding: &'f Finding, files: &'f [File]) -> Option<Group<'f>> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let location = &finding.location;
    if finding.hides_source {
        return None;
    }
    let title = level.primary_title(visible(&finding.message).into_owned()).id(finding.rule.id);
    let mut group = title.element(excerpt(location, files, AnnotationKind::Primary, what(location))?);
    for related in &finding.related {
        let label = visible(&related.message).into_owned();
        if let Some(excerpt) = excerpt(&related.location, files, AnnotationKind::Context, label) {
            group = group.element(excerpt);
        }
    }
    Some(group)
}

fn excerpt<'f>(
    location: &Location,
    files: &'f [File],
    kind: AnnotationKind,
    label: String,
) -> Option<Snippet<'f, annotate_snippets::Annotation<'f>>> {
    // Logs are kept longer than secrets should be, and more people read them.
    if location.resource.as_ref().is_some_and(|id| id.kind == "Secret") {
        return None;
    }
    let place = &location.place;
    let path = place.file.as_deref()?;
    let file = files.iter().find(|file| file.path == path)?;
    let span = place.span.clone().or_else(|| line_span(&file.text, place.line?))?;
    let is_inside = file.text.get(span.clone()).is_some();
    is_inside.then(|| {
        Snippet::source(file.text.as_str()).path(file.path.as_str()).annotation(kind.span(span).label(label))
    })
}

/// The label: the resource and the field.
fn what(location: &Location) -> String {
    let resource = location.resource.as_ref().map(ToString::to_string);
    let field = location.field.as_ref().map(|field| format!("`{field}`"));
    let words: Vec<String> = resource.into_iter().chain(field).collect();
    visible(&words.join(" ")).into_owned()
}

/// The bytes of a line, without its line break.
fn line_span(text: &str, line: usize) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            return Some(start..start + content.trim_end().len());
        }
        start += content.len();
    }
    None
}
