//! Guards the cost of a resource without a clock: the number of instructions, counted by valgrind, memory, and the
//! size of the binary. All are measured on the release binary, which `make test` builds. `make cost` updates
//! the figures.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::host::{Ended, demanded, root, run, run_with, tool};

#[path = "cost/growth.rs"]
mod growth;
#[path = "../../benches/resources.rs"]
#[allow(dead_code, reason = "the benches use the rest")]
mod resources;
#[path = "../../benches/styles.rs"]
#[allow(dead_code, reason = "the benches use the rest")]
mod styles;

/// The styles whose cost is guarded: that of kustomize, and three that need other parts of the fast reader.
const GUARDED: [&str; 4] = ["plain", "crlf", "flow", "json"];

const SHIPPED: &str = "target/amd64/x86_64-unknown-linux-gnu/release/rhoso-fn";
const FIGURE: &str = "benches/instructions-per-resource.txt";
/// The maximum size of the binary, in bytes.
const LARGEST: u64 = 5_000_000;

/// The release binary, if it is newer than the sources.
fn shipped() -> Option<PathBuf> {
    let binary = root().join(SHIPPED);
    let built = fs::metadata(&binary).and_then(|data| data.modified()).ok();
    let current = built.is_some_and(|built| built >= latest_change(&root().join("src")));
    demanded("a static binary for amd64 that is newer than the sources", current.then_some(binary))
}

fn latest_change(folder: &Path) -> SystemTime {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            if path.is_dir() { latest_change(&path) } else { fs::metadata(path).unwrap().modified().unwrap() }
        })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

#[test]
fn the_binary_is_small() {
    if let Some(binary) = shipped() {
        let size = fs::metadata(binary).unwrap().len();
        assert!(size <= LARGEST, "{size} bytes are more than {LARGEST}");
    }
}

/// Releases have nothing to unwind with, so that a backtrace would abort the program.
#[test]
fn errors_are_reported_without_backtraces() {
    let Some(binary) = shipped() else { return };
    let dir = tempfile::tempdir().unwrap();
    let ended = run_with(&binary, &["check", "missing.yaml"], b"", dir.path(), &[("RUST_BACKTRACE", "1")]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert_eq!(ended.stderr, "rhoso-fn: error: cannot read missing.yaml: No such file or directory\n");
}

/// The texts of all files before and after are in memory once, and nothing else of their size.
#[test]
fn render_needs_at_most_three_times_the_memory_of_its_files() {
    let Some(binary) = shipped() else { return };
    let dir = tempfile::tempdir().unwrap();
    let config = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: SetSyncWaves\nmetadata:\n  name: waves\nspec:\n  rules:\n  - match: {name: \"*\"}\n    wave: 5\n";
    fs::write(dir.path().join("waves.yaml"), config).unwrap();
    let text = resources::documents(3500);
    let documents: Vec<&str> = text.split("---\n").collect();
    for (number, documents) in documents.chunks(20).enumerate() {
        fs::write(dir.path().join(format!("{number}.yaml")), documents.join("---\n")).unwrap();
    }
    let mut command = Command::new(&binary);
    let mut child = command.arg("render").arg(dir.path()).stdout(Stdio::piped()).spawn().unwrap();
    // When the first byte arrives, all work is done, and the rest does not fit into the pipe.
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    let ratio = (peak << 10) as f64 / text.len() as f64;
    assert!(
        (1.0..=3.0).contains(&ratio),
        "{peak} KB are {ratio:.2} times the {} bytes of the files",
        text.len()
    );
}

/// The number of instructions of a run, and how it ended.
fn instructions(valgrind: &Path, binary: &Path, args: &[&str], stdin: &str, dir: &Path) -> (f64, Ended) {
    let all = ["--tool=callgrind", "--callgrind-out-file=/dev/null", binary.to_str().unwrap()];
    let ended = run(valgrind, &[&all, args].concat(), stdin.as_bytes(), dir);
    let (_, count) = ended.stderr.split_once("Collected : ").unwrap_or_else(|| panic!("{}", ended.stderr));
    (count.split_whitespace().next().unwrap().parse().unwrap(), ended)
}

#[test]
fn a_resource_costs_as_many_instructions_as_before() {
    let (Some(binary), Some(valgrind)) = (shipped(), tool("valgrind")) else { return };
    let dir = tempfile::tempdir().unwrap();
    let count = |style: &str, resources: usize| -> f64 {
        let list = styles::styled(style, resources).unwrap();
        let (count, ended) = instructions(&valgrind, &binary, &[], &list, dir.path());
        assert!(ended.success, "{}", ended.stderr);
        count
    };
    // The difference between two runs excludes the start-up cost.
    let each = GUARDED.map(|style| (style, (count(style, 325) - count(style, 125)) / 200.0));
    let figure = root().join(FIGURE);
    if std::env::var_os("UPDATE_COST").is_some() {
        let lines: String = each.iter().map(|(style, each)| format!("{style} {each:.0}\n")).collect();
        fs::write(&figure, lines).unwrap();
    }
    let figures = fs::read_to_string(figure).unwrap();
    for (style, each) in each {
        let line = figures.lines().find_map(|line| line.strip_prefix(style));
        let noted: f64 = line.unwrap_or_else(|| panic!("{FIGURE} has no {style}")).trim().parse().unwrap();
        let ratio = each / noted;
        assert!(
            (0.9..=1.1).contains(&ratio),
            "a resource in the style {style} costs {each:.0} instructions, {ratio:.2} times the {noted:.0} of {FIGURE}; \
             if that is as it should be, `make cost` notes it"
        );
    }
}
