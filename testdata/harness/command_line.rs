//! Help, manual pages, completions, and what all commands have in common.

use std::fs;

use clap_complete::Shell;
use rhoso_fn::cli;
use rhoso_fn::functions::REGISTRY;
use serde_json::Value;

use crate::host::{BINARY, expect, root, run, run_with, tool_if_present};
use crate::manuals::current;

/// Every command, without clap's `help`.
fn names() -> Vec<String> {
    cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[test]
fn every_help_fits_80_columns_and_has_an_example() {
    let mut all: Vec<Vec<String>> = names().into_iter().map(|name| vec![name]).collect();
    all.push(Vec::new());
    assert!(all.len() > 15, "{all:?}");
    for command in all {
        for flag in ["--help", "-h"] {
            let args: Vec<&str> = command.iter().map(String::as_str).chain([flag]).collect();
            let help = expect(BINARY, &args, b"", root()).stdout;
            for line in help.lines().filter(|line| !line.contains("/completions/")) {
                assert!(line.chars().count() <= 80, "{args:?}: {line}");
            }
            assert!(help.contains("\nExample:\n  "), "{args:?}: {help}");
            let example = help.split("\nExample:\n").nth(1).unwrap();
            let shown = command.first().map_or("rhoso-fn ".to_owned(), |name| format!("rhoso-fn {name}"));
            assert!(example.contains(&shown), "{args:?}: {example}");
        }
    }
}

/// `UPDATE=1 cargo test` writes them.
#[test]
fn pages_and_completions_are_current() {
    for (shell, file) in
        [(Shell::Bash, "rhoso-fn.bash"), (Shell::Zsh, "_rhoso-fn"), (Shell::Fish, "rhoso-fn.fish")]
    {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut cli::command(), "rhoso-fn", &mut script);
        // clap_complete 4.6.11 writes the name of a program with a dash in two ways, so that no case matches.
        let script = String::from_utf8(script).unwrap().replace("rhoso__subcmd__fn", "rhoso__fn");
        current(&root().join("docs/completions").join(file), &script);
    }
    let mut pages = vec![("rhoso-fn".to_owned(), cli::command())];
    let mut built = cli::command();
    built.build();
    for command in built.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("rhoso-fn-{}", command.get_name());
        pages.push((name.clone(), command.clone().display_name(name)));
    }
    for (name, command) in pages {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).title(&name).render(&mut page).unwrap();
        current(&root().join("docs/man").join(format!("{name}.1")), &String::from_utf8(page).unwrap());
    }
}

#[test]
fn completions_work_in_shells() {
    let script = expect(BINARY, &["completions", "bash"], b"", root()).stdout;
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("complete"), script).unwrap();
    let complete = |words: &str, count: usize| {
        let ask = format!(
            "source complete; COMP_WORDS=({words}); COMP_CWORD={count}; cur=${{COMP_WORDS[$COMP_CWORD]}}; \
             _rhoso__fn rhoso-fn \"$cur\" \"${{COMP_WORDS[$((COMP_CWORD-1))]}}\"; echo ${{COMPREPLY[@]}}"
        );
        expect("bash", &["-c", &ask], b"", dir.path()).stdout.trim().to_owned()
    };
    assert_eq!(complete("rhoso-fn ren", 1), "render");
    assert_eq!(complete("rhoso-fn diff --form", 2), "--format");
    assert_eq!(complete("rhoso-fn diff --format m", 3), "markdown");
    for (shell, check) in [("zsh", "-n"), ("fish", "-n")] {
        let script = expect(BINARY, &["completions", shell], b"", root()).stdout;
        assert!(script.contains("rhoso-fn") && script.contains("render"), "{script}");
        fs::write(dir.path().join(shell), script).unwrap();
        if let Some(shell_program) = tool_if_present(shell) {
            expect(shell_program, &[check, shell], b"", dir.path());
        }
    }
}

#[test]
fn manual_pages_are_printed_and_written() {
    let page = expect(BINARY, &["man"], b"", root()).stdout;
    assert!(page.contains(".TH rhoso-fn 1") && page.contains("render"), "{page}");
    let render = expect(BINARY, &["man", "render"], b"", root()).stdout;
    assert!(render.contains(".TH rhoso-fn-render 1") && render.contains("unified diff"), "{render}");
    let dir = tempfile::tempdir().unwrap();
    let written = expect(BINARY, &["man", "-o", "man1"], b"", dir.path()).stdout;
    assert_eq!(written.lines().count(), names().len() + 1, "{written}");
    let ended = run(BINARY, &["man", "rendr"], b"", root());
    assert_eq!(ended.stderr, "rhoso-fn: error: unknown command \"rendr\"; did you mean \"render\"?\n");
}

