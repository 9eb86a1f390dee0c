//! Reads the blocks of a page.

use super::SKIPPED;

/// A page, and its blocks that run or write files.
pub struct Page {
    lines: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A fenced block.
pub struct Block {
    /// The number of the line with the fence, from 1.
    pub line: usize,
    /// Whether it is the first block of a section that starts at the root.
    pub is_at_root: bool,
    pub mark: Option<Mark>,
    /// The text between the fences, without the indentation of the fence.
    pub text: String,
    /// The commands of a `console` block.
    pub commands: Vec<Command>,
}

/// What the comment before a block says.
pub enum Mark {
    /// The block does not run, for this reason.
    Skip(String),
    /// The exit code of the last command.
    Code(i32),
    /// The block is the content of this file.
    File(String),
    /// The block is a diff of this file.
    Change(String),
}

/// A command, and the output that the page shows.
pub struct Command {
    pub text: String,
    pub output: Vec<String>,
    /// The index of the first line of the output in the page.
    start: usize,
    indent: usize,
}

impl Page {
    pub fn read(text: &str) -> Result<Self, String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut blocks = Vec::new();
        let mut index = 0;
        let mut is_at_root = false;
        let has_sections = text.starts_with("<!-- each section starts at the root -->\n");
        while let Some(line) = lines.get(index) {
            let indent = line.len() - line.trim_start().len();
            let Some(language) = line.trim_start().strip_prefix("```") else {
                is_at_root |= has_sections && line.starts_with("## ");
                index += 1;
                continue;
            };
            let length = lines[index + 1..].iter().position(|line| line.trim() == "```");
            let length = length.ok_or(format!("line {}: the block does not end", index + 1))?;
            let content = &lines[index + 1..index + 1 + length];
            let content: Vec<&str> =
                content.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
            let before = index.checked_sub(1).and_then(|before| lines.get(before));
            let at = |problem: String| format!("line {}: {problem}", index + 1);
            let mark = before.map_or(Ok(None), |before| mark(before.trim(), language)).map_err(at)?;
            let commands = match language {
                "console" => commands(&content, index + 1, indent).map_err(at)?,
                _ => Vec::new(),
            };
            if let Some(Mark::Skip(reason)) = &mark {
                is_justified(reason, &content).map_err(at)?;
            }
            if mark.is_some() || !commands.is_empty() {
                let text = content.iter().map(|line| format!("{line}\n")).collect();
                blocks.push(Block { line: index + 1, is_at_root, mark, text, commands });
                is_at_root = false;
            }
            index += length + 2;
        }
        Ok(Self { lines, blocks })
    }

