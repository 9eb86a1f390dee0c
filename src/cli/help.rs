//! Help texts that fit the terminal. clap does not wrap lines by itself.

/// The widest line of a help text.
pub const WIDEST: usize = 80;

/// Wraps lines that are too long. What continues a description is below it.
pub fn fitted(help: &str, width: usize) -> String {
    help.split_inclusive('\n').map(|line| fitted_line(line, width)).collect()
}

fn fitted_line(line: &str, width: usize) -> String {
    if columns(line.trim_end()) <= width {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start().len();
    let margin = " ".repeat(description(line, indent).filter(|at| at + 20 < width).unwrap_or(indent));
    let mut out = String::new();
    let mut used = indent;
    out.push_str(&line[..indent]);
    for (at, word) in line.trim_end()[indent..].split(' ').enumerate() {
        let length = columns(word);
        if at > 0 && used + 1 + length > width {
            out = out.trim_end().to_owned();
            out.push('\n');
            out.push_str(&margin);
            used = margin.len();
        } else if at > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out.push('\n');
    out
}

/// The column of a description after the name of a command or option, from which two blanks separate it.
fn description(line: &str, indent: usize) -> Option<usize> {
    let gap = line[indent..].find("  ")? + indent;
    let start = gap + line[gap..].len() - line[gap..].trim_start().len();
    Some(columns(&line[..start]))
}

/// The columns that a text needs, without the codes of colors.
fn columns(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().chars().count();
    first
        + parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest).chars().count()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_continue_below_their_description() {
        assert_eq!(fitted("short\n", 20), "short\n");
        assert_eq!(fitted("  one two three four\n", 12), "  one two\n  three four\n");
        assert_eq!(fitted("  -o, --out  aaa bbb ccc ddd eee\n", 40), "  -o, --out  aaa bbb ccc ddd eee\n");
        assert_eq!(
            fitted("  -o  aaaa bbbb cccc dddd eeee ffff\n", 30),
            "  -o  aaaa bbbb cccc dddd eeee\n      ffff\n"
        );
        assert_eq!(fitted("\u{1b}[1m1234\u{1b}[0m 5678\n", 9), "\u{1b}[1m1234\u{1b}[0m 5678\n");
    }
}
