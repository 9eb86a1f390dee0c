//! What the Job may do: `oc get` and `oc apply` of MachineSets in one namespace, and no more.

use serde_json::{Value, json};

use super::super::GenerateMachineSets;
use super::{NAME, metadata};
use crate::krm::{Fault, Resource};
use crate::platform::autoscaler;
use crate::platform::machine::{MACHINE_SET, NAMESPACE};

const RBAC: &str = "rbac.authorization.k8s.io";
const RBAC_API: &str = "rbac.authorization.k8s.io/v1";

/// The service account, its role, and the binding.
pub fn objects(spec: &GenerateMachineSets) -> Result<Vec<Resource>, Fault> {
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata()});
    let role = json!({
        "apiVersion": RBAC_API,
        "kind": "ClusterRole",
        "metadata": {"name": NAME},
        "rules": rules(spec),
    });
    // A RoleBinding grants the ClusterRole in one namespace only.
    let binding = json!({
        "apiVersion": RBAC_API,
        "kind": "RoleBinding",
        "metadata": metadata(),
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": NAME},
        "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}],
    });
    [account, role, binding].iter().map(Resource::new).collect()
}

fn rules(spec: &GenerateMachineSets) -> Vec<Value> {
    let rule = |group: &str, resource: &str, verbs: &[&str]| json!({"apiGroups": [group], "resources": [resource], "verbs": verbs});
    let mut rules = vec![rule(MACHINE_SET.group, "machinesets", &["get", "list", "create", "patch"])];
    if spec.scales() {
        rules.push(rule(autoscaler::GROUP, "machineautoscalers", &["get", "create", "patch"]));
    }
    rules
}