    /// The text of the page with new output of commands.
    pub fn with_output(&self, updates: Vec<(&Command, String)>) -> String {
        let mut lines = self.lines.clone();
        for (command, output) in updates.into_iter().rev() {
            let indent = " ".repeat(command.indent);
            let output = output.lines().map(|line| format!("{indent}{line}").trim_end().to_owned());
            lines.splice(command.start..command.start + command.output.len(), output);
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The mark in the line before a block, if that line is a comment.
fn mark(line: &str, language: &str) -> Result<Option<Mark>, String> {
    let Some(text) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else {
        return Ok(None);
    };
    let mark = if let Some(file) = text.strip_prefix("file: ") {
        Some(Mark::File(file.to_owned())).filter(|_| language != "console")
    } else if let Some(file) = text.strip_prefix("change: ") {
        Some(Mark::Change(file.to_owned())).filter(|_| language == "diff")
    } else if let Some(code) = text.strip_prefix("exits with ") {
        code.parse().ok().map(Mark::Code).filter(|_| language == "console")
    } else {
        SKIPPED.iter().find(|(reason, _)| *reason == text).map(|(reason, _)| Mark::Skip((*reason).to_owned()))
    };
    mark.map(Some).ok_or_else(|| {
        let reasons: Vec<&str> = SKIPPED.iter().map(|(reason, _)| *reason).collect();
        format!("unknown mark {text:?} before a {language} block; blocks are skipped with one of {reasons:?}")
    })
}

/// A reason to skip a block does not cover a block that could run.
fn is_justified(reason: &str, content: &[&str]) -> Result<(), String> {
    let words = SKIPPED.iter().find(|(known, _)| *known == reason).map_or(&[][..], |(_, words)| words);
    let is_there = content.iter().any(|line| words.iter().any(|word| line.contains(word)));
    is_there.then_some(()).ok_or(format!("the block {reason:?} contains none of {words:?}, so it must run"))
}

fn commands(content: &[&str], start: usize, indent: usize) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    let mut is_continued = false;
    for (offset, line) in content.iter().enumerate() {
        let text = if is_continued { Some(*line) } else { line.strip_prefix("$ ") };
        match (text, commands.last_mut()) {
            (Some(text), Some(command)) if is_continued => {
                command.text = format!("{}\n{text}", command.text);
                command.start = start + offset + 1;
            }
            (Some(text), _) => commands.push(Command {
                text: text.to_owned(),
                output: Vec::new(),
                start: start + offset + 1,
                indent,
            }),
            (None, Some(command)) => command.output.push((*line).to_owned()),
            (None, None) => {
                return Err(format!("{line:?} precedes the first command; commands start with `$ `"));
            }
        }
        is_continued = text.is_some_and(|text| text.ends_with('\\'));
    }
    if commands.is_empty() { Err("the block has no command".to_owned()) } else { Ok(commands) }
}

/// Whether output is what a page shows. Pages have no spaces at the ends of lines.
pub fn matches(shown: &[String], output: &str) -> bool {
    let output: Vec<&str> = output.lines().map(str::trim_end).collect();
    let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
    match_lines(&shown, &output)
}

fn match_lines(shown: &[&str], output: &[&str]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((&"…", rest)) => (0..=output.len()).any(|skipped| match_lines(rest, &output[skipped..])),
        Some((line, rest)) => output
            .split_first()
            .is_some_and(|(first, others)| match_line(line, first) && match_lines(rest, others)),
    }
}

fn match_line(shown: &str, line: &str) -> bool {
    match shown.split_once('…') {
        None => shown == line,
        Some((head, tail)) => line.strip_prefix(head).is_some_and(|rest| {
            let places = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            places.into_iter().any(|at| match_line(tail, &rest[at..]))
        }),
    }
}

#[test]
fn an_ellipsis_stands_for_lines_and_characters() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&shown("a\n…\nd"), "a\nb\nc\nd\n"));
    assert!(matches(&shown("a … c\n…"), "a b c  \n"));
    assert!(!matches(&shown("a\n…\nd"), "a\nb\n"));
    assert!(!matches(&shown("a … c"), "a b\n"));
    assert!(!matches(&shown("a"), "a\nb\n"));
}

#[test]
fn unknown_marks_and_wrong_reasons_are_refused() {
    let problem = |text: &str| Page::read(text).err().unwrap_or_default();
    assert!(problem("<!-- needs a clutser -->\n```console\n$ oc get\n```\n").contains("unknown mark"));
    assert!(problem("<!-- needs a cluster -->\n```console\n$ rhoso-fn list\n```\n").contains("must run"));
    assert!(problem("```console\nrhoso-fn list\n```\n").contains("commands start with"));
    assert!(problem("```console\n$ rhoso-fn list\n").contains("does not end"));
    let page =
        Page::read("1. x\n\n   <!-- exits with 2 -->\n   ```console\n   $ a \\\n       b\n   out\n   ```\n")
            .unwrap();
    let command = &page.blocks[0].commands[0];
    assert_eq!((command.text.as_str(), command.output.join("\n").as_str()), ("a \\\n    b", "out"));
    assert!(
        page.with_output(vec![(command, "new\nlines\n".to_owned())])
            .contains("b\n   new\n   lines\n   ```\n")
    );
}
