//! The permissions of the Job: `oc get` and `oc apply` of MachineSets in one namespace.

use serde_json::{Value, json};

use super::{NAME, object};
use crate::krm::{Fault, Object, Resource};
use crate::platform::autoscaler::MACHINE_AUTOSCALER;
use crate::platform::kubernetes::{CLUSTER_ROLE, RBAC, ROLE_BINDING, SERVICE_ACCOUNT};
use crate::platform::machine::{MACHINE_SET, NAMESPACE};

/// The service account, its role, and the binding. `scales` adds access to MachineAutoscalers.
pub fn objects(scales: bool) -> Result<Vec<Resource>, Fault> {
    let account = object(SERVICE_ACCOUNT);
    let role = Object::new(CLUSTER_ROLE, NAME).field("rules", rules(scales));
    // A RoleBinding grants the ClusterRole in one namespace only.
    let binding = object(ROLE_BINDING)
        .field("roleRef", json!({"apiGroup": RBAC, "kind": CLUSTER_ROLE.kind, "name": NAME}))
        .field("subjects", json!([{"kind": SERVICE_ACCOUNT.kind, "name": NAME, "namespace": NAMESPACE}]));
    [account, role, binding].into_iter().map(Object::build).collect()
}

fn rules(scales: bool) -> Vec<Value> {
    let rule = |group: &str, resource: &str, verbs: &[&str]| json!({"apiGroups": [group], "resources": [resource], "verbs": verbs});
    let mut rules = vec![rule(MACHINE_SET.group(), "machinesets", &["get", "list", "create", "patch"])];
    if scales {
        rules.push(rule(MACHINE_AUTOSCALER.group(), "machineautoscalers", &["get", "create", "patch"]));
    }
    rules
}
