//! Operators that an OpenStack on OpenShift needs, and what makes them install their CRDs.

use crate::krm::{Fault, FieldPath, Kind, Resource};

/// Installs an operator; `spec.name` is the operator's package in the catalogue.
pub const SUBSCRIPTION: Kind = Kind::new("operators.coreos.com/v1alpha1", "Subscription");

pub const CATALOG_SOURCE: Kind = Kind::new("operators.coreos.com/v1alpha1", "CatalogSource");
pub const OPERATOR_GROUP: Kind = Kind::new("operators.coreos.com/v1", "OperatorGroup");

pub const METALLB: Kind = Kind::new("metallb.io/v1beta1", "MetalLB");
pub const NMSTATE: Kind = Kind::new("nmstate.io/v1", "NMState");
pub const OPENSTACK: Kind = Kind::new("operator.openstack.org/v1beta1", "OpenStack");

#[derive(Debug)]
struct Operator {
    packages: &'static [&'static str],
    /// The API group of its kinds; groups that end in it are the operator's too.
    group: &'static str,
    /// The kind whose object makes the operator install the CRDs of its other kinds.
    installer: Option<Kind>,
}

/// metallb-operator has all its CRDs in its bundle. kubernetes-nmstate applies those of its policies, and
/// openstack-operator (bindata/crds) those of every service, when somebody creates the installer.
const OPERATORS: [Operator; 4] = [
    Operator { packages: &["metallb-operator"], group: "metallb.io", installer: None },
    Operator { packages: &["kubernetes-nmstate-operator"], group: "nmstate.io", installer: Some(NMSTATE) },
    Operator { packages: &["openstack-operator"], group: "openstack.org", installer: Some(OPENSTACK) },
    Operator {
        packages: &["openshift-external-secrets-operator", "external-secrets-operator"],
        group: "external-secrets.io",
        installer: None,
    },
];

impl Operator {
    fn owns(&self, group: &str) -> bool {
        group.strip_suffix(self.group).is_some_and(|head| head.is_empty() || head.ends_with('.'))
    }
}

/// What a set of resources makes operators install.
#[derive(Debug)]
pub struct Installed(Vec<(&'static Operator, Extent)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// All but the CRD of the installer.
    Others,
    Everything,
}

impl Installed {
    pub fn by(items: &[Resource]) -> Result<Self, Fault> {
        let mut found = Vec::new();
        for item in items.iter().filter(|item| !item.is_local()) {
            let package: Option<String> = match item.is(SUBSCRIPTION) {
                true => item.get(&FieldPath::new("spec.name"))?,
                false => None,
            };
            for operator in &OPERATORS {
                if package.as_deref().is_some_and(|package| operator.packages.contains(&package)) {
                    found.push((operator, Extent::Everything));
                } else if operator.installer.is_some_and(|kind| item.is(kind)) {
                    found.push((operator, Extent::Others));
                }
            }
        }
        Ok(Installed(found))
    }

    /// Whether the CRD of an item's kind may be missing until its operator has installed it.
    pub fn include(&self, item: &Resource) -> bool {
        self.0.iter().any(|(operator, extent)| {
            let is_installer = operator.installer.is_some_and(|kind| item.is(kind));
            operator.owns(item.id().group()) && (*extent == Extent::Everything || !is_installer)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_owns_its_group_and_those_below() {
        let openstack = &OPERATORS[2];
        assert!(openstack.owns("core.openstack.org") && openstack.owns("openstack.org"));
        assert!(!openstack.owns("notopenstack.org") && !openstack.owns("openstack.org.example"));
    }
}
