//! The commands in the documentation run, and print what the pages show.
//!
//! Each page runs in a copy of `examples` and `functions`: README.md and `docs` start at its root, and the README of
//! an example in the directory of the example. Blocks of one page run in order and share the directory, so a page can
//! change to a directory or use a file that an earlier block has written. If a page begins with the comment
//! `<!-- each section starts at the root -->`, each heading changes back to the first directory.
//!
//! - A ```` ```console ```` block has commands, each after `$ `, and may show their output. A line `…` stands for any lines,
//!   and `…` inside a line for any characters. Without output, the exit code alone must be right: 0, or the code
//!   that the comment `<!-- exits with 1 -->` on the line before gives for the last command of the block.
//! - `<!-- file: PATH -->` before any other block writes the block to a file, and `<!-- change: PATH -->` before a
//!   ```` ```diff ```` block replaces its old lines with its new ones.
//! - Blocks with a comment of [`SKIPPED`] do not run.
//!
//! `UPDATE=1 cargo test --test suite doc_blocks` writes the output of commands into the pages.

mod links;
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use self::page::{Block, Command, Mark, Page};
use crate::host::{BINARY, Ended, diff, files_below, kustomize, root, run_with, tool, tool_if_present};
use crate::stories::copy;

/// Why blocks do not run, and words of which such a block must contain one.
const SKIPPED: &[(&str, &[&str])] = &[
    ("needs a cluster", &["oc ", "kubectl ", "argocd "]),
    ("needs a registry", &["podman ", "docker ", "buildah ", "skopeo ", "cosign "]),
    ("needs a package manager", &["dnf ", "apt ", "pre-commit ", "docker ", "podman "]),
    ("needs a release", &["curl ", "tar "]),
    ("builds from source", &["cargo ", "make "]),
    ("needs a Git remote", &["git "]),
];

/// The pages whose commands run.
fn pages() -> Vec<PathBuf> {
    let in_docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let of_examples = fs::read_dir(root().join("examples")).unwrap();
    let of_examples = of_examples.map(|entry| entry.unwrap().path().join("README.md"));
    let mut pages: Vec<PathBuf> = in_docs
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .chain(of_examples.filter(|path| path.is_file()))
        .chain([root().join("README.md")])
        .collect();
    pages.sort();
    pages
}

/// What ran, and what did not.
#[derive(Default)]
struct Counts {
    blocks: usize,
    commands: usize,
    skipped: BTreeMap<String, usize>,
}

/// A copy of what the pages use, with the programs that they run.
struct Scratch {
    dir: tempfile::TempDir,
    /// The directory of the first command.
    start: PathBuf,
    /// The directory of the next command.
    cwd: PathBuf,
}

impl Scratch {
    fn new(page: &Path) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repository = dir.path().join("rhoso-fn");
        for part in ["examples", "functions"] {
            copy(&root().join(part), &repository.join(part));
        }
        let bin = dir.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(dir.path().join("home")).unwrap();
        let link = |target: &Path, name: &str| std::os::unix::fs::symlink(target, bin.join(name)).unwrap();
        link(Path::new(BINARY), "rhoso-fn");
        for (name, path) in [("kustomize", kustomize()), ("kpt", tool("kpt"))] {
            if let Some(path) = path {
                link(&path, name);
            }
        }
        let folder = page.parent().unwrap().strip_prefix(root()).unwrap();
        let folder = if folder.starts_with("examples") { folder } else { Path::new("") };
        let start = repository.join(folder);
        Self { dir, cwd: start.clone(), start }
    }

    /// Whether a program is missing that a block runs.
    fn lacks_program(&self, block: &Block) -> bool {
        ["kustomize", "kpt", "kubectl"].iter().any(|name| {
            let is_used = block.commands.iter().any(|command| {
                let mut words = command.text.split([' ', '|', '(', '\n']);
                words.any(|word| word == *name)
            });
            let is_linked = self.dir.path().join("bin").join(name).exists();
            is_used && !is_linked && tool_if_present(name).is_none()
        })
    }

    /// Runs a command, and remembers the directory to which it changes.
    fn run(&mut self, command: &Command) -> Ended {
        let place = self.dir.path().join("cwd");
        let script = format!("trap 'pwd > {}' EXIT\nexec 2>&1\n{}\n", place.display(), command.text);
        let bin = self.dir.path().join("bin");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let home = self.dir.path().join("home");
        let variables = [("PATH", path.as_str()), ("HOME", home.to_str().unwrap())];
        let ended = run_with("bash", &["-o", "pipefail", "-c", &script], b"", &self.cwd, &variables);
        self.cwd = PathBuf::from(fs::read_to_string(place).unwrap().trim_end());
        ended
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.cwd.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces the old lines of a diff with its new lines.
    fn change(&self, file: &str, diff: &str) -> Result<(), String> {
        let side = |other: char| -> String {
            let lines = diff.lines().filter(|line| !line.starts_with(other));
            lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
        };
        let path = self.cwd.join(file);
        let before = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        let after = before.replacen(&side('+'), &side('-'), 1);
        if before == after {
            return Err(format!("{file} does not contain the old lines of the diff:\n{before}"));
        }
        fs::write(path, after).map_err(|error| format!("{file}: {error}"))
    }
}