#[test]
fn functions_are_listed_for_programs() {
    let listed: Value =
        serde_json::from_str(&expect(BINARY, &["list", "-o", "json"], b"", root()).stdout).unwrap();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), REGISTRY.functions.len());
    let alias = listed.iter().find(|function| function["kind"] == "InjectGpuAlias").unwrap();
    assert_eq!((&alias["name"], &alias["type"]), (&"inject-gpu-alias".into(), &"transformer".into()));
    assert!(alias["summary"].as_str().unwrap().starts_with("Adds PCI aliases"), "{alias}");
    let version = expect(BINARY, &["version"], b"", root()).stdout;
    assert_eq!(version, expect(BINARY, &["--version"], b"", root()).stdout);
}

#[test]
fn all_schemas_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let written = expect(BINARY, &["schema", "--all", "-o", "schemas"], b"", dir.path()).stdout;
    assert_eq!(written.lines().count(), REGISTRY.functions.len() + 1, "{written}");
    let one = fs::read_to_string(dir.path().join("schemas/InjectGpuAlias.json")).unwrap();
    assert_eq!(one, expect(BINARY, &["schema", "InjectGpuAlias"], b"", root()).stdout);
    let all: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("schemas/all.json")).unwrap()).unwrap();
    assert_eq!(all["oneOf"].as_array().unwrap().len(), REGISTRY.functions.len());
    assert_eq!(expect(BINARY, &["schema", "--all", "-o", "schemas"], b"", dir.path()).stdout, "");
    for args in [&["schema"][..], &["schema", "--all"], &["schema", "InjectGpuAlias", "-o", "x"]] {
        assert_eq!(run(BINARY, args, b"", dir.path()).code, Some(2), "{args:?}");
    }
}

/// Runs a command on a terminal with some number of columns.
fn on_terminal(columns: usize, args: &str, variables: &[(&str, &str)]) -> Option<String> {
    let script = tool_if_present("script")?;
    let command = format!("stty cols {columns}; {BINARY} {args}");
    Some(run_with(script, &["-qec", &command, "/dev/null"], b"", root(), variables).stdout)
}

#[test]
fn text_fits_the_terminal() {
    for what in ["explain InjectGpuAlias", "explain pool-overlap", "render --help"] {
        let Some(shown) = on_terminal(50, what, &[("NO_COLOR", "1")]) else { return };
        let text = shown.split("```").step_by(2).collect::<String>();
        let longest = text.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
        // Words are not divided.
        assert!((40..=64).contains(&longest), "{what}: {longest}\n{shown}");
    }
    let wide = on_terminal(200, "explain InjectGpuAlias", &[]).unwrap();
    let longest = wide.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
    assert!((100..=120).contains(&longest), "{longest}");
}

#[test]
fn help_is_colored_on_a_terminal_only() {
    let Some(colored) = on_terminal(80, "render --help", &[]) else { return };
    assert!(colored.contains("\u{1b}["), "{colored}");
    assert!(!on_terminal(80, "render --help", &[("NO_COLOR", "1")]).unwrap().contains("\u{1b}["));
    assert!(!expect(BINARY, &["render", "--help"], b"", root()).stdout.contains('\u{1b}'));
}

#[test]
fn messages_have_no_numbers_of_system_errors() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    fs::write(dir.path().join("a.yaml"), "kind: A\n").unwrap();
    for args in [
        &["render", "missing"][..],
        &["render", "a.yaml", "-o", "file/x"],
        &["render", "--report", "file/x", "a.yaml"],
        &["check", "missing"],
        &["check", "a.yaml", "-o", "file/x"],
        &["check", "--crds", "missing"],
        &["check", "--ran", "missing"],
        &["map", "missing"],
        &["map", "a.yaml", "-o", "file/x"],
        &["diff", "missing", "a.yaml"],
        &["import", "missing"],
        &["install", "missing"],
        &["install", "--plugin-home", "file"],
        &["new-secrets", "-o", "file/x"],
        &["schema", "--all", "-o", "file"],
        &["man", "-o", "file"],
        &["init", "--example", "multi-rhoso", "file"],
    ] {
        let ended = run(BINARY, args, b"", dir.path());
        assert!(!ended.success && !ended.stderr.is_empty(), "{args:?}: {}", ended.stderr);
        assert!(!ended.stderr.contains("os error"), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.starts_with("rhoso-fn: error: "), "{args:?}: {}", ended.stderr);
    }
    let full = run("sh", &["-c", &format!("{BINARY} list > /dev/full")], b"", dir.path());
    assert_eq!(full.stderr, "rhoso-fn: error: cannot write to stdout: No space left on device\n");
}
