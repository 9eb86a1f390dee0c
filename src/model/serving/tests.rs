use super::*;
use crate::krm::Resource;
use crate::model::testing;
use crate::platform::kubernetes::{PERSISTENT_VOLUME_CLAIM, SECRET, SERVICE_ACCOUNT};

const SERVICE: &str = r#"
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: qwen
  namespace: dev
  annotations: {opendatahub.io/connections: qwen-s3, serving.kserve.io/deploymentMode: RawDeployment}
spec:
  predictor:
    minReplicas: 1
    maxReplicas: 2
    canaryTrafficPercent: 10
    serviceAccountName: models
    imagePullSecrets: [{name: registry}]
    nodeSelector: {node.kubernetes.io/instance-type: g6.12xlarge}
    tolerations: [{key: nvidia.com/gpu, operator: Exists}]
    model:
      modelFormat: {name: vLLM}
      runtime: qwen
      storageUri: pvc://weights/qwen
      storage: {key: qwen-s3}
      args: [--max-model-len=8000]
      resources: {limits: {cpu: 2, nvidia.com/gpu: "4"}}
---
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: {name: qwen, namespace: dev}
spec:
  supportedModelFormats: [{name: vLLM}]
  containers:
  - {name: proxy}
  - {name: kserve-container, image: vllm-cuda, args: [--port=8080, --max-model-len, "32768"]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: models, namespace: dev}
secrets: [{name: qwen-s3}]
"#;

const LLM: &str = r#"
apiVersion: serving.kserve.io/v1alpha1
kind: LLMInferenceService
metadata: {name: granite}
spec:
  model: {uri: "pvc://granite"}
  replicas: 3
  template:
    containers: [{name: main, args: [-tp, "2"], resources: {requests: {nvidia.com/gpu: 2}}}]
"#;

fn serving(items: &[Resource]) -> Serving {
    let (serving, misreads) = read(&World::new(items));
    assert_eq!(misreads, []);
    serving
}

#[test]
fn a_service_and_its_runtime_are_read() {
    let items = testing::resources(SERVICE);
    let serving = serving(&items);
    let service = &serving.services[0];
    let flags: Vec<String> = serving
        .arguments_of(service)
        .flat_map(|arguments| {
            arguments.flags.iter().map(|flag| format!("{}={}", flag.name, flag.value.text()))
        })
        .collect();
    assert_eq!(flags, ["port=8080", "max-model-len=32768", "max-model-len=8000"]);
    let gpus = serving.gpus_of(service).unwrap();
    assert_eq!((gpus.gpus(), gpus.value.site.path.last_key()), (Some(4), Some("nvidia.com/gpu")));
    assert!(serving.is_vllm(service));
    assert_eq!((service.min_replicas.value, service.max_replicas.value), (Some(1), Some(2)));
    assert_eq!(
        (service.canary.value, service.deployment_mode.value.as_deref()),
        (Some(10), Some("RawDeployment"))
    );
    assert_eq!(service.pod.node_selector[0].value.1, "g6.12xlarge");
    assert_eq!(service.pod.tolerations[0].value.operator.as_deref(), Some("Exists"));
}

#[test]
fn references_are_names_of_objects() {
    let items = testing::resources(SERVICE);
    let serving = serving(&items);
    let of = |kind| -> Vec<(String, &str)> {
        let references = serving.references.iter().filter(|reference| reference.kind == kind);
        references.map(|found| (found.name.site.path.to_string(), found.name.value.as_str())).collect()
    };
    assert_eq!(of(SERVING_RUNTIME), [("spec.predictor.model.runtime".to_owned(), "qwen")]);
    assert_eq!(of(PERSISTENT_VOLUME_CLAIM), [("spec.predictor.model.storageUri".to_owned(), "weights")]);
    assert_eq!(of(SERVICE_ACCOUNT), [("spec.predictor.serviceAccountName".to_owned(), "models")]);
    let secrets: Vec<&str> = of(SECRET).into_iter().map(|(_, name)| name).collect();
    assert_eq!(secrets, ["qwen-s3", "qwen-s3", "registry", "qwen-s3"]);
    let claim = serving.references.iter().find(|reference| reference.form == ReferenceForm::Uri).unwrap();
    assert_eq!(claim.renamed("pvc://weights/qwen", "dev-weights"), "pvc://dev-weights/qwen");
}

#[test]
fn an_llm_service_has_a_pod() {
    let items = testing::resources(LLM);
    let serving = serving(&items);
    let service = &serving.services[0];
    assert_eq!(
        (service.is_llm, service.min_replicas.value, service.max_replicas.value),
        (true, Some(3), Some(3))
    );
    assert_eq!(serving.gpus_of(service).and_then(Amount::gpus), Some(2));
    let arguments = serving.arguments_of(service).next().unwrap();
    assert_eq!(arguments.last(vllm::TENSOR_PARALLEL_SIZE).unwrap().value.text(), "2");
    assert_eq!(serving.references[0].name.value, "granite");
}
