//! The AppProject.

use serde_json::{Value, json};

use super::kinds::GroupKind;
use super::{Allowed, Applications};
use crate::krm::{Fault, Object, Resource};
use crate::platform::argocd::{IN_CLUSTER, PROJECT};
use crate::platform::kubernetes::NAMESPACE;

impl Applications {
    pub(super) fn app_project(&self, allowed: &Allowed) -> Result<Resource, Fault> {
        let destinations: Vec<Value> = self
            .destinations()
            .iter()
            .map(|namespace| json!({"server": IN_CLUSTER, "namespace": namespace}))
            .collect();
        let mut spec = json!({"sourceRepos": [self.repo_url], "destinations": destinations});
        let cluster = self.cluster_kinds(allowed);
        if !cluster.is_empty() {
            spec["clusterResourceWhitelist"] = json!(cluster);
        }
        if let Some(namespaced) = &allowed.namespaced {
            spec["namespaceResourceWhitelist"] = json!(namespaced);
        }
        Object::new(PROJECT, &self.project)
            .namespace(Some(&self.namespace))
            .annotations(self.first_wave())
            .field("spec", spec)
            .build()
    }

    /// Argo CD refuses to create a namespace in a project that does not allow the kind.
    fn cluster_kinds(&self, allowed: &Allowed) -> Vec<GroupKind> {
        let mut kinds = allowed.cluster.clone();
        let is_allowed = |kind: &GroupKind| {
            matches!(kind.group.as_str(), "" | "*") && matches!(kind.kind.as_str(), "*" | "Namespace")
        };
        if self.create_namespace && !kinds.iter().any(is_allowed) {
            kinds.insert(0, GroupKind::new(NAMESPACE.group(), NAMESPACE.kind));
        }
        kinds
    }

    /// The namespaces in the list, in its order, each once.
    pub(super) fn destinations(&self) -> Vec<&str> {
        let mut destinations: Vec<&str> = Vec::new();
        for application in &self.applications {
            if !destinations.contains(&application.destination.as_str()) {
                destinations.push(&application.destination);
            }
        }
        destinations
    }
}
