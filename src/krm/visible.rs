//! Text that is safe to print. Names, paths, arguments and messages can contain control sequences, which a terminal
//! must not interpret.

use std::borrow::Cow;

/// Escapes control, bidirectional and invisible characters, as in `\n`, `\u{1b}` and `\u{202e}`. The result is one
/// line.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, misleads)
}

/// Like [`visible`], but keeps line breaks.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| c != '\n' && misleads(c))
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Whether a character is invisible, or changes how others are shown.
fn misleads(c: char) -> bool {
    c.is_control() // C0, DEL and C1: colours, cursor movements, titles, line breaks
        || matches!(c,
            '\u{ad}' | '\u{180e}' | '\u{feff}' // invisible
            | '\u{61c}' | '\u{200b}'..='\u{200f}' // zero width, and marks of direction
            | '\u{2028}'..='\u{202e}' // line separators, embeddings and overrides of direction
            | '\u{2060}'..='\u{206f}' // invisible operators, isolates of direction
            | '\u{fff9}'..='\u{fffb}' // annotations
            | '\u{e0000}'..='\u{e007f}' // tags
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(visible("a\u{1b}[31mb\n\t\r\u{7f}\u{9b}"), "a\\u{1b}[31mb\\n\\t\\r\\u{7f}\\u{9b}");
        assert_eq!(visible("x\u{202e}y\u{2066}\u{200b}\u{feff}\u{2028}"), {
            "x\\u{202e}y\\u{2066}\\u{200b}\\u{feff}\\u{2028}"
        });
        assert_eq!(visible_lines("a\nb\u{1b}\n"), "a\nb\\u{1b}\n");
        assert!(matches!(visible("Grüße, 漢字, \"x\" \\"), Cow::Borrowed(_)));
    }
}
