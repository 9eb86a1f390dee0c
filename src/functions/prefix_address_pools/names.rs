//! Names of pools, advertisements and sharing keys: with the prefix of the instance, without a prefix, or with the
//! prefix of another instance.

use crate::platform::service_overrides::NETWORKS;

#[derive(Debug)]
pub struct Names {
    /// The prefix of the instance.
    pub own: String,
    /// The prefix that names in the base have, and that the prefix of the instance replaces.
    pub from: Option<String>,
    /// The namespace and the prefix of the instance, without the numbers that distinguish instances.
    stems: [String; 2],
}

/// A name that may begin with the prefix of another instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign<'n> {
    pub prefix: &'n str,
    /// The name without the prefix: a pool of this instance, or a network that every instance has.
    pub role: &'n str,
}

impl Names {
    pub fn new(namespace: &str, own: String, from: Option<String>) -> Self {
        let stems = [stem(namespace), stem(&own)].map(str::to_owned);
        Names { own, from, stems }
    }

    /// Whether a name has the prefix of the instance.
    pub fn is_own(&self, name: &str) -> bool {
        strip(name, &self.own).is_some()
    }

    /// Whether a name has the prefix to replace.
    pub fn is_from(&self, name: &str) -> bool {
        self.from.as_ref().is_some_and(|from| strip(name, from).is_some()) && !self.is_own(name)
    }

    /// The name without the prefix of the instance and the prefix to replace.
    pub fn base<'n>(&self, name: &'n str) -> &'n str {
        let name = strip(name, &self.own).unwrap_or(name);
        self.from.as_ref().and_then(|from| strip(name, from)).unwrap_or(name)
    }

    /// The name with the prefix of the instance, once.
    pub fn prefixed(&self, name: &str) -> String {
        format!("{}{}", self.own, self.base(name))
    }

    /// The prefix of another instance, if the rest of the name is a pool of this one or a network that every instance
    /// has.
    pub fn foreign<'n>(&self, name: &'n str, is_pool: impl Fn(&str) -> bool) -> Option<Foreign<'n>> {
        if self.is_own(name) {
            return None;
        }
        let splits = name.match_indices(['-', '.']).map(|(i, _)| name.split_at(i + 1));
        let mut known = splits.filter(|(_, role)| NETWORKS.contains(role) || is_pool(role));
        known.next().map(|(prefix, role)| Foreign { prefix, role })
    }

    /// Whether a prefix clearly belongs to another instance: it differs from the prefix of this one only in the number,
    /// like `rhoso1-` and `rhoso2-`.
    pub fn is_sibling(&self, prefix: &str) -> bool {
        let stem = stem(prefix);
        prefix != self.own && !stem.is_empty() && self.stems.iter().any(|own| own == stem)
    }
}

fn strip<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    name.strip_prefix(prefix).filter(|base| !base.is_empty())
}

fn stem(name: &str) -> &str {
    name.trim_end_matches(['-', '.'])
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end_matches(['-', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(own: &str, from: Option<&str>) -> Names {
        Names::new(own, own.to_owned(), from.map(str::to_owned))
    }

    #[test]
    fn a_prefix_is_replaced_once() {
        let names = names("rhoso2-", Some("rhoso1-"));
        let all = ["internalapi", "rhoso1-internalapi", "rhoso2-internalapi", "rhoso2-rhoso1-internalapi"];
        for name in all {
            assert_eq!(names.base(name), "internalapi", "{name}");
            assert_eq!(names.prefixed(name), "rhoso2-internalapi", "{name}");
        }
        assert_eq!(names.base("rhoso1-"), "rhoso1-");
        // The prefix of the instance may begin with the prefix to replace.
        let longer = Names::new("openstack-2", "openstack-2-".to_owned(), Some("openstack-".to_owned()));
        assert_eq!(longer.prefixed("openstack-internalapi"), "openstack-2-internalapi");
        assert_eq!(longer.prefixed("openstack-2-internalapi"), "openstack-2-internalapi");
    }

    #[test]
    fn the_prefix_of_another_instance_is_recognised() {
        let names = names("rhoso2-", None);
        let foreign = |name| names.foreign(name, |role| role == "api").map(|f| (f.prefix, f.role));
        assert_eq!(foreign("rhoso1-internalapi"), Some(("rhoso1-", "internalapi")));
        assert_eq!(foreign("a-b.ctlplane"), Some(("a-b.", "ctlplane")));
        assert_eq!(foreign("lab-api"), Some(("lab-", "api")));
        assert_eq!(foreign("rhoso2-internalapi"), None);
        assert_eq!(foreign("internalapi"), None);
        assert_eq!(foreign("rhoso1-web"), None);
        for (prefix, is_sibling) in
            [("rhoso1-", true), ("rhoso-", true), ("rhoso-3.", true), ("rhoso2-", false), ("pool-", false)]
        {
            assert_eq!(names.is_sibling(prefix), is_sibling, "{prefix}");
        }
    }
}
