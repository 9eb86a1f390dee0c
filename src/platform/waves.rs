//! The order in which the parts of an OpenStack on OpenShift need each other.

use crate::krm::{Fault, GroupKind, Resource};
use crate::platform::argocd::{DeletePolicy, Hook};
use crate::platform::{kubernetes, openstack, storage};

/// What belongs into one wave.
#[derive(Debug)]
pub struct Wave {
    pub wave: i32,
    kinds: &'static [GroupKind],
    /// What `app.kubernetes.io/component` must say, if it matters.
    component: Option<&'static str>,
    pub hook: Option<(Hook, DeletePolicy)>,
}

/// Each kind has one row.
pub const RHOSO: &[Wave] = &[
    // Within a wave, Argo CD applies a Namespace first, accounts and roles next, and Jobs last.
    Wave { wave: -10, kinds: &[gk("", "Namespace")], component: None, hook: None },
    Wave {
        wave: -10,
        kinds: &[
            gk("", "ServiceAccount"),
            gk("rbac.authorization.k8s.io", "Role"),
            gk("rbac.authorization.k8s.io", "RoleBinding"),
        ],
        component: Some(storage::PREPARATION),
        hook: None,
    },
    // A Job cannot be changed, so a hook makes it anew; and a PreSync hook would run before its account
    // and its namespace are there.
    Wave {
        wave: -10,
        kinds: &[kubernetes::JOB],
        component: Some(storage::PREPARATION),
        hook: Some((Hook::Sync, DeletePolicy::BeforeHookCreation)),
    },
    Wave {
        wave: -5,
        kinds: &[gk("storage.k8s.io", "StorageClass"), gk("", "PersistentVolume")],
        component: None,
        hook: None,
    },
    Wave { wave: -3, kinds: &[kubernetes::SECRET, openstack::EXTERNAL_SECRET], component: None, hook: None },
    Wave { wave: -2, kinds: &[gk("network.openstack.org", "NetConfig")], component: None, hook: None },
    Wave { wave: 0, kinds: &[openstack::CONTROL_PLANE], component: None, hook: None },
    Wave {
        wave: 1,
        kinds: &[openstack::DATA_PLANE_SERVICE, openstack::NODE_SET],
        component: None,
        hook: None,
    },
    Wave {
        wave: 2,
        kinds: &[gk("dataplane.openstack.org", "OpenStackDataPlaneDeployment")],
        component: None,
        hook: None,
    },
];

const fn gk(group: &'static str, kind: &'static str) -> GroupKind {
    GroupKind { group, kind }
}

impl Wave {
    pub fn holds(&self, item: &Resource) -> Result<bool, Fault> {
        if !self.kinds.iter().any(|kind| item.is(*kind)) {
            return Ok(false);
        }
        let Some(component) = self.component else { return Ok(true) };
        Ok(item.label(kubernetes::COMPONENT)?.as_deref() == Some(component))
    }
}
