//! Files of `KEY=VALUE` lines. Blank lines and lines that begin with `#` are skipped. A value is the rest of
//! its line without surrounding whitespace. Errors never contain text of the file, because it is secret.
//!
//! [`script`] reads files that are written for a shell.

pub mod script;

/// The number of a line that is not `KEY=VALUE`.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLine(pub usize);

/// The pairs, each with its line number.
pub fn parse(text: &str) -> Result<Vec<(usize, &str, &str)>, BadLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let (key, value) = line.split_once('=').ok_or(BadLine(number))?;
            Ok((number, key.trim_end(), value.trim_start()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_rest_of_the_line() {
        let text = "# c\n\nA=1\r\n B = x = y==\nC=\n";
        assert_eq!(parse(text), Ok(vec![(3, "A", "1"), (4, "B", "x = y=="), (5, "C", "")]));
        assert_eq!(parse("\u{feff}A=1"), Ok(vec![(1, "A", "1")]));
        assert_eq!(parse("A=1\nB\n"), Err(BadLine(2)));
    }
}
