//! Environment files as a shell reads them: `export NAME=VALUE`, quotes, comments, `$NAME`, `${NAME}` and
//! `${NAME:-default}`. Nothing is run, and the environment is not read, so a value can be unknown.

mod words;

use self::words::{Known, Word, Words};

/// What an environment file assigns.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// In the order of the file. The last assignment of a name is the one that applies.
    pub variables: Vec<Variable>,
    /// The lines of other commands that may change variables.
    pub skipped: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub line: usize,
    pub value: Result<String, Unknown>,
}

/// Why a value is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// It refers to a variable that the file does not set.
    Unset(String),
    /// It is the output of a command.
    Command,
    /// It is an array or a kind of expansion that is not supported.
    Unsupported,
    /// It is a secret, or contains one.
    Secret,
}

/// The line of a quote or bracket that is not closed.
#[derive(Debug, PartialEq, Eq)]
pub struct Unclosed(pub usize);

/// Commands that begin with these words assign variables.
const ASSIGNING: [&str; 4] = ["export", "readonly", "declare", "typeset"];

/// Commands that change no variable.
const HARMLESS: [&str; 6] = ["echo", "printf", "set", "true", ":", "shopt"];

/// Reads a file. The values of secrets, which have these names, are not kept.
pub fn parse(text: &str, is_secret: impl Fn(&str) -> bool) -> Result<Script, Unclosed> {
    let mut script = Script::default();
    let mut known = Known::new(&is_secret);
    let mut words = Words::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    while let Some(command) = words.command(&known)? {
        let Some(first) = command.first() else { continue };
        let is_keyword = |keywords: &[&str]| {
            first.name.is_none() && first.text.as_ref().is_ok_and(|text| keywords.contains(&text.as_str()))
        };
        // `NAME=VALUE command` sets the variable for that command alone.
        if is_keyword(&ASSIGNING) || command.iter().all(|word| word.name.is_some()) {
            for Word { line, name, text } in command {
                let Some(name) = name else { continue };
                let value = known.assign(&name, text);
                script.variables.push(Variable { name, line, value });
            }
        } else if !is_keyword(&HARMLESS) && script.skipped.last() != Some(&first.line) {
            script.skipped.push(first.line);
        }
    }
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<(String, Result<String, Unknown>)> {
        let script = parse(text, |name| name.contains("PASSWORD")).unwrap();
        script.variables.into_iter().map(|variable| (variable.name, variable.value)).collect()
    }

    /// The value of the last assignment.
    fn last(text: &str) -> Result<String, Unknown> {
        values(text).pop().unwrap().1
    }

    #[test]
    fn values_are_what_a_shell_assigns() {
        for (text, value) in [
            ("A=1", "1"),
            ("export A=1 # comment\r\n", "1"),
            ("\x0c A=1\x0c", "1"),
            ("A=a#b", "a#b"),
            ("A=", ""),
            ("A='x y'\"z\\\"$\"\\ w", "x yz\"$ w"),
            ("A=\"['192.168.122.0/24']\"", "['192.168.122.0/24']"),
            ("A='one\ntwo'", "one\ntwo"),
            ("A=one\\\ntwo", "onetwo"),
            ("B=2; A=$B.0", "2.0"),
            ("B=2 && export A=${B}x\"${B}\"", "2x2"),
            ("A=1\nA=${A}2", "12"),
            ("A=${A:-openstack}", "openstack"),
            ("B=; A=${B:-x}${B-y}", "x"),
            ("B=1; A=${C:-${B}-\"${D:=}}\"}", "1-}"),
            ("A=${C:='a b'}", "a b"),
            ("B='$C'; A=$B", "$C"),
            ("\u{feff}A=1", "1"),
            ("B=1; C=2; export B A=$C", "2"),
        ] {
            assert_eq!(last(text), Ok(value.to_owned()), "{text}");
        }
        let nested = format!("A={}1{}", "${B:-".repeat(10_000), "}".repeat(10_000));
        assert_eq!(last(&nested), Err(Unknown::Unsupported));
        let doubled: String = (0..64).map(|i| format!("A{}=$A{i}$A{i}\n", i + 1)).collect();
        assert_eq!(last(&format!("A0=0123456789\n{doubled}")), Err(Unknown::Unsupported));
    }

    #[test]
    fn values_that_depend_on_something_else_are_unknown() {
        for (text, why) in [
            ("A=$B", Unknown::Unset("B".to_owned())),
            ("C=$B\nA=${C}", Unknown::Unset("B".to_owned())),
            ("A=x$(date; echo ')')", Unknown::Command),
            ("A=`date`", Unknown::Command),
            ("A=$((1 + 2))", Unknown::Command),
            ("A=(1 2\n3)", Unknown::Unsupported),
            ("B=1; A=${B%x}", Unknown::Unsupported),
            ("A=$'x'", Unknown::Unsupported),
            ("ADMIN_PASSWORD=x", Unknown::Secret),
            ("A=${PASSWORD:-x}", Unknown::Secret),
            ("PASSWORD=x; B=a$PASSWORD; A=${B:-y}", Unknown::Secret),
        ] {
            assert_eq!(last(text), Err(why), "{text}");
        }
    }

    #[test]
    fn other_commands_are_skipped() {
        let text = "#!/bin/bash\n# c\nset -a\necho \"a=$A\" A=1\nsource other.env\nA=1 make x\nif true; then\n  B=2\nfi\n";
        let script = parse(text, |_| false).unwrap();
        let names: Vec<(&str, usize)> = script.variables.iter().map(|v| (v.name.as_str(), v.line)).collect();
        assert_eq!((names, script.skipped), (vec![("B", 8)], vec![5, 6, 7, 9]));
        for (text, line) in
            [("A=1\nB='x\n", 2), ("A=\"x\ny", 1), ("A=1\n\nB=${C", 3), ("A=$(x", 1), ("A=`x", 1)]
        {
            assert_eq!(parse(text, |_| false), Err(Unclosed(line)), "{text}");
        }
    }
}
