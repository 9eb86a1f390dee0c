//! The order in which the resources of an OpenStack deployment on OpenShift must be applied.

use crate::krm::{Fault, Kind, Resource};
use crate::platform::argocd::{DeletePolicy, Hook, HookAndPolicy};
use crate::platform::{dataplane, kubernetes, metallb, network, openstack, operators, storage};

/// A row of a table of waves.
#[derive(Debug)]
pub struct Wave {
    pub wave: i32,
    kinds: &'static [Kind],
    /// The required value of the label `app.kubernetes.io/component`, if any.
    component: Option<&'static str>,
    pub hook: Option<HookAndPolicy>,
}

/// Each kind has one row. Users rely on these numbers: give a new kind a free number and keep the others.
pub const RHOSO: &[Wave] = &[
    // Within a wave, Argo CD applies a Namespace first, accounts and roles next, and Jobs last.
    wave(-10, &[kubernetes::NAMESPACE]),
    wave(-10, &[operators::CATALOG_SOURCE, operators::OPERATOR_GROUP]),
    Wave {
        component: Some(storage::PREPARATION),
        ..wave(-10, &[kubernetes::SERVICE_ACCOUNT, kubernetes::ROLE, kubernetes::ROLE_BINDING])
    },
    // A Job cannot be changed, so a hook recreates it. A PreSync hook would run before its account and its namespace
    // exist.
    Wave {
        component: Some(storage::PREPARATION),
        hook: Some(HookAndPolicy { hook: Hook::Sync, policy: DeletePolicy::BeforeHookCreation }),
        ..wave(-10, &[kubernetes::JOB])
    },
    // Argo CD has a health check for Subscriptions, so it waits until the operators are installed.
    wave(-9, &[operators::SUBSCRIPTION]),
    // The operators install controllers, webhooks and further CRDs when these are created.
    wave(-8, &[operators::METALLB, operators::NMSTATE, operators::OPENSTACK]),
    // Interfaces come first, because attachments and advertisements name them.
    wave(-7, &[network::NODE_POLICY]),
    wave(
        -6,
        &[
            network::ATTACHMENT,
            metallb::ADDRESS_POOL,
            metallb::L2_ADVERTISEMENT,
            metallb::BGP_ADVERTISEMENT,
            metallb::BGP_PEER,
            metallb::BFD_PROFILE,
            metallb::COMMUNITY,
        ],
    ),
    wave(-5, &[kubernetes::STORAGE_CLASS, kubernetes::PERSISTENT_VOLUME]),
    wave(-3, &[kubernetes::SECRET, openstack::EXTERNAL_SECRET]),
    wave(-2, &[network::NET_CONFIG]),
    wave(0, &[openstack::CONTROL_PLANE]),
    wave(1, &[openstack::DATA_PLANE_SERVICE, openstack::NODE_SET]),
    wave(2, &[dataplane::DEPLOYMENT]),
];

const fn wave(wave: i32, kinds: &'static [Kind]) -> Wave {
    Wave { wave, kinds, component: None, hook: None }
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
