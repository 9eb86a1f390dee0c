//! What controllers and webhooks write into objects that Git describes. Argo CD would report it as a difference.

use serde_json::{Map, Value, json};

use crate::krm::Kind;
use crate::platform::autoscaler;
use crate::platform::kubernetes::SERVICE_ACCOUNT;
use crate::platform::machine::{self, MACHINE_SET};
use crate::platform::network::NODE_POLICY;
use crate::platform::openshift_ai::INFERENCE_SERVICE;

const CLUSTER_POLICY: Kind = Kind::new("nvidia.com/v1", "ClusterPolicy");
const NODE_FEATURE_DISCOVERY: Kind = Kind::new("nfd.openshift.io/v1", "NodeFeatureDiscovery");

/// The fields of a kind that others write.
#[derive(Debug)]
pub struct Ignored {
    pub kind: Kind,
    annotations: &'static [&'static str],
    /// JSON pointers.
    pointers: &'static [&'static str],
    /// jq expressions. Argo CD runs each as `del(<expression>)`.
    expressions: &'static [&'static str],
}

const STATUS: &str = "/status";

/// Only fields that Git rarely sets: Argo CD no longer applies changes to them.
pub static IGNORED: &[Ignored] = &[
    Ignored { kind: CLUSTER_POLICY, annotations: &[], pointers: &[STATUS], expressions: &[] },
    // KServe's defaulter renames deployment modes since 0.16 and copies the model format to an annotation since 0.17.
    // OpenShift AI's webhook adds the namespace of a hardware profile.
    Ignored {
        kind: INFERENCE_SERVICE,
        annotations: &[
            "modelFormat",
            "opendatahub.io/hardware-profile-namespace",
            "serving.kserve.io/deploymentMode",
        ],
        pointers: &[
            "/spec/predictor/automountServiceAccountToken",
            "/spec/predictor/model/protocolVersion",
            STATUS,
        ],
        expressions: &[],
    },
    // The autoscaler sets replicas, the Machine Config Operator updates boot images, and the providers' controllers write
    // the size of a machine. They also add the architecture to the labels.
    Ignored {
        kind: MACHINE_SET,
        annotations: &[
            autoscaler::SCALED_BY,
            autoscaler::CAPACITY_LABELS,
            machine::GPUS,
            "machine.openshift.io/cluster-api-autoscaler-node-group-max-size",
            "machine.openshift.io/cluster-api-autoscaler-node-group-min-size",
            machine::MEMORY,
            machine::CPUS,
        ],
        pointers: &["/spec/replicas", "/spec/template/spec/providerSpec/value/ami", STATUS],
        expressions: &[".spec.template.spec.providerSpec.value.disks[]?.image"],
    },
    Ignored { kind: NODE_FEATURE_DISCOVERY, annotations: &[], pointers: &[STATUS], expressions: &[] },
    // kubernetes-nmstate's webhook notes the time of each change.
    Ignored {
        kind: NODE_POLICY,
        annotations: &["nmstate.io/webhook-mutating-timestamp"],
        pointers: &[STATUS],
        expressions: &[],
    },
    // OpenShift adds the pull secret of its own registry.
    Ignored {
        kind: SERVICE_ACCOUNT,
        annotations: &["openshift.io/internal-registry-pull-secret-ref"],
        pointers: &[],
        expressions: &[
            ".imagePullSecrets[]? | select(.name | contains(\"-dockercfg-\"))",
            ".secrets[]? | select(.name | contains(\"-dockercfg-\"))",
        ],
    },
];

impl Ignored {
    pub fn named(kind: &str) -> Option<&'static Ignored> {
        IGNORED.iter().find(|ignored| ignored.kind.kind == kind)
    }

    /// The entry of an Application's `ignoreDifferences`.
    pub fn entry(&self) -> Value {
        let mut entry = Map::new();
        if !self.kind.group().is_empty() {
            entry.insert("group".to_owned(), json!(self.kind.group()));
        }
        entry.insert("kind".to_owned(), json!(self.kind.kind));
        let annotations =
            self.annotations.iter().map(|key| format!("/metadata/annotations/{}", key.replace('/', "~1")));
        let pointers: Vec<String> =
            annotations.chain(self.pointers.iter().map(|pointer| (*pointer).to_owned())).collect();
        if !pointers.is_empty() {
            entry.insert("jsonPointers".to_owned(), json!(pointers));
        }
        if !self.expressions.is_empty() {
            entry.insert("jqPathExpressions".to_owned(), json!(self.expressions));
        }
        Value::Object(entry)
    }
}
