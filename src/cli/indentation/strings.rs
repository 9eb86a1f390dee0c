//! Finds the lines of quoted strings that are not indented enough, without parsing. It knows only as much of YAML as that
//! takes, so the result must be parsed.

/// The lines to indent, counted from 0.
pub fn unindented_lines(text: &str) -> Vec<usize> {
    let mut reader = Reader::default();
    text.split('\n').enumerate().filter(|(_, line)| reader.read(line.trim_end())).map(|(at, _)| at).collect()
}

/// What the line above leaves open.
#[derive(Default)]
struct Reader {
    /// The quote of a string, and the column of the block that contains it; none in flow style, where any indentation is
    /// read.
    string: Option<(char, Option<usize>)>,
    /// The column of the block that contains a block scalar.
    block_scalar: Option<usize>,
    /// The number of open brackets.
    depth: usize,
    /// The column of the last key or dash.
    column: usize,
}

impl Reader {
    /// Reads a line, and returns whether it must be indented.
    fn read(&mut self, line: &str) -> bool {
        let content = line.trim_start_matches(' ');
        let width = line.len() - content.len();
        if content.is_empty() || self.block_scalar.is_some_and(|column| width > column) {
            return false;
        }
        self.block_scalar = None;
        let Some((quote, column)) = self.string else {
            let mut rest = content;
            while let Some(after) =
                rest.strip_prefix("- ").or(rest.strip_prefix('-').filter(|r| r.is_empty()))
            {
                self.column = line.len() - rest.len();
                rest = after.trim_start_matches(' ');
            }
            self.read_tokens(rest, line.len() - rest.len());
            return false;
        };
        if let Some(end) = end_of_string(content, quote) {
            self.string = None;
            self.read_tokens(&content[end..], width);
        }
        column.is_some_and(|column| width <= column) && !content.starts_with(quote)
    }

    /// Reads what follows the indentation and the dashes of a line. `key` is the column of its key, if it has one.
    fn read_tokens(&mut self, text: &str, key: usize) {
        // Whether a quote at this place opens a string. Elsewhere it is part of a plain scalar.
        let mut is_start = true;
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let after = &text[at + c.len_utf8()..];
            let mut next = at + c.len_utf8();
            match c {
                ' ' | '\t' => {}
                '#' if at == 0 || text[..at].ends_with([' ', '\t']) => return,
                '\'' | '"' if is_start => match end_of_string(after, c) {
                    Some(end) => (next, is_start) = (next + end, false),
                    None => {
                        self.string = Some((c, (self.depth == 0).then_some(self.column)));
                        return;
                    }
                },
                '&' | '!' if is_start => next += after.find(' ').unwrap_or(after.len()),
                '|' | '>' if is_start && self.depth == 0 => {
                    self.block_scalar = Some(self.column);
                    return;
                }
                '[' | '{' if is_start => self.depth += 1,
                ']' | '}' => (self.depth, is_start) = (self.depth.saturating_sub(1), false),
                ',' if self.depth > 0 => is_start = true,
                ':' if after.is_empty() || after.starts_with([' ', '\t']) => {
                    self.column = if self.depth == 0 { key } else { self.column };
                    is_start = true;
                }
                _ => is_start = false,
            }
            at = next;
        }
    }
}

/// Where a string ends whose opening quote is before the text: after its closing quote.
fn end_of_string(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let is_pair = quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == quote);
        if c == '\\' && quote == '"' || c == quote && is_pair {
            characters.next();
        } else if c == quote {
            return Some(at + 1);
        }
    }
    None
}
