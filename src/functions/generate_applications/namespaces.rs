//! The Namespaces of the destinations, and RoleBindings that let Argo CD in.

use serde_json::{Map, Value, json};

use super::{Applications, Namespaces};
use crate::krm::{Fault, Object, Resource};
use crate::platform::argocd::{self, MANAGED_BY, NO_PRUNE, SYNC_OPTIONS, SYNC_WAVE};
use crate::platform::kubernetes::{self, CLUSTER_ROLE, NAMESPACE, ROLE_BINDING, SERVICE_ACCOUNT};
use crate::platform::openshift_ai::DASHBOARD;

/// The role of the binding, as in `oc adm policy add-role-to-user admin`.
const ADMIN: &str = "admin";
const BINDING: &str = "argocd-application-controller-admin";

impl Applications {
    pub(super) fn namespaces(&self, how: &Namespaces, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        let own = self
            .destinations()
            .into_iter()
            .filter(|name| *name != self.namespace && !kubernetes::is_platform_namespace(name));
        let mut generated = Vec::new();
        for name in own {
            generated.push(self.namespace_object(name, how, given)?);
            if let Some(account) = &how.account {
                generated.push(self.role_binding(name, account)?);
            }
        }
        Ok(generated)
    }

    /// Keeps the other sync options of an existing Namespace.
    fn namespace_object(&self, name: &str, how: &Namespaces, given: &[Resource]) -> Result<Resource, Fault> {
        let mut labels = Map::new();
        if how.is_managed_by_label {
            labels.insert(MANAGED_BY.to_owned(), json!(self.namespace));
        }
        if how.is_for_openshift_ai {
            labels.insert(DASHBOARD.0.to_owned(), json!(DASHBOARD.1));
        }
        let mut annotations = self.first_wave();
        let there = given.iter().find(|item| item.is(NAMESPACE) && item.id().name == name);
        let options =
            there.map(|item| item.annotation(SYNC_OPTIONS)).transpose()?.flatten().unwrap_or_default();
        annotations.insert(SYNC_OPTIONS.to_owned(), json!(argocd::with_option(&options, NO_PRUNE, false)));
        Object::new(NAMESPACE, name).labels(labels).annotations(annotations).build()
    }

    fn role_binding(&self, namespace: &str, account: &str) -> Result<Resource, Fault> {
        let role = json!({"apiGroup": kubernetes::RBAC, "kind": CLUSTER_ROLE.kind, "name": ADMIN});
        let subject = json!({"kind": SERVICE_ACCOUNT.kind, "name": account, "namespace": self.namespace});
        Object::new(ROLE_BINDING, BINDING)
            .namespace(Some(namespace))
            .annotations(self.first_wave())
            .field("roleRef", role)
            .field("subjects", vec![subject])
            .build()
    }

    /// The annotation of what the Applications need: the wave before their first one.
    pub(super) fn first_wave(&self) -> Map<String, Value> {
        let waves = self.applications.iter().map(|application| application.wave.unwrap_or(0));
        // An ApplicationSet is in wave 0.
        let first = waves.min().filter(|_| self.set.is_none()).unwrap_or(0);
        Map::from_iter([(SYNC_WAVE.to_owned(), json!(first.saturating_sub(1).to_string()))])
    }
}
