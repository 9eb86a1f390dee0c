//! The order in which the parts of an OpenStack on OpenShift need each other.

use crate::krm::{Fault, Kind, Resource};
use crate::platform::argocd::{DeletePolicy, Hook};
use crate::platform::{dataplane, kubernetes, metallb, network, openstack, operators, storage};

/// What belongs into one wave.
#[derive(Debug)]
pub struct Wave {
    pub wave: i32,
    kinds: &'static [Kind],
    /// What `app.kubernetes.io/component` must say, if it matters.
    component: Option<&'static str>,
    pub hook: Option<(Hook, DeletePolicy)>,
}

/// Each kind has one row. Users rely on these numbers: give a new kind a free one and keep the others.
pub const RHOSO: &[Wave] = &[
    // Within a wave, Argo CD applies a Namespace first, accounts and roles next, and Jobs last.
    wave(-10, &[kubernetes::NAMESPACE]),
    wave(-10, &[operators::CATALOG_SOURCE, operators::OPERATOR_GROUP]),
    Wave {
        component: Some(storage::PREPARATION),
        ..wave(-10, &[kubernetes::SERVICE_ACCOUNT, kubernetes::ROLE, kubernetes::ROLE_BINDING])
    },
    // A Job cannot be changed, so a hook makes it anew; and a PreSync hook would run before its account
    // and its namespace are there.
    Wave {
        component: Some(storage::PREPARATION),
        hook: Some((Hook::Sync, DeletePolicy::BeforeHookCreation)),
        ..wave(-10, &[kubernetes::JOB])
    },
    // Argo CD waits until a Subscription has installed its operator: it has a health check for this kind.
    wave(-9, &[operators::SUBSCRIPTION]),
    // These make the operators install the rest: controllers, webhooks and further CRDs.
    wave(-8, &[operators::METALLB, operators::NMSTATE, operators::OPENSTACK]),
    // Interfaces first: attachments and advertisements name them.
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
