//! Stories: complete deployments in `examples/<story>` with a kustomization. kustomize, kpt and `render` must give
//! the same result, `expected.yaml`, which must be valid for the CRDs.
//!
//! `testdata/stories/<story>/<change>/` is a change of one line (`edit.yaml`: file, from, to), which the
//! README of the story shows, and its effect on the result (`result.diff`). `UPDATE=1 cargo test` writes the
//! results.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rhoso_fn::krm::{FieldPath, FieldPattern, Place, Resource};
use rhoso_fn::yaml::stream;
use serde_json::Value;

use crate::host::case::Case;
use crate::host::{BINARY, diff, expect, kustomizes, python, root, run, shared, tool};
use crate::manuals::current;

/// A story. kpt and `render` may need several runs for what kustomize builds at once, because they have no overlays.
struct Story {
    name: &'static str,
    runs: &'static [Run],
}

struct Run {
    /// The arguments of `render`.
    paths: &'static [&'static str],
    kpt: Kpt,
}

enum Kpt {
    /// Runs the pipeline of the Kptfile.
    Pipeline,
    /// Runs one function on a directory.
    Eval { package: &'static str, config: &'static str },
}

const STORIES: &[Story] = &[
    Story { name: "edpm-cells", runs: &[Run { paths: &["."], kpt: Kpt::Pipeline }] },
    Story {
        name: "gpu-machinesets",
        runs: &[Run { paths: &["gpu.yaml", "worker.yaml"], kpt: Kpt::Pipeline }],
    },
    Story {
        name: "llmops",
        runs: &[
            Run {
                paths: &["argocd"],
                kpt: Kpt::Eval { package: "argocd", config: "argocd/applications.yaml" },
            },
            Run {
                paths: &["base", "overlays/dev"],
                kpt: Kpt::Eval { package: "base", config: "overlays/dev/environment.yaml" },
            },
            Run {
                paths: &["base", "overlays/staging"],
                kpt: Kpt::Eval { package: "base", config: "overlays/staging/environment.yaml" },
            },
            Run {
                paths: &["base", "overlays/production"],
                kpt: Kpt::Eval { package: "base", config: "overlays/production/environment.yaml" },
            },
        ],
    },
    Story { name: "multi-rhoso", runs: &[Run { paths: &["."], kpt: Kpt::Pipeline }] },
    Story {
        name: "nvidia-l4-passthrough",
        runs: &[Run { paths: &["base", "overlays/rhoso1"], kpt: Kpt::Pipeline }],
    },
];

impl Story {
    fn folder(&self) -> PathBuf {
        root().join("examples").join(self.name)
    }

    /// A temporary copy.
    fn copy(&self) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        copy(&self.folder(), dir.path());
        dir
    }
}

impl Run {
    fn render(&self, folder: &Path) -> String {
        let args = [&["render"], self.paths].concat();
        expect(BINARY, &args, b"", folder).stdout
    }

    /// The resources after `fn render` or `fn eval`, in place.
    fn run_kpt(&self, kpt: &Path, folder: &Path) -> Resources {
        let (args, package): (&[&str], &str) = match self.kpt {
            Kpt::Pipeline => (&["fn", "render", ".", "--allow-exec"], "."),
            Kpt::Eval { package, config } => {
                (&["fn", "eval", package, "--exec", "rhoso-fn", "--fn-config", config], package)
            }
        };
        expect(kpt, args, b"", folder);
        without_bookkeeping(&expect(kpt, &["fn", "source", package], b"", folder).stdout)
    }
}

/// Resources by kind, namespace and name.
pub type Resources = BTreeMap<String, Value>;

pub fn resources(text: &str) -> Resources {
    let mut found = Resources::new();
    for range in stream::documents(text) {
        let resource = Resource::from_file(text.into(), range, Place::default()).unwrap();
        let local = FieldPath::new("metadata.annotations[config.kubernetes.io/local-config]");
        if resource.id().kind.is_empty() || resource.get::<String>(&local).unwrap().as_deref() == Some("true")
        {
            continue;
        }
        let value = resource.value(&FieldPath::default()).unwrap().unwrap();
        let name = resource.id().to_string();
        assert!(found.insert(name.clone(), value).is_none(), "{name} exists twice");
    }
    found
}

#[track_caller]
pub fn assert_same_resources(what: &str, expected: &Resources, actual: &Resources) {
    let names = |resources: &Resources| resources.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expected), names(actual), "{what}");
    for (name, value) in expected {
        let text = |value: &Value| serde_json::to_string_pretty(value).unwrap();
        assert!(*value == actual[name], "{what}: {name}\n{}", diff(&text(value), &text(&actual[name])));
    }
}