/// Runs the blocks of a page. With UPDATE, writes the output of its commands.
fn run_page(path: &Path, counts: &Mutex<Counts>) -> Result<(), String> {
    let text = fs::read_to_string(path).unwrap();
    let page = Page::read(&text)?;
    let mut scratch = Scratch::new(path);
    let mut updates = Vec::new();
    for block in &page.blocks {
        let at = |problem: String| format!("line {}: {problem}", block.line);
        if block.is_at_root {
            scratch.cwd = scratch.start.clone();
        }
        match &block.mark {
            Some(Mark::File(file)) => scratch.write(file, &block.text),
            Some(Mark::Change(file)) => scratch.change(file, &block.text).map_err(at)?,
            Some(Mark::Skip(reason)) => {
                *counts
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .skipped
                    .entry(reason.clone())
                    .or_default() += 1;
            }
            _ if scratch.lacks_program(block) => {
                *counts
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .skipped
                    .entry("lacks a program".to_owned())
                    .or_default() += 1;
            }
            mark => {
                updates.extend(run_block(&mut scratch, block, mark.as_ref()).map_err(at)?);
                let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                counts.blocks += 1;
                counts.commands += block.commands.len();
            }
        }
    }
    if !updates.is_empty() {
        // Another test writes the tables in README.md.
        if fs::read_to_string(path).unwrap() != text {
            return Err("the page has changed meanwhile; run `UPDATE=1 cargo test` again".to_owned());
        }
        fs::write(path, page.with_output(updates)).unwrap();
    }
    Ok(())
}

/// Runs the commands of a block. With UPDATE, returns the commands whose output changed, and their new output.
fn run_block<'a>(
    scratch: &mut Scratch,
    block: &'a Block,
    mark: Option<&Mark>,
) -> Result<Vec<(&'a Command, String)>, String> {
    let mut updates = Vec::new();
    for (index, command) in block.commands.iter().enumerate() {
        let ended = scratch.run(command);
        let is_last = index + 1 == block.commands.len();
        let code = if let (Some(Mark::Code(code)), true) = (mark, is_last) { *code } else { 0 };
        if ended.code != Some(code) {
            return Err(format!(
                "`{}` exits with {:?} instead of {code}:\n{}",
                command.text, ended.code, ended.stdout
            ));
        }
        let expected = command.output.join("\n");
        if !command.output.is_empty() && !page::matches(&command.output, &ended.stdout) {
            if std::env::var_os("UPDATE").is_none() || expected.contains('…') {
                let difference = diff(&format!("{expected}\n"), &ended.stdout);
                return Err(format!("`{}` does not print what the page shows:\n{difference}", command.text));
            }
            updates.push((command, ended.stdout));
        }
    }
    Ok(updates)
}

#[test]
fn commands_in_the_documentation_run() {
    let (pages, counts, failures) = (pages(), Mutex::new(Counts::default()), Mutex::new(Vec::new()));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(problem) = run_page(page, &counts) {
                        let name = page.strip_prefix(root()).unwrap().display();
                        failures.lock().unwrap().push(format!("{name}: {problem}"));
                    }
                }
            });
        }
    });
    let counts = counts.into_inner().unwrap();
    let Counts { blocks, commands, skipped } = counts;
    println!(
        "{} pages: {commands} commands in {blocks} blocks ran; skipped blocks: {skipped:?}",
        pages.len()
    );
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "{}\nIf the new output is right, run `UPDATE=1 cargo test`.",
        failures.join("\n\n")
    );
    assert!(commands > 0);
}

/// All pages that people read.
fn all_pages() -> Vec<PathBuf> {
    let folders = ["docs", "examples", "functions", "benches"];
    let mut pages: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files_below(&root().join(folder))).collect();
    pages.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages
}
