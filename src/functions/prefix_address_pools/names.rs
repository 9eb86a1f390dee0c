//! Names of pools, advertisements and sharing keys: with the instance's prefix, without it, or with the
//! prefix of another instance.

use super::PrefixAddressPools;
use crate::platform::service_overrides::NETWORKS;

#[derive(Debug)]
pub struct Names {
    /// The instance's prefix.
    pub own: String,
    /// The prefix that the base has and that the instance's replaces.
    pub from: Option<String>,
    /// The instance's namespace and its prefix, without the numbers that tell instances apart.
    stems: [String; 2],
}

/// A name that another instance's prefix may be in front of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign<'n> {
    pub prefix: &'n str,
    /// What the name is without the prefix.
    pub role: &'n str,
}

impl Names {
    pub fn new(config: &PrefixAddressPools) -> Self {
        let own = config.prefix();
        let stems = [stem(&config.namespace), stem(&own)].map(str::to_owned);
        Names { own, from: config.from.clone(), stems }
    }

    /// Whether a name has the instance's prefix.
    pub fn is_own(&self, name: &str) -> bool {
        strip(name, &self.own).is_some()
    }

    /// Whether a name has the prefix that is replaced.
    pub fn is_from(&self, name: &str) -> bool {
        self.from.as_ref().is_some_and(|from| strip(name, from).is_some()) && !self.is_own(name)
    }

    /// The name without the instance's prefix and the one that it replaces.
    pub fn base<'n>(&self, name: &'n str) -> &'n str {
        let name = strip(name, &self.own).unwrap_or(name);
        self.from.as_ref().and_then(|from| strip(name, from)).unwrap_or(name)
    }

    /// The name with the instance's prefix, once.
    pub fn prefixed(&self, name: &str) -> String {
        format!("{}{}", self.own, self.base(name))
    }

    /// The prefix of another instance, where the rest of the name is a pool of this one or a network that
    /// every instance has.
    pub fn foreign<'n>(&self, name: &'n str, is_pool: impl Fn(&str) -> bool) -> Option<Foreign<'n>> {
        if self.is_own(name) {
            return None;
        }
        let splits = name.match_indices(['-', '.']).map(|(i, _)| name.split_at(i + 1));
        let mut known = splits.filter(|(_, role)| NETWORKS.contains(role) || is_pool(role));
        known.next().map(|(prefix, role)| Foreign { prefix, role })
    }

    /// Whether a prefix is that of another instance as certainly as a name can tell: it differs from the
    /// instance's in the number only, as `rhoso1-` does from `rhoso2-`.
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
        let stems = [stem(own), stem(own)].map(str::to_owned);
        Names { own: own.to_owned(), from: from.map(str::to_owned), stems }
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
        // The instance's prefix may begin with the one that it replaces.
        let longer = super::tests::names("openstack-2-", Some("openstack-"));
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
