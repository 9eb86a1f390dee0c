//! Line ends, dashes and headers: the parts of the text between tokens, which the events of the parser do not
//! include.

use std::ops::Range;

/// A carriage return without a line feed. It is a line break in YAML but not in editors, so people would see
/// different lines than we do.
pub(super) fn lone_carriage_return(text: &str) -> Option<usize> {
    text.match_indices('\r').map(|(at, _)| at).find(|at| text.as_bytes().get(at + 1) != Some(&b'\n'))
}

/// Skips whitespace, line breaks, comments, tags and anchors, which can occur between two tokens.
fn skip_to_indicator(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at + 1,
            b'#' => line_end(text, at),
            // A byte order mark may begin any document.
            0xef if text[at..].starts_with('\u{feff}') => at + '\u{feff}'.len_utf8(),
            b'&' | b'!' => at + bytes[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count(),
            _ => break,
        };
    }
    at
}

/// The dash of the next entry of a block sequence, at or after `from`.
pub(super) fn find_dash(text: &str, from: usize) -> usize {
    let mut at = skip_to_indicator(text, from);
    // The colon or question mark of the mapping that contains the sequence.
    while matches!(text.as_bytes().get(at), Some(b':' | b'?')) {
        at = skip_to_indicator(text, at + 1);
    }
    at
}

/// The `|` or `>` of the block scalar that follows `from`.
pub(super) fn find_header(text: &str, from: usize) -> usize {
    let mut at = skip_to_indicator(text, from);
    while matches!(text.as_bytes().get(at), Some(b':' | b'?' | b'-')) {
        at = skip_to_indicator(text, at + 1);
    }
    at
}

/// The position after the colon that follows a key ending at `from`, or `from` if the key has no colon.
pub(super) fn after_colon(text: &str, from: usize) -> usize {
    let at = skip_to_indicator(text, from);
    if text.as_bytes().get(at) == Some(&b':') { at + 1 } else { from }
}

/// The end of the line that contains `at`: the offset of its line break, or the end of the text.
/// Like `line_start`, it works on bytes, because `at` may be inside a character.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let newline = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| at + i);
    if newline > at && bytes[newline - 1] == b'\r' { newline - 1 } else { newline }
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1)
}

/// The end of a block scalar. `content` is the range that the parser reports: from the first character of the
/// text to the next token.
pub(super) fn block_scalar_end(text: &str, header: usize, content: &Range<usize>) -> usize {
    let header_end = line_end(text, header);
    let keeps = block_header(text, header).contains('+');
    let first_line = next_line(text, header_end);
    let is_blank = |range: Range<usize>| text[range].bytes().all(|b| b == b' ');
    let indent = content.start - line_start(text, content.start);
    // The reported range can include the indentation of the next token. At the end of the text there is no
    // next token, and spaces beyond the indentation are text.
    let mut end = content.end;
    let last_line = line_start(text, end);
    let is_text = end == text.len() && !content.is_empty() && end - last_line > indent;
    if last_line >= first_line && is_blank(last_line..end) && !is_text {
        end = last_line;
    }
    if keeps {
        return end.max(first_line);
    }
    if content.is_empty() {
        return first_line;
    }
    // The header does not keep blank lines at the end.
    while end > content.start {
        let start = line_start(text, end - 1);
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        if line.len() > indent || !is_blank(start..start + line.len()) {
            break;
        }
        end = start;
    }
    end
}

/// The header of a block scalar without its comment, such as `|2-`.
pub(super) fn block_header(text: &str, header: usize) -> &str {
    let rest = &text[header..line_end(text, header)];
    rest.split([' ', '\t', '#']).next().unwrap_or_default()
}

/// The start of the line after the line break at `end`.
pub(super) fn next_line(text: &str, end: usize) -> usize {
    let rest = &text.as_bytes()[end..];
    match rest {
        [b'\r', b'\n', ..] => end + 2,
        [b'\n' | b'\r', ..] => end + 1,
        _ => end,
    }
}
