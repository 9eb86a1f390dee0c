//! The programs that the tests run: the built binary, and real hosts and tools.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod case;
pub mod refusals;

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const BINARY: &str = env!("CARGO_BIN_EXE_rhoso-fn");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Additional test data next to the project, if it exists. It is never required.
pub fn shared(below: &str) -> Option<PathBuf> {
    let path = root().parent()?.join("shared").join(below);
    path.exists().then_some(path)
}

/// A program from `.tools`, where `make tools` puts it, or from the PATH.
///
/// See [`demanded`] for what happens when it is missing.
pub fn tool(name: &str) -> Option<PathBuf> {
    let own = Some(root().join(".tools/bin").join(name)).filter(|path| path.is_file());
    demanded(name, own.or_else(|| tool_if_present(name)))
}

/// An optional program, which the project does not install.
pub fn tool_if_present(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// All supported versions of kustomize; the newest is the last.
pub fn kustomizes() -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = std::fs::read_dir(root().join(".tools/kustomize"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path.join("kustomize")))
        .filter(|(_, path)| path.is_file())
        .collect();
    found.sort();
    if found.is_empty() {
        found.extend(tool("kustomize").map(|path| ("on the PATH".to_owned(), path)));
    }
    found
}

/// The newest kustomize.
pub fn kustomize() -> Option<PathBuf> {
    kustomizes().pop().map(|(_, path)| path)
}

/// The Python that has PyYAML and oslo.config.
pub fn python() -> Option<PathBuf> {
    let own = root().join(".tools/python/bin/python");
    demanded("the Python of the oracles", Some(own).filter(|path| path.exists()))
}

/// A requirement of a test, if it was found. Otherwise the test is skipped, and `make test` lists it at the
/// end.
///
/// `make test` sets RHOSO_FN_DEMAND if it has prepared everything. Then a skipped test is a failure.
#[track_caller]
pub fn demanded<T>(name: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        assert!(
            std::env::var_os("RHOSO_FN_DEMAND").is_none(),
            "missing: {name}; `make tools python image` builds what the tests need"
        );
        note_skip(name);
    }
    found
}

/// Adds a line to the file that `testdata/tools/skips` reads, if `make test` asks for it.
fn note_skip(name: &str) {
    if let Some(file) = std::env::var_os("RHOSO_FN_SKIPPED") {
        let thread = std::thread::current();
        // The golden cases look up their hosts before the first test starts.
        let test = thread.name().filter(|name| *name != "main").unwrap_or("golden cases");
        let line = format!("test\t{name}\t{test}\n");
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}

/// The result of running a program.
#[derive(Debug)]
pub struct Ended {
    pub success: bool,
    /// None if a signal ended the program.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program in a clean environment: only a separate home directory, and a PATH that starts with the
/// built binary.
pub fn run(program: impl AsRef<OsStr>, args: &[&str], stdin: &[u8], cwd: &Path) -> Ended {
    run_with(program, args, stdin, cwd, &[])
}

/// The same, with additional environment variables.
pub fn run_with(
    program: impl AsRef<OsStr>,
    args: &[&str],
    stdin: &[u8],
    cwd: &Path,
    variables: &[(&str, &str)],
) -> Ended {
    let mut child = command(program.as_ref(), cwd)
        .args(args)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{} does not start: {e}", program.as_ref().to_string_lossy()));
    let mut pipe = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    // A program may exit without reading all of its stdin.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Ended {
        success: output.status.success(),
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A program in a clean environment.
pub fn command(program: &OsStr, cwd: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(cwd).env_clear().env("PATH", path_with_binary()).env("HOME", cwd);
    // Most programs in Go end before it is worth collecting garbage. The API server stays below the limit.
    command.env("GOGC", "off").env("GOMEMLIMIT", "2GiB");
    command
}

fn path_with_binary() -> std::ffi::OsString {
    let own = Path::new(BINARY).parent().unwrap().to_owned();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&paths))).unwrap()
}

/// Runs a program that must succeed.
#[track_caller]
pub fn expect(program: impl AsRef<OsStr>, args: &[&str], stdin: &[u8], cwd: &Path) -> Ended {
    let ended = run(program.as_ref(), args, stdin, cwd);
    assert!(ended.success, "{} {args:?} failed:\n{}", program.as_ref().to_string_lossy(), ended.stderr);
    ended
}

/// Asserts that two strings are equal, and shows a diff otherwise.
#[track_caller]
pub fn assert_same(what: &str, expected: &str, actual: &str) {
    if expected != actual {
        panic!("{what} differs from what was expected:\n{}", diff(expected, actual));
    }
}

pub fn diff(old: &str, new: &str) -> String {
    // Myers, the default, shows removals where lines are only added.
    let diff = similar::TextDiff::configure().algorithm(similar::Algorithm::Patience).diff_lines(old, new);
    diff.unified_diff().context_radius(3).to_string()
}

/// All files below a directory, sorted by name.
pub fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}
