//! `check --ran`: whether the functions of a package have run on rendered manifests.
//!
//! kustomize skips functions without an error if an option is missing, and Argo CD syncs the result.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::checks::rules;
use crate::cli::exclude::Exclude;
use crate::cli::manifests::{self, Request};
use crate::krm::{
    File, Finding, Id, KUSTOMIZATIONS, Kustomization, Located, Package, Registry, Resource, Results, Severity,
};
use crate::yaml;

/// How many objects a message names.
const SHOWN: usize = 3;

/// The functionConfigs of the given files and packages, and the resources beside them.
#[derive(Debug)]
pub struct Functions {
    package: Package,
    /// Files of functionConfigs that a kustomization patches, with the directory of that kustomization.
    patched: BTreeMap<String, PathBuf>,
}

impl Functions {
    pub fn read(paths: &[PathBuf], registry: &Registry) -> Result<Self> {
        let mut collected = Collected::default();
        for path in paths {
            let before = collected.functions(registry);
            if path.is_dir() && kustomization(path).is_none() {
                let request =
                    Request { paths: std::slice::from_ref(path), output: None, exclude: &Exclude::default() };
                for manifest in manifests::find(request, &mut Results::default())?.0 {
                    collected.file(&manifest.path, None)?;
                }
            } else {
                collected.path(path, Role::Resource, None)?;
            }
            if collected.functions(registry) == before {
                bail!("no functionConfig (API group {}) in {}", registry.group, path.display());
            }
        }
        let mut results = Results::default();
        let package = Package::read(collected.files, registry, &mut results);
        // A resource that cannot be read is not needed, but a functionConfig is.
        let is_function = |finding: &&Finding| {
            let file =
                package.files().iter().find(|file| Some(&file.path) == finding.location.place.file.as_ref());
            finding.severity == Severity::Error && file.is_some_and(|file| file.text.contains(registry.group))
        };
        match results.into_sorted().iter().find(is_function) {
            Some(error) => bail!("{error}"),
            None => Ok(Functions { package, patched: collected.patched }),
        }
    }

    /// Reports the functions that have not run on the resources of a package.
    pub fn report(&self, rendered: &Package, registry: &Registry) -> Vec<Finding> {
        let mut results = Results::default();
        for config in self.package.configs() {
            let patched = config.place().file.and_then(|file| self.patched.get(&file));
            match patched {
                Some(directory) => report_patched(config, directory, &mut results),
                None => self.report_one(config, rendered, registry, &mut results),
            }
        }
        results.into_sorted()
    }

    fn report_one(&self, config: &Resource, rendered: &Package, registry: &Registry, results: &mut Results) {
        let rerun = match rendered.rerun(config, &self.package, registry) {
            Ok(rerun) => rerun,
            Err(fault) => {
                results.add(fault.into_finding());
                return;
            }
        };
        if rerun.is_validator {
            rerun.findings.into_iter().for_each(|finding| {
                results.add(finding);
            });
            return;
        }
        let error = rerun.findings.iter().find(|finding| finding.severity == Severity::Error);
        let why = match error {
            Some(error) => format!("it fails on these resources: {}", error.message),
            None if rerun.pending.is_empty() => return,
            None => format!("it would still change {}", shown(&rerun.pending)),
        };
        report(config, &why, results);
    }
}

fn report_patched(config: &Resource, directory: &Path, results: &mut Results) {
    let directory = directory.display();
    let message = format!(
        "not verified: the kustomization in {directory} changes this functionConfig before it runs; pass the output of \
         `kustomize build {directory}` to `--ran`"
    );
    results.warning(&rules::FUNCTION_NOT_RUN, message).on(config);
}

fn report(config: &Resource, why: &str, results: &mut Results) {
    let message = format!(
        "this function has not run: {why}; build with `--enable-alpha-plugins --enable-exec`, and list the function \
         under `transformers` or `generators`"
    );
    results.error(&rules::FUNCTION_NOT_RUN, message).on(config);
}

fn shown(objects: &[Id]) -> String {
    let mut names: Vec<String> = objects.iter().take(SHOWN).map(ToString::to_string).collect();
    if objects.len() > SHOWN {
        names.push(format!("{} more", objects.len() - SHOWN));
    }
    names.join(", ")
}

fn kustomization(directory: &Path) -> Option<PathBuf> {
    KUSTOMIZATIONS.iter().map(|name| directory.join(name)).find(|path| path.is_file())
}

/// How a kustomization is reached: as resources, or as functionConfigs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Resource,
    Function,
}

/// The files that kustomizations reach, and their inline functionConfigs.
#[derive(Debug, Default)]
struct Collected {
    files: Vec<File>,
    patched: BTreeMap<String, PathBuf>,
    seen: BTreeSet<PathBuf>,
}

impl Collected {
    /// The number of files with functionConfigs.
    fn functions(&self, registry: &Registry) -> usize {
        self.files.iter().filter(|file| file.text.contains(registry.group)).count()
    }

    /// A file, or what a kustomization and those that it refers to list.
    fn path(&mut self, path: &Path, role: Role, patched: Option<&Path>) -> Result<()> {
        let real = fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !self.seen.insert(real) {
            return Ok(());
        }
        if !path.is_dir() {
            return self.file(path, patched);
        }
        let Some(file) = kustomization(path) else { return Ok(()) };
        let text = text(&file)?;
        let Kustomization { resources, functions, changes_content, .. } = match Kustomization::parse(&text) {
            Ok(kustomization) => kustomization,
            Err(error) => bail!("{}: {}", file.display(), error.message()),
        };
        // Patches apply to the resources of a kustomization. Those are functionConfigs if another one lists it as such.
        let own = Some(path).filter(|_| role == Role::Function && changes_content).or(patched);
        for entry in resources {
            let is_function = functions.contains(&entry);
            let (role, patched) = if is_function { (Role::Function, patched) } else { (role, own) };
            let below = path.join(&entry);
            if entry.contains('\n') {
                self.add(&file, entry, patched);
            } else if below.exists() {
                self.path(&below, role, patched)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, patched: Option<&Path>) -> Result<()> {
        let text = text(path)?;
        self.add(path, text, patched);
        Ok(())
    }

    fn add(&mut self, path: &Path, text: String, patched: Option<&Path>) {
        // Without `..`, which kustomizations use to refer to each other.
        let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        let real = fs::canonicalize(path).ok();
        let below = real.as_deref().and_then(|real| real.strip_prefix(&here).ok());
        let path = below.filter(|_| path.is_relative()).unwrap_or(path).display().to_string();
        if let Some(directory) = patched {
            self.patched.insert(path.clone(), directory.to_owned());
        }
        self.files.push(File { path, text: text.into() });
    }
}

fn text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match yaml::utf8(&bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => bail!("{}: {}", path.display(), error.message()),
    }
}
