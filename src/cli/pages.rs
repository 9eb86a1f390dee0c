//! `completions` and `man`: what is generated from the command line when the program is built.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::command_line::Shell;
use super::file_set::{self, Content, NewFile};
use super::{PROGRAM, Reply};
use crate::docs;
use crate::krm::{Hint, quoted};

pub fn completions(shell: Shell) -> Reply {
    let file = match shell {
        Shell::Bash => "completions/rhoso-fn.bash",
        Shell::Zsh => "completions/_rhoso-fn",
        Shell::Fish => "completions/rhoso-fn.fish",
    };
    let script = docs::pages().into_iter().find(|(path, _)| path == file);
    Reply::text(script.map(|(_, text)| text).unwrap_or_default())
}

pub fn man(command: Option<&str>, output: Option<&Path>) -> Result<Reply> {
    let pages: Vec<(String, String)> = docs::pages()
        .into_iter()
        .filter_map(|(path, text)| Some((path.strip_prefix("man/")?.to_owned(), text)))
        .collect();
    if let Some(root) = output {
        let file = |(name, text): &'_ (String, String)| (PathBuf::from(name), text.clone());
        let files: Vec<(PathBuf, String)> = pages.iter().map(file).collect();
        let new: Vec<NewFile> = files
            .iter()
            .map(|(below, text)| NewFile { root, below: below.clone(), content: Content::Text(text) })
            .collect();
        return Ok(Reply::paths(&file_set::write(&new)?));
    }
    let name = command.map_or_else(|| format!("{PROGRAM}.1"), |command| format!("{PROGRAM}-{command}.1"));
    let Some((_, page)) = pages.iter().find(|(page, _)| *page == name) else {
        let command = command.unwrap_or_default();
        let prefix = format!("{PROGRAM}-");
        let commands = pages.iter().filter_map(|(page, _)| page.strip_prefix(&prefix)?.strip_suffix(".1"));
        bail!("unknown command {}{}", quoted(command), Hint::among(command, commands).suffix());
    };
    Ok(Reply::text(page.clone()))
}