/// The resources of a ResourceList, without kpt's annotations.
fn without_bookkeeping(list: &str) -> Resources {
    let list = Resource::from_file(list.into(), 0..list.len(), Place::default()).unwrap();
    let mut found = Resources::new();
    for item in list.fields(&FieldPattern::new("items[*]")).unwrap() {
        let mut item = Resource::new(&list.value(&item).unwrap().unwrap()).unwrap();
        for path in item.fields(&FieldPattern::new("metadata.annotations.*")).unwrap() {
            let name = path.to_string();
            let is_bookkeeping = name.contains("[internal.config.kubernetes.io/")
                || ["[config.kubernetes.io/path]", "[config.kubernetes.io/index]"]
                    .iter()
                    .any(|key| name.contains(key));
            if is_bookkeeping {
                item.remove(&path).unwrap();
            }
        }
        let annotations = FieldPath::new("metadata.annotations");
        let is_empty = |value: Value| value == Value::Object(serde_json::Map::new());
        if item.value(&annotations).unwrap().is_some_and(is_empty) {
            item.remove(&annotations).unwrap();
        }
        if !["Kptfile", "Kustomization"].contains(&item.id().kind.as_str()) {
            found.extend(resources(item.text()));
        }
    }
    found
}

/// Runs a story in every host, in kpt several times, checks that the results are the same, and returns the result.
fn through_hosts(
    story: &Story,
    folder: &Path,
    kustomizes: &[(String, PathBuf)],
    times_in_kpt: &[&str],
) -> String {
    let rendered: Vec<String> = story.runs.iter().map(|run| run.render(folder)).collect();
    if let Some(kpt) = tool("kpt") {
        for (run, rendered) in story.runs.iter().zip(&rendered) {
            let dir = tempfile::tempdir().unwrap();
            copy(folder, dir.path());
            for time in times_in_kpt {
                assert_same_resources(
                    &format!("kpt, {time}"),
                    &resources(rendered),
                    &run.run_kpt(&kpt, dir.path()),
                );
            }
        }
    }
    let rendered = rendered.join("---\n");
    let expected = resources(&rendered);
    for (version, kustomize) in kustomizes {
        let args = ["build", "--enable-alpha-plugins", "--enable-exec", "."];
        let built = expect(kustomize, &args, b"", folder).stdout;
        assert_same_resources(&format!("kustomize {version}"), &expected, &resources(&built));
    }
    rendered
}

/// Checks for unknown fields: Kubernetes kinds with a strict decoder, and others with the CRDs next to the
/// project, if they exist.
fn assert_valid(what: &str, manifests: &str) {
    if let Some(decode) = tool("strict-decode") {
        let decoded = run(&decode, &[], manifests.as_bytes(), root());
        assert!(decoded.success, "{what}: {}", decoded.stderr);
    }
    if let (Some(check), Some(python)) = (shared("tools/check-crd"), python()) {
        let checked = run(&python, &[check.to_str().unwrap()], manifests.as_bytes(), root());
        assert!(checked.success, "{what}: {}", checked.stdout);
    }
}

#[test]
fn what_is_generated_is_valid() {
    // Check all at once, because reading the CRDs takes longer than validating.
    let generated: Vec<String> = Case::all().into_iter().map(|case| case.outcome.generated).collect();
    let generated: Vec<&str> = generated.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    assert_valid("golden cases", &generated.join("---\n"));
}

#[test]
fn stories_are_the_same_in_every_host() {
    for story in STORIES {
        let rendered = through_hosts(story, story.copy().path(), &kustomizes(), &["once", "twice"]);
        current(&story.folder().join("expected.yaml"), &rendered);
        assert_valid(story.name, &rendered);
    }
}

#[test]
fn stories_change_by_one_line() {
    for story in STORIES {
        let readme = fs::read_to_string(story.folder().join("README.md")).unwrap();
        let expected = fs::read_to_string(story.folder().join("expected.yaml")).unwrap();
        let edits = root().join("testdata/stories").join(story.name);
        for edit in fs::read_dir(&edits).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let text = fs::read_to_string(edit.join("edit.yaml")).unwrap();
            let read = Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap();
            let [file, from, to] =
                ["file", "from", "to"].map(|key| read.get::<String>(&FieldPath::new(key)).unwrap().unwrap());
            let change = diff(&format!("{from}\n"), &format!("{to}\n"));
            let lines = change.lines().filter(|line| line.starts_with(['-', '+']));
            for shown in lines.chain([file.as_str()]) {
                assert!(readme.contains(shown), "{}'s README does not show {shown:?}", story.name);
            }
            let copy = story.copy();
            let path = copy.path().join(&file);
            let before = fs::read_to_string(&path).unwrap();
            let after = before.replacen(&format!("{from}\n"), &format!("{to}\n"), 1);
            assert_ne!(before, after, "{file} has no line {from:?}");
            fs::write(&path, after).unwrap();
            let all = kustomizes();
            let newest = &all[all.len().saturating_sub(1)..];
            let result = through_hosts(story, copy.path(), newest, &["once"]);
            current(&edit.join("result.diff"), &diff(&expected, &result));
        }
    }
}

#[test]
fn the_overlays_of_instances_add_up_to_the_whole() {
    let folder = root().join("examples/multi-rhoso");
    let expected = resources(&fs::read_to_string(folder.join("expected.yaml")).unwrap());
    for (version, kustomize) in kustomizes() {
        let built = fs::read_dir(folder.join("overlays")).unwrap().map(|overlay| {
            let args = ["build", "--enable-alpha-plugins", "--enable-exec", "."];
            expect(&kustomize, &args, b"", &overlay.unwrap().path()).stdout
        });
        let all = built.collect::<Vec<_>>().join("---\n");
        assert_same_resources(&format!("kustomize {version}"), &expected, &resources(&all));
    }
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
