//! Which files are checked together.
//!
//! Rules compare resources of one cluster. A tree of files can describe many: overlays of one base, examples beside each
//! other, rendered output beside its source. So files are divided into deployments, and a file can be in several:
//!
//! - what a kustomization reaches, for each kustomization that no other one refers to;
//! - other files below the same kustomization or kpt package, or below none, divided into alternatives if they contain
//!   the same object; examples, tests and archived files by themselves;
//! - values files of one topology, as in the repository openstack-k8s-operators/architecture, where control plane and
//!   compute nodes are separate kustomizations.

mod alternatives;
mod copied;
mod part;
mod topologies;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

pub use self::copied::Copied;

use self::alternatives::Cluster;
use super::manifests::Layout;
use crate::krm::{Changes, CollectOrdered, ObjectKey, Severity};

/// A file to be checked. Stdin has no path.
#[derive(Debug)]
pub struct Source<'t> {
    pub real: Option<PathBuf>,
    /// The directory of examples, tests or archived files that contains the file.
    pub apart: Option<PathBuf>,
    pub text: &'t str,
    /// The objects in the file, without local ones.
    pub objects: Vec<ObjectKey>,
    /// Whether the user named the file, and not a directory above it.
    pub is_named: bool,
    /// Whether the file contains functionConfigs of validators and nothing else.
    pub is_validator: bool,
}

/// Files that describe one cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deployment {
    /// The positions of the files.
    pub files: Vec<usize>,
    /// How kustomizations change the objects of these files.
    pub changes: Changes,
    /// Set if the files may be alternatives, of which only repeated objects are reported: how severe these are.
    pub alternatives: Option<Severity>,
    /// Whether the files are a part of a cluster, and perhaps alternatives: what is missing may be elsewhere.
    pub is_partial: bool,
}

impl Deployment {
    fn new(files: Vec<usize>, changes: Changes) -> Self {
        Deployment { files, changes, alternatives: None, is_partial: false }
    }
}

pub fn divide(sources: &[Source<'_>], layout: &Layout) -> (BTreeSet<Deployment>, Copied) {
    let positions: HashMap<&Path, usize> = sources
        .iter()
        .enumerate()
        .filter_map(|(position, file)| Some((file.real.as_deref()?, position)))
        .collect();
    let mut deployments = BTreeSet::new();
    let mut reached = BTreeSet::new();
    let mut copied = Copied::default();
    for root in roots(layout) {
        let mut found = Reached { copied: Some(BTreeSet::new()), ..Reached::default() };
        found.follow(root, layout, &positions, sources);
        found.files.iter().for_each(|file| copied.add(*file, found.copied.as_ref()));
        reached.extend(found.files.iter().copied());
        deployments.insert(found.into_deployment());
    }
    let mut others: BTreeMap<Home<'_>, Vec<usize>> = BTreeMap::new();
    for (position, file) in sources.iter().enumerate().filter(|(position, _)| !reached.contains(position)) {
        others.entry(Home::of(file, layout)).or_default().push(position);
    }
    let bases = bases(layout);
    for (home, files) in others {
        let found = alternatives::divide(files, sources);
        let of_cluster = |cluster: Cluster| Deployment {
            is_partial: cluster.is_partial || matches!(home, Home::Apart(_)),
            ..Deployment::new(cluster.files, home.changes(&bases))
        };
        deployments.extend(found.clusters.into_iter().map(of_cluster));
        let repeating = |files| Deployment {
            alternatives: Some(home.severity_of_repetitions()),
            ..Deployment::new(files, Changes::None)
        };
        deployments.extend(found.repeating.into_iter().map(repeating));
    }
    // Values are written as they are used, but the objects that they are copied to are elsewhere.
    let topologies = topologies::find(sources).into_iter();
    deployments.extend(topologies.map(|files| Deployment::new(files, Changes::Names)));
    deployments.retain(|deployment| !deployment.files.is_empty());
    (deployments, copied)
}

/// The kustomizations that no other one refers to. Those of a cycle refer to each other, and kustomize rejects them.
fn roots(layout: &Layout) -> impl Iterator<Item = &Path> {
    let bases = bases(layout);
    layout.kustomizations.keys().map(PathBuf::as_path).filter(move |directory| !bases.contains(directory))
}

/// What kustomizations refer to.
fn bases(layout: &Layout) -> BTreeSet<&Path> {
    layout.kustomizations.values().flat_map(|listed| &listed.paths).map(PathBuf::as_path).collect_ordered()
}

#[derive(Default)]
struct Reached<'l> {
    files: BTreeSet<usize>,
    directories: BTreeSet<&'l Path>,
    changes: Changes,
    /// The fields that replacements copy. None if they are not all known.
    copied: Option<BTreeSet<String>>,
}

