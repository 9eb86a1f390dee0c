//! KServe and OpenShift AI: kinds, field paths, annotations, and what KServe's webhooks write.

use super::{instance, vllm};
use crate::krm::{FieldPath, Kind};

pub const INFERENCE_SERVICE: Kind = Kind::new("serving.kserve.io/v1beta1", "InferenceService");
pub const SERVING_RUNTIME: Kind = Kind::new("serving.kserve.io/v1alpha1", "ServingRuntime");
pub const CLUSTER_SERVING_RUNTIME: Kind = Kind::new("serving.kserve.io/v1alpha1", "ClusterServingRuntime");
pub const LLM_INFERENCE_SERVICE: Kind = Kind::new("serving.kserve.io/v1alpha2", "LLMInferenceService");

/// The name of the container that runs a model: in ServingRuntimes and InferenceServices, and in LLMInferenceServices.
pub const KSERVE_CONTAINER: &str = "kserve-container";
pub const MAIN_CONTAINER: &str = "main";

/// The start of a `storageUri` for a PersistentVolumeClaim: `pvc://name/path`.
pub const CLAIM_SCHEME: &str = "pvc://";

/// The name for people, which OpenShift AI's dashboard shows.
pub const DISPLAY_NAME: &str = "openshift.io/display-name";

/// Names the Secret with the location of the model and its credentials.
pub const CONNECTIONS: &str = "opendatahub.io/connections";

/// How a Secret is a connection: `oci`, `uri` or `s3`. The others are the deprecated annotations.
pub const CONNECTION_PROTOCOL: &str = "opendatahub.io/connection-type-protocol";
pub const CONNECTION_TYPE_REF: &str = "opendatahub.io/connection-type-ref";
pub const CONNECTION_TYPE: &str = "opendatahub.io/connection-type";

/// The values of these annotations, and the schemes of models that they fit.
pub const OCI: &str = "oci";
pub const S3: &str = "s3";
pub const OCI_SCHEME: &str = "oci://";
pub const S3_SCHEME: &str = "s3://";

/// The type of a Secret with which images can be pulled.
pub const DOCKER_CONFIG: &str = "kubernetes.io/dockerconfigjson";

/// OpenShift AI copies resources, tolerations and node selectors of this HardwareProfile.
pub const HARDWARE_PROFILE: &str = "opendatahub.io/hardware-profile-name";
pub const HARDWARE_PROFILE_NAMESPACE: &str = "opendatahub.io/hardware-profile-namespace";

pub const HARDWARE_PROFILE_KIND: Kind = Kind::new("infrastructure.opendatahub.io/v1", "HardwareProfile");

/// The protocol that KServe's defaulter writes for models of some formats: Triton, and vLLM after release 0.17.
pub const DEFAULT_PROTOCOL: &str = "v2";
pub const FORMATS_WITH_DEFAULT_PROTOCOL: [&str; 2] = ["triton", vllm::MODEL_FORMAT];

/// The locations for which KServe reads `storage` as well.
pub const SCHEMES_WITH_STORAGE: [&str; 3] = ["s3://", "hdfs://", "webhdfs://"];

pub const DEPLOYMENT_MODE: &str = "serving.kserve.io/deploymentMode";

/// KServe's defaulter writes the name of the model's format here, since 0.17.
pub const MODEL_FORMAT: &str = "modelFormat";

/// Deployment modes by their former names. KServe's defaulter replaces these since 0.16.
pub const FORMER_MODES: [(&str, &str); 2] = [("RawDeployment", STANDARD), ("Serverless", KNATIVE)];
pub const STANDARD: &str = "Standard";
pub const KNATIVE: &str = "Knative";

/// The current name of a deployment mode.
pub fn current_mode(mode: &str) -> &str {
    FORMER_MODES.into_iter().find(|(former, _)| *former == mode).map_or(mode, |(_, current)| current)
}

/// Resources by which pods request a part of an NVIDIA GPU.
const MIG: &str = "nvidia.com/mig-";

/// Whether a resource of a container is a GPU, or a part of one.
pub fn is_gpu(resource: &str) -> bool {
    is_whole_gpu(resource) || resource.starts_with(MIG)
}

/// Whether a resource of a container is a GPU, counted as a whole.
pub fn is_whole_gpu(resource: &str) -> bool {
    instance::gpu_resources().any(|known| known == resource)
}

/// The part of an InferenceService that runs the model.
pub fn predictor() -> FieldPath {
    FieldPath::new("spec.predictor")
}

pub fn model() -> FieldPath {
    FieldPath::new("spec.predictor.model")
}

/// The pod of an LLMInferenceService.
pub fn template() -> FieldPath {
    FieldPath::new("spec.template")
}

/// Fields that spread a model over several nodes, or say how many GPUs it uses.
pub const MULTI_NODE: [&str; 5] =
    ["spec.predictor.workerSpec", "spec.workerSpec", "spec.worker", "spec.parallelism", "spec.prefill"];

/// Fields of a pod, or of a part of it, that name a Secret.
pub const SECRETS: [&str; 10] = [
    "imagePullSecrets[*].name",
    "volumes[*].secret.secretName",
    "volumes[*].projected.sources[*].secret.name",
    "containers[*].env[*].valueFrom.secretKeyRef.name",
    "containers[*].envFrom[*].secretRef.name",
    "initContainers[*].env[*].valueFrom.secretKeyRef.name",
    "initContainers[*].envFrom[*].secretRef.name",
    "model.env[*].valueFrom.secretKeyRef.name",
    "model.envFrom[*].secretRef.name",
    "volumes[*].csi.nodePublishSecretRef.name",
];

/// Fields of a pod that name a PersistentVolumeClaim.
pub const CLAIMS: [&str; 1] = ["volumes[*].persistentVolumeClaim.claimName"];

/// Fields of a ServiceAccount that name a Secret.
pub const SECRETS_OF_ACCOUNT: [&str; 2] = ["secrets[*].name", "imagePullSecrets[*].name"];

/// Fields that contain the location of a model.
pub const MODEL_URIS: [&str; 4] = [
    "spec.predictor.model.storageUri",
    "spec.predictor.storageUris[*].uri",
    "spec.model.uri",
    "spec.model.lora.adapters[*].uri",
];

/// The pods of an InferenceService.
pub const PODS_OF_SERVICE: [&str; 4] =
    ["spec.predictor", "spec.predictor.workerSpec", "spec.transformer", "spec.explainer"];

/// The pods of a ServingRuntime.
pub const PODS_OF_RUNTIME: [&str; 2] = ["spec", "spec.workerSpec"];

/// The pods of an LLMInferenceService.
pub const PODS_OF_LLM_SERVICE: [&str; 4] =
    ["spec.template", "spec.worker", "spec.prefill.template", "spec.prefill.worker"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_have_current_names() {
        assert_eq!(
            ["RawDeployment", "Serverless", "Standard"].map(current_mode),
            [STANDARD, KNATIVE, STANDARD]
        );
    }

    #[test]
    fn gpus_are_told_from_other_resources() {
        assert!(is_gpu("nvidia.com/gpu") && is_gpu("nvidia.com/mig-1g.5gb") && is_gpu("habana.ai/gaudi"));
        assert!(!is_gpu("cpu") && !is_whole_gpu("nvidia.com/mig-1g.5gb"));
    }
}
