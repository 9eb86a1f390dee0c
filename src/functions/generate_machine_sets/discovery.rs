//! The way without a template in Git: a Job that reads the cluster's MachineSets and runs this function on
//! them. It downloads nothing; the program comes from its own image.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{GenerateMachineSets, autoscaling};
use crate::functions::API_VERSION;
use crate::krm::{BadField, Fault, Function, Resource};
use crate::platform::argocd::{self, DeletePolicy, Hook};
use crate::platform::machine::NAMESPACE;

const NAME: &str = "gpu-machineset-generator";

/// The wave of the Job, behind what it needs and what the cluster is made of.
const WAVE: &str = "5";

/// A Job in the cluster instead of a template in Git.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Discovery {
    /// The image of rhoso-fn, from which the Job copies the program.
    #[schemars(length(min = 1))]
    image: String,
    /// An image with `oc` and a shell, in which the Job works.
    #[schemars(length(min = 1))]
    oc: String,
}

impl Discovery {
    pub fn check(&self) -> Result<(), BadField> {
        for (field, image) in [("image", &self.image), ("oc", &self.oc)] {
            if image.is_empty() || image.contains(char::is_whitespace) {
                return Err(BadField::new(format!("discover.{field}"), "must name an image"));
            }
        }
        Ok(())
    }

    pub fn objects(
        &self,
        function: &GenerateMachineSets,
        given: &[Resource],
    ) -> Result<Vec<Resource>, Fault> {
        let mut made = vec![
            Resource::new(&json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata()}))?,
            Resource::new(&json!({
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRole",
                "metadata": {"name": NAME},
                "rules": rules(function),
            }))?,
            // In one namespace only, though the role is a cluster's.
            Resource::new(&json!({
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "RoleBinding",
                "metadata": metadata(),
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME},
                "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}],
            }))?,
            Resource::new(&json!({
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": metadata(),
                "data": {"config.yaml": config(function)?, "generate.sh": script()},
            }))?,
            self.job()?,
        ];
        let is_there = given.iter().any(autoscaling::is_the_cluster_autoscaler);
        if let Some(autoscaler) = function.cluster_autoscaler.as_ref().filter(|_| !is_there) {
            made.push(autoscaler.object()?);
        }
        Ok(made)
    }

    fn job(&self) -> Result<Resource, Fault> {
        let mut metadata = metadata();
        metadata["annotations"] = json!({
            argocd::HOOK: Hook::Sync,
            argocd::HOOK_DELETE_POLICY: DeletePolicy::BeforeHookCreation,
            argocd::SYNC_WAVE: WAVE,
        });
        let confined = json!({
            "allowPrivilegeEscalation": false,
            "readOnlyRootFilesystem": true,
            "capabilities": {"drop": ["ALL"]},
        });
        Resource::new(&json!({
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": metadata,
            "spec": {
                "backoffLimit": 4,
                "template": {
                    "spec": {
                        "serviceAccountName": NAME,
                        "restartPolicy": "Never",
                        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
                        "initContainers": [{
                            "name": "rhoso-fn",
                            "image": self.image,
                            "args": ["install", "/tools"],
                            "securityContext": confined,
                            "volumeMounts": [{"name": "tools", "mountPath": "/tools"}],
                        }],
                        "containers": [{
                            "name": "generator",
                            "image": self.oc,
                            "command": ["/bin/sh", "/config/generate.sh"],
                            "workingDir": "/work",
                            "env": [
                                {"name": "HOME", "value": "/work"},
                                {"name": "CONFIG", "value": "/config/config.yaml"},
                                {"name": "RHOSO_FN", "value": "/tools/rhoso-fn"},
                            ],
                            "securityContext": confined,
                            "volumeMounts": [
                                {"name": "tools", "mountPath": "/tools", "readOnly": true},
                                {"name": "config", "mountPath": "/config", "readOnly": true},
                                {"name": "work", "mountPath": "/work"},
                            ],
                        }],
                        "volumes": [
                            {"name": "tools", "emptyDir": {}},
                            {"name": "config", "configMap": {"name": NAME}},
                            {"name": "work", "emptyDir": {}},
                        ],
                    },
                },
            },
        }))
    }
}

fn metadata() -> Value {
    json!({"name": NAME, "namespace": NAMESPACE})
}

/// What `oc get` and `oc apply` need, and no more.
fn rules(function: &GenerateMachineSets) -> Vec<Value> {
    let rule = |group: &str, resource: &str, verbs: &[&str]| json!({"apiGroups": [group], "resources": [resource], "verbs": verbs});
    let mut rules = vec![rule("machine.openshift.io", "machinesets", &["get", "list", "create", "patch"])];
    if function.machines.iter().any(|machine| machine.autoscale.is_some()) {
        rules.push(rule("autoscaling.openshift.io", "machineautoscalers", &["get", "create", "patch"]));
    }
    rules
}

/// The functionConfig for the Job: this one, without the Job and what goes to the cluster beside it.
fn config(function: &GenerateMachineSets) -> Result<String, Fault> {
    let spec = serde_json::to_value(function).map_err(|e| Fault::new("function-config", e.to_string()))?;
    let mut spec: Map<String, Value> = spec.as_object().cloned().unwrap_or_default();
    spec.shift_remove("clusterAutoscaler");
    let value = json!({
        "apiVersion": API_VERSION,
        "kind": GenerateMachineSets::KIND,
        "metadata": {"name": NAME},
        "spec": spec,
    });
    Ok(Resource::new(&value)?.text().to_owned())
}

/// What was given and is as it was is nothing to apply; what is left was made, now or by an earlier Job.
fn script() -> String {
    format!(
        "set -eu\n\
         mkdir given\n\
         oc get machinesets.machine.openshift.io -n {NAMESPACE} -o name > names\n\
         if [ ! -s names ]; then echo 'there is no MachineSet in {NAMESPACE}' >&2; exit 1; fi\n\
         while read -r name; do\n\
         \x20 oc get \"$name\" -n {NAMESPACE} -o yaml > \"given/${{name##*/}}.yaml\" < /dev/null\n\
         done < names\n\
         \"$RHOSO_FN\" render \"$CONFIG\" given -o made\n\
         for file in given/*; do\n\
         \x20 made=\"made/${{file##*/}}\"\n\
         \x20 if [ \"$(cat \"$file\")\" = \"$(cat \"$made\")\" ]; then rm \"$made\"; fi\n\
         done\n\
         for file in made/* made/*/*; do\n\
         \x20 if [ -f \"$file\" ]; then oc apply -R -f made; break; fi\n\
         done\n"
    )
}