impl<'l> Reached<'l> {
    fn follow(
        &mut self,
        directory: &'l Path,
        layout: &'l Layout,
        positions: &HashMap<&Path, usize>,
        sources: &[Source<'_>],
    ) {
        if !self.directories.insert(directory) {
            return;
        }
        let Some(listed) = layout.kustomizations.get(directory) else {
            self.copied = None;
            return;
        };
        self.changes = self.changes.max(listed.changes);
        self.copied = self.copied.take().zip(listed.copied.as_ref()).map(|(mut all, own)| {
            all.extend(own.iter().cloned());
            all
        });
        // kustomize accepts validators only under `transformers`.
        let is_validator = |path: &Option<PathBuf>| {
            let position = path.as_deref().and_then(|path| positions.get(path));
            position.is_some_and(|position| sources[*position].is_validator)
        };
        if !listed.transformers.iter().all(is_validator) {
            self.changes = Changes::AnyField;
        }
        for path in &listed.paths {
            match positions.get(path.as_path()) {
                Some(position) => {
                    self.files.insert(*position);
                }
                None => self.follow(path, layout, positions, sources),
            }
        }
    }

    fn into_deployment(self) -> Deployment {
        Deployment::new(self.files.into_iter().collect(), self.changes)
    }
}

/// What a file is in that no kustomization refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Home<'p> {
    /// Nothing in particular.
    Tree,
    /// A directory of examples, tests or archived files.
    Apart(&'p Path),
    /// The directory of a kustomization, which does not use the file.
    Kustomization(&'p Path),
    /// A kpt package, which contains its subpackages.
    Package(&'p Path),
}

impl<'p> Home<'p> {
    fn of(file: &'p Source<'_>, layout: &'p Layout) -> Self {
        let apart = file.apart.as_deref();
        let mut package = None;
        for directory in file.real.iter().flat_map(|path| path.ancestors().skip(1)) {
            if layout.kustomizations.contains_key(directory) {
                return package.unwrap_or(Home::Kustomization(directory));
            }
            if layout.packages.contains(directory) {
                package = Some(Home::Package(directory));
            }
            if apart == Some(directory) {
                return package.unwrap_or(Home::Apart(directory));
            }
        }
        package.unwrap_or(Home::Tree)
    }

    /// How severe it is that two of its files contain the same object.
    fn severity_of_repetitions(self) -> Severity {
        match self {
            // kpt applies a package as a whole.
            Home::Package(_) => Severity::Error,
            // `kubectl apply` and Argo CD can apply a directory as a whole, but variants of one installation are often
            // beside each other too.
            Home::Tree => Severity::Warning,
            // Examples and tests are applied one by one, and files that a kustomization leaves out are not applied with
            // the others.
            Home::Apart(_) | Home::Kustomization(_) => Severity::Info,
        }
    }

    /// How its files will change. What is left over in a base may be a template.
    fn changes(self, bases: &BTreeSet<&Path>) -> Changes {
        match self {
            Home::Kustomization(directory) if bases.contains(directory) => Changes::AnyField,
            _ => Changes::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::manifests::Listed;

    fn layout(kustomizations: &[(&str, &[&str])], packages: &[&str]) -> Layout {
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect();
        Layout {
            kustomizations: kustomizations
                .iter()
                .map(|(directory, listed)| {
                    (
                        PathBuf::from(directory),
                        Listed {
                            paths: paths(listed),
                            transformers: Vec::new(),
                            changes: if *directory == "/two" { Changes::AnyField } else { Changes::None },
                            copied: None,
                        },
                    )
                })
                .collect(),
            packages: packages.iter().map(PathBuf::from).collect(),
            elsewhere: Vec::new(),
        }
    }

    fn source(path: Option<&&str>) -> Source<'static> {
        Source {
            real: path.map(PathBuf::from),
            apart: None,
            text: "",
            objects: Vec::new(),
            is_named: false,
            is_validator: false,
        }
    }

    fn divided(files: &[&str], layout: &Layout) -> Vec<String> {
        let sources: Vec<Source<'_>> = files.iter().map(|file| source(Some(file))).collect();
        let names = |deployment: Deployment| {
            let names: Vec<&str> = deployment.files.into_iter().map(|position| files[position]).collect();
            names.join(" ") + if deployment.changes == Changes::AnyField { " (changed)" } else { "" }
        };
        divide(&sources, layout).0.into_iter().map(names).collect()
    }

    #[test]
    fn files_without_a_kustomization_are_one_deployment() {
        assert_eq!(divided(&["/a/x.yaml", "/b/y.yaml"], &layout(&[], &[])), ["/a/x.yaml /b/y.yaml"]);
        let stdin = [source(None)];
        assert_eq!(
            divide(&stdin, &layout(&[], &[])).0,
            BTreeSet::from([Deployment::new(vec![0], Changes::None)])
        );
    }

    #[test]
    fn overlays_of_one_base_are_separate_deployments() {
        let files = ["/base/a.yaml", "/one/b.yaml", "/two/c.yaml", "/two/expected.yaml"];
        let layout = layout(
            &[
                ("/base", &["/base/a.yaml"]),
                ("/one", &["/base", "/one/b.yaml"]),
                ("/two", &["/base", "/two/c.yaml"]),
            ],
            &[],
        );
        assert_eq!(
            divided(&files, &layout),
            ["/base/a.yaml /one/b.yaml", "/base/a.yaml /two/c.yaml (changed)", "/two/expected.yaml"]
        );
    }

    #[test]
    fn a_kpt_package_contains_its_subpackages() {
        let files = ["/fleet/a/x.yaml", "/fleet/b/y.yaml", "/other/z.yaml", "/w.yaml"];
        let layout = layout(&[], &["/fleet", "/fleet/a", "/other"]);
        assert_eq!(divided(&files, &layout), ["/fleet/a/x.yaml /fleet/b/y.yaml", "/other/z.yaml", "/w.yaml"]);
    }
}
