//! A template of another cluster: replaces the infrastructure name in the names of everything that belongs to it.

use serde_json::Value;

use super::template::Template;
use crate::checks::rules;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::{machine, provider};

/// Replaces the name of the template's cluster, and reports ids, which cannot be replaced.
pub fn rename(
    set: &mut Resource,
    template: &Template<'_>,
    new: &str,
    results: &mut Results,
) -> Result<(), Fault> {
    let old = template.cluster;
    for path in [machine::labels(), machine::spec()] {
        if let Some(mut value) = set.value(&path)? {
            rename_all(&mut value, old, new);
            set.set(&path, value)?;
        }
    }
    for ids in template.provider.facts().cluster_ids {
        for path in set.fields(&provider::fields(ids))? {
            let id: String = set.get(&path)?.unwrap_or_default();
            if id.is_empty() {
                continue;
            }
            let message = format!(
                "{} is an id from the cluster {}; check which id {} has for it",
                quoted(id),
                quoted(old),
                quoted(new)
            );
            results.warning(&rules::ID_OF_ANOTHER_CLUSTER, message).field(template.resource, &path);
        }
    }
    Ok(())
}

fn rename_all(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) => *text = renamed(text, old, new),
        Value::Array(list) => list.iter_mut().for_each(|value| rename_all(value, old, new)),
        Value::Object(map) => {
            for (key, mut value) in std::mem::take(map) {
                rename_all(&mut value, old, new);
                map.insert(renamed(&key, old, new), value);
            }
        }
        _ => {}
    }
}

/// Replaces a cluster's name wherever it is a whole name, or the beginning of one. In Azure's image
/// galleries, it contains underscores.
fn renamed(text: &str, old: &str, new: &str) -> String {
    let text = replace(text, old, new);
    match old.replace('-', "_") {
        same if same == old => text,
        underscored => replace(&text, &underscored, &new.replace('-', "_")),
    }
}

fn replace(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(old).filter(|_| !old.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        out.push_str(before);
        let begins = !out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
            || out.ends_with(machine::OWNED_BY);
        let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric());
        out.push_str(if begins && ends { new } else { old });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_are_replaced() {
        let to_b = |text: &str| renamed(text, "a-1x", "b-2");
        assert_eq!(to_b("a-1x-worker-profile"), "b-2-worker-profile");
        assert_eq!(to_b("kubernetes.io/cluster/a-1x"), "kubernetes.io/cluster/b-2");
        assert_eq!(to_b("kubernetes-io-cluster-a-1x"), "kubernetes-io-cluster-b-2");
        assert_eq!(to_b("gallery_a_1x"), "gallery_b_2");
        assert_eq!(renamed("prod-worker", "prod", "prod-x7k2p"), "prod-x7k2p-worker");
        for other in ["a-1xy-worker", "my-a-1x", "ba-1x", "", "none of it"] {
            assert_eq!(to_b(other), other);
        }
    }
}
