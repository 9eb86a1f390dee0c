//! Patterns of `.krmignore`: those of `.gitignore` as kpt implements them (kyaml with go-gitignore, tested
//! with kpt 1.0.0-beta.56).
//!
//! - `#` begins a comment, `!` a pattern for files to keep, and `\` escapes the next character.
//! - `*`, `?` and `[a-z]`, `[!a-z]`, `[^a-z]` match within one name.
//! - A pattern that begins with `/` is relative to the directory of the file. Any other pattern matches at
//!   any depth, even if it contains a slash: `a/b` matches `x/a/b` as in kpt, unlike in Git.
//! - A pattern that ends with `/` matches only directories.
//! - A pattern with `!` takes precedence over all others. In kpt the order of lines does not matter, unlike
//!   in Git.
//! - `**` matches any number of directories, as in Git. kpt does not support it and treats it like `*`.

/// The patterns of one file.
#[derive(Debug, Default)]
pub struct Patterns {
    ignored: Vec<Pattern>,
    kept: Vec<Pattern>,
}

impl Patterns {
    pub fn parse(text: &str) -> Self {
        let mut patterns = Patterns::default();
        for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
            let line = line.trim_matches(' ');
            if line.starts_with('#') {
                continue;
            }
            match line.strip_prefix('!') {
                Some(kept) => patterns.kept.extend(Pattern::parse(kept)),
                None => patterns.ignored.extend(Pattern::parse(line)),
            }
        }
        patterns
    }

    /// Whether a path, relative to the directory of the patterns, is ignored. None if no pattern matches it.
    pub fn decide(&self, path: &str, is_directory: bool) -> Option<bool> {
        let names: Vec<&str> = path.split('/').collect();
        let any = |patterns: &[Pattern]| patterns.iter().any(|p| p.matches(&names, is_directory));
        if any(&self.kept) { Some(false) } else { any(&self.ignored).then_some(true) }
    }
}

#[derive(Debug)]
struct Pattern {
    from_top: bool,
    only_directories: bool,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Name(Vec<Token>),
    AnyDirectories,
}

#[derive(Debug, PartialEq)]
enum Token {
    Char(char),
    One,
    Any,
    Set { negated: bool, ranges: Vec<(char, char)> },
}

impl Pattern {
    /// None for a blank line and for a pattern that cannot match anything, such as an unclosed `[`.
    fn parse(text: &str) -> Option<Self> {
        let body = text.trim_matches('/');
        if body.is_empty() {
            return None;
        }
        let part = |part: &str| match part {
            "**" => Some(Part::AnyDirectories),
            name => tokens(name).map(Part::Name),
        };
        let mut parts = body.split('/').map(part).collect::<Option<Vec<_>>>()?;
        if matches!(parts.last(), Some(Part::AnyDirectories)) {
            parts.push(Part::Name(vec![Token::Any])); // not the directory itself
        }
        Some(Pattern { from_top: text.starts_with('/'), only_directories: text.ends_with('/'), parts })
    }

    fn matches(&self, names: &[&str], is_directory: bool) -> bool {
        if self.only_directories && !is_directory {
            return false;
        }
        let starts = if self.from_top { 0..1 } else { 0..names.len() };
        let is_wildcard = |part: &Part| matches!(part, Part::AnyDirectories);
        starts.into_iter().any(|start| fits(&self.parts, &names[start..], is_wildcard, Part::fits))
    }
}

impl Part {
    fn fits(&self, name: &&str) -> bool {
        match self {
            Part::AnyDirectories => true,
            Part::Name(tokens) => {
                let chars: Vec<char> = name.chars().collect();
                fits(tokens, &chars, |token| *token == Token::Any, Token::fits)
            }
        }
    }
}

