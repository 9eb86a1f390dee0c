//! Directories and files that describe alternatives: clusters beside each other, or samples to choose from.
//!
//! The same object in two files shows that they are not meant for one cluster. Then directories are separate clusters,
//! and files of one directory are alternatives, each together with the files that do not conflict with any other.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Source;
use crate::krm::{ObjectKey, Order};

/// The number of alternatives in a directory up to which each is checked together with the other files.
const MOST_ALTERNATIVES: usize = 20;

/// Files of one or several clusters.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Alternatives {
    pub clusters: Vec<Cluster>,
    /// The files of directories in which an object is in several files.
    pub repeating: Vec<Vec<usize>>,
}

/// The files of one cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cluster {
    pub files: Vec<usize>,
    /// Whether other alternatives are in the same directory. What is missing here may be in one of them.
    pub is_partial: bool,
}

impl From<Vec<usize>> for Cluster {
    fn from(files: Vec<usize>) -> Self {
        Cluster { files, is_partial: false }
    }
}

/// Divides files that no kustomization lists.
pub fn divide(files: Vec<usize>, sources: &[Source<'_>]) -> Alternatives {
    let mut found = Alternatives::default();
    // Files that the user named belong together.
    let is_named = files.iter().all(|file| sources[*file].is_named);
    if is_named || !have_conflict(&files, sources) {
        found.clusters.push(files.into());
        return found;
    }
    let mut by_directory: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for file in files {
        let directory = sources[file].real.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        by_directory.entry(directory.to_owned()).or_default().push(file);
    }
    let directories: Vec<(PathBuf, Vec<usize>)> = by_directory.into_iter().collect();
    found.add(Path::new(""), &directories, sources);
    found
}

impl Alternatives {
    /// Adds the directories below one directory. They are sorted.
    fn add(&mut self, above: &Path, directories: &[(PathBuf, Vec<usize>)], sources: &[Source<'_>]) {
        let all: Vec<usize> = directories.iter().flat_map(|(_, files)| files).copied().collect();
        if !have_conflict(&all, sources) {
            self.clusters.push(all.into());
            return;
        }
        let depth = above.components().count();
        let (own, below): (Vec<_>, Vec<_>) =
            directories.iter().cloned().partition(|(directory, _)| directory == above);
        let mut children: BTreeMap<PathBuf, Vec<(PathBuf, Vec<usize>)>> = BTreeMap::new();
        for (directory, files) in below {
            let child: PathBuf = directory.components().take(depth + 1).collect();
            children.entry(child).or_default().push((directory, files));
        }
        let own: Vec<usize> = own.into_iter().flat_map(|(_, files)| files).collect();
        for (child, directories) in children {
            let first = self.clusters.len();
            self.add(&child, &directories, sources);
            for cluster in &mut self.clusters[first..] {
                let with_own: Vec<usize> = own.iter().chain(&cluster.files).copied().collect();
                if !have_conflict(&with_own, sources) {
                    cluster.files = with_own;
                    cluster.files.order();
                }
            }
        }
        self.add_directory(own, sources);
    }

    /// Adds the files of one directory.
    fn add_directory(&mut self, files: Vec<usize>, sources: &[Source<'_>]) {
        let conflicting = conflicting(&files, sources);
        if conflicting.is_empty() {
            self.clusters.extend(Some(files).filter(|files| !files.is_empty()).map(Cluster::from));
            return;
        }
        let common: Vec<usize> = files.iter().copied().filter(|file| !conflicting.contains(file)).collect();
        for file in files.iter().filter(|file| conflicting.contains(file)) {
            let mut files = vec![*file];
            if conflicting.len() <= MOST_ALTERNATIVES {
                files.extend(&common);
            }
            files.order();
            self.clusters.push(Cluster { files, is_partial: true });
        }
        if conflicting.len() > MOST_ALTERNATIVES {
            self.clusters.push(Cluster { files: common, is_partial: true });
        }
        self.repeating.push(files);
    }
}

fn have_conflict(files: &[usize], sources: &[Source<'_>]) -> bool {
    !conflicting(files, sources).is_empty()
}

/// The files with an object that another file has too.
fn conflicting(files: &[usize], sources: &[Source<'_>]) -> HashSet<usize> {
    let mut first_of_object: HashMap<&ObjectKey, usize> = HashMap::new();
    let mut found = HashSet::new();
    for file in files {
        for object in &sources[*file].objects {
            let first = *first_of_object.entry(object).or_insert(*file);
            if first != *file {
                found.extend([first, *file]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files with one object each, named by its name.
    fn divided(files: &[(&str, &str)]) -> Alternatives {
        let key = |name: &str| (String::new(), "Pool".to_owned(), None, name.to_owned());
        let source = |(path, name): &(&str, &str)| Source {
            real: Some(path.into()),
            apart: None,
            text: "",
            objects: vec![key(name)],
            is_named: false,
            is_validator: false,
        };
        let sources: Vec<Source<'_>> = files.iter().map(source).collect();
        divide((0..files.len()).collect(), &sources)
    }

    fn clusters(files: &[&[usize]], is_partial: bool) -> Vec<Cluster> {
        files.iter().map(|files| Cluster { files: files.to_vec(), is_partial }).collect()
    }

    #[test]
    fn files_with_different_objects_are_one_cluster() {
        let files = [("/r/a/x.yaml", "x"), ("/r/b/y.yaml", "y")];
        assert_eq!(
            divided(&files),
            Alternatives { clusters: clusters(&[&[0, 1]], false), repeating: Vec::new() }
        );
    }

    #[test]
    fn directories_with_the_same_object_are_different_clusters() {
        let files = [
            ("/r/a/net/n.yaml", "n"),
            ("/r/a/x.yaml", "x"),
            ("/r/b/net/n.yaml", "n"),
            ("/r/b/x.yaml", "x"),
            ("/r/common.yaml", "c"),
        ];
        let found = divided(&files);
        assert_eq!(found.clusters, clusters(&[&[0, 1, 4], &[2, 3, 4], &[4]], false));
        assert_eq!(found.repeating, Vec::<Vec<usize>>::new());
    }

    #[test]
    fn files_of_one_directory_with_the_same_object_are_alternatives() {
        let files = [("/r/common.yaml", "c"), ("/r/one.yaml", "x"), ("/r/two.yaml", "x")];
        let found = divided(&files);
        assert_eq!(found.clusters, clusters(&[&[0, 1], &[0, 2]], true));
        assert_eq!(found.repeating, [vec![0, 1, 2]]);
    }
}
