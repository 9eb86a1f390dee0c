//! Operators that an OpenStack deployment on OpenShift needs, and when they install their CRDs.

use crate::krm::{FieldPath, Kind};

/// Installs an operator.
pub const SUBSCRIPTION: Kind = Kind::new("operators.coreos.com/v1alpha1", "Subscription");

pub const CATALOG_SOURCE: Kind = Kind::new("operators.coreos.com/v1alpha1", "CatalogSource");
pub const OPERATOR_GROUP: Kind = Kind::new("operators.coreos.com/v1", "OperatorGroup");

pub const METALLB: Kind = Kind::new("metallb.io/v1beta1", "MetalLB");
pub const NMSTATE: Kind = Kind::new("nmstate.io/v1", "NMState");
pub const OPENSTACK: Kind = Kind::new("operator.openstack.org/v1beta1", "OpenStack");

/// The operator's package in the catalogue, in a Subscription.
pub fn package() -> FieldPath {
    FieldPath::new("spec.name")
}

#[derive(Debug)]
pub struct Operator {
    pub packages: &'static [&'static str],
    /// The API group of its kinds. Groups below it belong to the operator too.
    group: &'static str,
    /// The kind for whose objects the operator installs the CRDs of its other kinds.
    pub installer: Option<Kind>,
}

/// metallb-operator has all its CRDs in its bundle. kubernetes-nmstate applies those of its policies, and
/// openstack-operator (bindata/crds) those of every service, when the installer is created.
pub static OPERATORS: [Operator; 4] = [
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
    pub fn owns(&self, group: &str) -> bool {
        group.strip_suffix(self.group).is_some_and(|head| head.is_empty() || head.ends_with('.'))
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
