//! Objects of one kind by namespace and name.

use std::collections::HashMap;

use crate::krm::Id;

/// The positions of objects. Of several with one name, the first counts.
#[derive(Debug, Default)]
pub struct Directory {
    by_namespace: HashMap<(Option<String>, String), usize>,
    by_name: HashMap<String, usize>,
    positions: HashMap<Option<String>, Vec<usize>>,
    count: usize,
}

impl Directory {
    pub fn new<'i>(ids: impl Iterator<Item = &'i Id>) -> Self {
        let mut directory = Directory::default();
        for (position, id) in ids.enumerate() {
            let key = (id.namespace.clone(), id.name.clone());
            directory.by_namespace.entry(key).or_insert(position);
            directory.by_name.entry(id.name.clone()).or_insert(position);
            directory.positions.entry(id.namespace.clone()).or_default().push(position);
            directory.count = position + 1;
        }
        directory
    }

    /// The object with exactly this namespace.
    pub fn find(&self, namespace: Option<&str>, name: &str) -> Option<usize> {
        self.by_namespace.get(&(namespace.map(str::to_owned), name.to_owned())).copied()
    }

    /// The object in this namespace, or one that may be in it: an object without a namespace gets one when it is
    /// applied.
    pub fn find_near(&self, namespace: Option<&str>, name: &str) -> Option<usize> {
        let any = || self.by_name.get(name).copied().filter(|_| namespace.is_none());
        self.find(namespace, name).or_else(|| self.find(None, name)).or_else(any)
    }

    /// The objects that are in this namespace, or may be.
    pub fn all_near(&self, namespace: Option<&str>) -> impl Iterator<Item = usize> {
        let anywhere = if namespace.is_none() { 0..self.count } else { 0..0 };
        let namespaces = namespace.map(|name| [Some(name.to_owned()), None]).into_iter().flatten();
        let within = namespaces.filter_map(|key| self.positions.get(&key)).flatten().copied();
        anywhere.chain(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_without_a_namespace_is_near_every_namespace() {
        let id = |namespace: Option<&str>, name: &str| Id {
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
            ..Id::default()
        };
        let ids = [id(Some("a"), "x"), id(None, "y"), id(Some("a"), "x")];
        let directory = Directory::new(ids.iter());
        assert_eq!(directory.find(Some("a"), "x"), Some(0));
        assert_eq!((directory.find(None, "x"), directory.find_near(None, "x")), (None, Some(0)));
        assert_eq!((directory.find(Some("a"), "y"), directory.find_near(Some("a"), "y")), (None, Some(1)));
        assert_eq!(directory.find_near(Some("b"), "x"), None);
        let near = |namespace| directory.all_near(namespace).collect::<Vec<_>>();
        assert_eq!((near(Some("a")), near(Some("b")), near(None)), (vec![0, 2, 1], vec![1], vec![0, 1, 2]));
    }
}