/// Whether a pattern matches a sequence of things, where a wildcard matches any number of them. If the rest
/// does not match, only the last wildcard is extended by one thing, so the time is at most quadratic.
fn fits<P, T>(
    pattern: &[P],
    things: &[T],
    is_wildcard: impl Fn(&P) -> bool,
    fits_one: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut wildcard = None;
    loop {
        match (pattern.get(p), things.get(t)) {
            (None, None) => return true,
            (Some(part), _) if is_wildcard(part) => {
                wildcard = Some((p, t));
                p += 1;
            }
            (Some(part), Some(thing)) if fits_one(part, thing) => {
                p += 1;
                t += 1;
            }
            _ => match wildcard {
                Some((at, taken)) if taken < things.len() => {
                    wildcard = Some((at, taken + 1));
                    (p, t) = (at + 1, taken + 1);
                }
                _ => return false,
            },
        }
    }
}

impl Token {
    fn fits(&self, c: &char) -> bool {
        match self {
            Token::Char(char) => char == c,
            Token::One | Token::Any => true,
            Token::Set { negated, ranges } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(c)) != *negated
            }
        }
    }
}

/// The tokens of a name. None if a set is not closed or nothing follows a backslash.
fn tokens(name: &str) -> Option<Vec<Token>> {
    let mut chars = name.chars().peekable();
    let mut tokens = Vec::new();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '*' => Token::Any,
            '?' => Token::One,
            '\\' => Token::Char(chars.next()?),
            '[' => {
                let negated = chars.next_if(|c| matches!(c, '!' | '^')).is_some();
                let mut ranges = Vec::new();
                // A closing bracket at the first position is a member of the set.
                while ranges.is_empty() || chars.next_if_eq(&']').is_none() {
                    let mut member = || match chars.next()? {
                        '\\' => chars.next(),
                        c => Some(c),
                    };
                    let first = member()?;
                    let mut rest = chars.clone();
                    let is_range = rest.next() == Some('-') && rest.next().is_some_and(|c| c != ']');
                    ranges.push((
                        first,
                        if is_range { chars.next().and_then(|_| chars.next())? } else { first },
                    ));
                }
                Token::Set { negated, ranges }
            }
            c => Token::Char(c),
        });
    }
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignores(patterns: &str, path: &str) -> bool {
        let (path, is_directory) = match path.strip_suffix('/') {
            Some(directory) => (directory, true),
            None => (path, false),
        };
        Patterns::parse(patterns).decide(path, is_directory) == Some(true)
    }

    #[test]
    fn patterns_match_like_in_kpt() {
        for (patterns, path) in [
            ("a.txt", "a.txt"),
            ("*.txt", "dir/a.txt"),
            ("dir/a.txt", "dir/a.txt"),
            ("dir2/*.txt", "dir1/dir2/a.txt"),
            ("dir", "dir/"),
            ("dir/", "dir/"),
            ("dir1/dir2/", "dir1/dir2/"),
            ("/dir/a.txt", "dir/a.txt"),
            ("a.txt\r\n # \nb.txt  ", "dir/b.txt"),
            ("dir/*.txt\n!/b.txt", "dir/b.txt"),
            ("\\#a.txt", "#a.txt"),
            ("\\!a", "!a"),
            ("?[a-c][!x][^y-]*", "1bzz"),
            ("[]]", "]"),
            ("[a\\]-]", "]"),
            ("a*b*c", "a-b-b-c"),
            ("a/**/c", "a/c"),
            ("a/**/c", "x/a/1/2/c"),
            ("**/c", "c"),
            ("a/**", "a/b/c"),
        ] {
            assert!(ignores(patterns, path), "{patterns:?} {path}");
        }
        for (patterns, path) in [
            ("", "a"),
            ("/", "a"),
            ("!", "a"),
            ("# a", "a"),
            ("dir/", "dir"),
            ("/a.txt", "dir/a.txt"),
            ("/dir1/a.txt", "dir/dir1/a.txt"),
            ("*.txt\n!b.txt", "dir/b.txt"),
            ("!b.txt\n*.txt", "b.txt"),
            ("a*", "b/ca"),
            ("a*c", "a/c"),
            ("[a", "[a"),
            ("[a-c]", "-"),
            ("a\\", "a\\"),
            ("a/**", "a/"),
            ("A", "a"),
        ] {
            assert!(!ignores(patterns, path), "{patterns:?} {path}");
        }
    }
}
