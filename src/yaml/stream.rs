//! Documents in a stream. A line that begins with `---` or `...` always ends a document, because YAML does
//! not allow such a line even in a block scalar. So documents are found without parsing.

use std::ops::Range;

/// The byte ranges of the documents with content: documents that contain only whitespace, comments and
/// directives are left out.
///
/// The ranges do not include markers, directives and byte order marks. The caller must preserve these.
pub fn documents(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |i| at + i + 1);
        let line = &text[at..end];
        if is_marker(line, "---") {
            push(text, start..at, &mut found);
            start = at + line.find("---").unwrap_or(0) + 3;
        } else if is_marker(line, "...") {
            push(text, start..at, &mut found);
            start = end;
        }
        at = end;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Where the first range of [`documents`] begins. Reads only the lines before it.
pub fn first_document(text: &str) -> usize {
    // JSON may be on one line, whose end is far away.
    if text.starts_with('{') {
        return 0;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_marker(line, "---") {
            return content_start(text, at + line.find("---").unwrap_or(0) + 3..text.len());
        }
        let bare = line.trim_start_matches('\u{feff}').trim();
        if !bare.is_empty() && !bare.starts_with('#') && !is_directive(line) {
            break;
        }
        at += line.len();
    }
    content_start(text, 0..text.len())
}

fn is_marker(line: &str, marker: &str) -> bool {
    line.trim_start_matches('\u{feff}') // a byte order mark may begin any document
        .strip_prefix(marker)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let start = content_start(text, range.clone());
    let has_content = text[start..range.end]
        .lines()
        .any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#') && !is_directive(line));
    if has_content {
        found.push(start..range.end);
    }
}

/// Where the content of a chunk between two markers begins.
fn content_start(text: &str, range: Range<usize>) -> usize {
    let mut start = range.start;
    // Skip the rest of the marker's line: whitespace, and the line break if nothing else follows.
    if text[..start].ends_with("---") {
        let chunk = &text[start..range.end];
        let spaces = chunk.len() - chunk.trim_start_matches([' ', '\t', '\r']).len();
        start += spaces + usize::from(chunk[spaces..].starts_with('\n'));
    }
    if text[start..range.end].starts_with('\u{feff}') {
        start += '\u{feff}'.len_utf8();
    }
    start
}

fn is_directive(line: &str) -> bool {
    ["%YAML ", "%TAG "].iter().any(|name| line.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        if let Some(first) = documents(text).first() {
            assert_eq!(first.start, first_document(text), "{text:?}");
        }
        documents(text).into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn markers_separate_documents() {
        assert_eq!(
            split("a: 1\n---\nb: 2\n--- # c\nc: 3\n...\n# end\n"),
            ["a: 1\n", "b: 2\n", "# c\nc: 3\n"]
        );
        assert_eq!(split("---\r\na: 1\r\n---\r\n"), ["a: 1\r\n"]);
        assert_eq!(split("%YAML 1.2\n---\na: |\n  ---\n  x\n"), ["a: |\n  ---\n  x\n"]);
        assert_eq!(split("\u{feff}a: 1"), ["a: 1"]);
        assert_eq!(split("a: 1\n---\n\u{feff}b: 1"), ["a: 1\n", "b: 1"]);
        assert_eq!(split("\u{feff}---\na: 1\n"), ["a: 1\n"]);
        assert_eq!(split("--- {a: 1}\n---"), ["{a: 1}\n"]);
        assert_eq!(split("---x: 1\n"), ["---x: 1\n"]);
        assert_eq!(split("%x: 1\n"), ["%x: 1\n"]);
        assert!(split("").is_empty());
        assert!(split("# only a comment\n---\n\n").is_empty());
    }
}
