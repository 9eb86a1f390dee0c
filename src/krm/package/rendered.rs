//! A package after its functions have run.

use super::Package;
use crate::krm::fault::Fault;
use crate::krm::id::Kind;
use crate::krm::path::FieldPath;
use crate::krm::pattern::FieldPattern;
use crate::krm::pieces::Pieces;
use crate::krm::resource::Resource;
use crate::yaml::Text;

/// A file after the functions have run.
#[derive(Debug)]
pub struct Rendered {
    /// The number of the file that was read. None for a new file.
    pub origin: Option<usize>,
    /// The file's path, or a name for a new one.
    pub path: String,
    /// The whole file, including functionConfigs.
    pub whole: Pieces,
    resources: Resources,
    /// Whether the resources include a Secret.
    pub holds_secrets: bool,
}

/// The resources of a file that belong in a cluster.
#[derive(Debug)]
enum Resources {
    None,
    /// The file has nothing else.
    All,
    Some(Pieces),
}

impl Rendered {
    /// The resources to apply to a cluster. None if the file has none.
    pub fn for_cluster(&self) -> Option<&Pieces> {
        match &self.resources {
            Resources::None => None,
            Resources::All => Some(&self.whole),
            Resources::Some(pieces) => Some(pieces),
        }
    }
}

impl Package {
    /// The resources as a stream of documents, without local ones, as in kustomize.
    pub fn to_stream(&self) -> Result<Pieces, Fault> {
        join(self.items.iter().filter(|item| !item.is_local()))
    }

    /// The files after the functions have run. New resources are in separate files.
    pub fn to_files(&self) -> Result<Vec<Rendered>, Fault> {
        let given = self.homes.len();
        let mut rendered = Vec::new();
        let mut first = 0;
        for (home, file) in self.files.iter().enumerate() {
            // Items are in the order of their files.
            let count = self.homes[first..].iter().take_while(|h| **h == home).count();
            let items = &self.items[first..first + count];
            first += count;
            let changed = items.iter().filter(|item| item.is_changed());
            let mut whole = Pieces::with_capacity(2 * changed.clone().count() + 1);
            let mut at = 0;
            for item in changed {
                whole.push(file.text.part(at..item.range().start));
                item.append_to(&mut whole);
                at = item.range().end;
            }
            whole.push(file.text.part(at..file.text.len()));
            let for_cluster: Vec<&Resource> = items.iter().filter(|item| !item.is_local()).collect();
            let resources = if for_cluster.is_empty() {
                Resources::None
            } else if for_cluster.len() == self.document_counts[home] {
                Resources::All
            } else {
                Resources::Some(join(for_cluster.into_iter())?)
            };
            let holds_secrets = items.iter().any(holds_secrets);
            let path = file.path.clone();
            rendered.push(Rendered { origin: Some(home), path, whole, resources, holds_secrets });
        }
        for item in &self.items[given..] {
            let mut whole = Pieces::default();
            item.append_to(&mut whole);
            let resources = if item.is_local() { Resources::None } else { Resources::All };
            let (path, holds_secrets) = (file_name(item), holds_secrets(item));
            rendered.push(Rendered { origin: None, path, whole, resources, holds_secrets });
        }
        Ok(rendered)
    }
}

/// Whether a resource is a Secret, or a list that contains one.
fn holds_secrets(item: &Resource) -> bool {
    let of_kind = |kind| item.is(Kind::new("v1", kind));
    let is_secret = |kind: &FieldPath| item.value(kind).is_ok_and(|kind| kind == Some("Secret".into()));
    of_kind("Secret")
        || of_kind("SecretList")
        || of_kind("List")
            && item.fields(&FieldPattern::new("items[*].kind")).is_ok_and(|kinds| kinds.iter().any(is_secret))
}

/// Joins documents into one stream.
pub fn join<'r>(items: impl Iterator<Item = &'r Resource>) -> Result<Pieces, Fault> {
    let marker = Text::from("---\n");
    let mut out = Pieces::default();
    for item in items {
        if !out.is_empty() {
            out.push(marker.clone());
        }
        item.append_closed_to(&mut out)?;
    }
    Ok(out)
}

/// The file name of a new resource, as kpt chooses it. Characters that file names must not contain are replaced.
fn file_name(item: &Resource) -> String {
    let safe = |text: &str| match text.replace(['/', '\0'], "_") {
        dots if dots.starts_with('.') => "_".to_owned() + dots.trim_start_matches('.'),
        name => name,
    };
    let id = item.id();
    let name = format!("{}_{}.yaml", safe(&id.kind.to_lowercase()), safe(&id.name));
    match &id.namespace {
        Some(namespace) => format!("{}/{name}", safe(namespace)),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_cannot_lead_out_of_the_directory() {
        let named = |namespace: &str, name: &str| {
            let metadata = json!({"name": name, "namespace": namespace});
            file_name(&Resource::new(&json!({"kind": "Role", "metadata": metadata})).unwrap())
        };
        assert_eq!(named("ns", "system:reader"), "ns/role_system:reader.yaml");
        assert_eq!(named("a/..", "../../x"), "a_../role___.._x.yaml");
        assert_eq!(named("..", "x"), "_/role_x.yaml");
    }
}
