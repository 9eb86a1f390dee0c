//! Rules about models that KServe serves, and about Argo CD's projects that deploy them.

crate::rules! {
    /// Rules about InferenceServices, ServingRuntimes, and the GPUs and projects that they need.
    SERVING in "serving":

    /// A flag of vLLM has two values for one model.
    ///
    /// KServe appends the `args` of an InferenceService to those of its ServingRuntime, and vLLM uses the last value.
    /// The other value has no effect, so a later change to it, such as by a patch, changes nothing. Set the flag in one
    /// place. This is an info if several services use the runtime, because its flags may be defaults, or if both values
    /// are equal. Flags that take several values are not checked, because vLLM may join them.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: serving.kserve.io/v1alpha1
    /// kind: ServingRuntime
    /// metadata:
    ///   name: qwen
    /// spec:
    ///   supportedModelFormats:
    ///   - name: vLLM
    ///   containers:
    ///   - name: kserve-container
    ///     args: [--port=8080, --max-model-len, "32768"]
    /// ---
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: qwen
    /// spec:
    ///   predictor:
    ///     model:
    ///       modelFormat: {name: vLLM}
    ///       runtime: qwen
    ///       args: [--max-model-len=8000]
    /// ```
    ARGS_CONFLICT = "args-conflict", Warning;

    /// An InferenceService has a canary, but its deployment mode does not support one.
    ///
    /// Only Knative splits traffic between revisions. In the mode `Standard`, formerly `RawDeployment`, KServe ignores
    /// `canaryTrafficPercent`: a new model gets all requests at once. Remove the field, and keep the previous version as
    /// an InferenceService of its own, or use the mode `Knative`.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: qwen
    ///   annotations:
    ///     serving.kserve.io/deploymentMode: Standard
    /// spec:
    ///   predictor:
    ///     canaryTrafficPercent: 10
    ///     model:
    ///       modelFormat: {name: vLLM}
    /// ```
    CANARY_WITHOUT_KNATIVE = "canary-without-knative", Warning;

    /// An InferenceService has a deployment mode by its former name.
    ///
    /// Since release 0.16, KServe's webhook replaces `RawDeployment` with `Standard`, and `Serverless` with `Knative`.
    /// Argo CD then finds a difference between Git and the cluster that never ends. Use the new names. If your cluster
    /// has an older KServe, which does not know them, ignore this rule.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: qwen
    ///   annotations:
    ///     serving.kserve.io/deploymentMode: RawDeployment
    /// spec:
    ///   predictor:
    ///     model:
    ///       modelFormat: {name: vLLM}
    /// ```
    DEPRECATED_DEPLOYMENT_MODE = "deprecated-deployment-mode", Warning;

    /// A model or another workload requests more GPUs than the largest machine of the package has.
    ///
    /// A pod runs on one machine, so it stays pending if no machine has that many GPUs. The rule compares the request
    /// with all MachineSets with GPUs that the service can select. Request fewer GPUs, add larger machines, or spread the
    /// model over several nodes. This is a warning, because the cluster may have machines that are not among the
    /// resources.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: machine.openshift.io/v1beta1
    /// kind: MachineSet
    /// metadata:
    ///   name: demo-gpu-us-east-2a
    ///   namespace: openshift-machine-api
    /// spec:
    ///   template:
    ///     spec:
    ///       providerSpec:
    ///         value:
    ///           kind: AWSMachineProviderConfig
    ///           instanceType: g6.4xlarge
    /// ---
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: mistral
    /// spec:
    ///   predictor:
    ///     model:
    ///       modelFormat: {name: vLLM}
    ///       resources:
    ///         limits: {nvidia.com/gpu: "4"}
    /// ```
    GPU_UNAVAILABLE = "gpu-unavailable", Warning;

    /// The connection of a model does not exist, or is of the wrong type.
    ///
    /// The annotation `opendatahub.io/connections` names a Secret in the namespace of the service. OpenShift AI rejects
    /// the service if the Secret does not exist. It reads the type from the annotation
    /// `opendatahub.io/connection-type-protocol`: an `s3` connection is of no use for a model at `oci://…`, and an `oci`
    /// connection must be a Secret of the type `kubernetes.io/dockerconfigjson`. A Secret with the name of the service
    /// is its connection too. A missing Secret is reported only if the package has other connections, because most
    /// packages get Secrets from elsewhere.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata:
    ///   name: qwen
    ///   annotations:
    ///     opendatahub.io/connection-type: s3
    /// stringData:
    ///   AWS_S3_BUCKET: ""
    /// ---
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: qwen
    ///   annotations:
    ///     opendatahub.io/connections: qwen
    /// spec:
    ///   predictor:
    ///     model:
    ///       modelFormat: {name: vLLM}
    ///       storageUri: oci://registry.example.com/qwen:1
    /// ```
    MISSING_CONNECTION = "missing-connection", Warning;

    /// An InferenceService names a ServingRuntime that does not exist.
    ///
    /// The runtime must be in the namespace of the service, or be a ClusterServingRuntime. kustomize's `namePrefix`
    /// renames the runtime, but not `model.runtime`: SetModelEnvironment changes both. This is a warning, because the
    /// cluster may have the runtime. A package without ServingRuntimes is not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: serving.kserve.io/v1alpha1
    /// kind: ServingRuntime
    /// metadata:
    ///   name: dev-qwen
    /// spec:
    ///   supportedModelFormats:
    ///   - name: vLLM
    ///   containers:
    ///   - name: kserve-container
    /// ---
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: dev-qwen
    /// spec:
    ///   predictor:
    ///     model:
    ///       modelFormat: {name: vLLM}
    ///       runtime: qwen
    /// ```
    MISSING_RUNTIME = "missing-runtime", Warning;

    /// An AppProject of Argo CD does not allow what belongs to it.
    ///
    /// It is an error if the cluster or the namespace of an Application is not among the `destinations` of its
    /// project: Argo CD refuses to sync the Application. Add the destination to the project, or correct it.
    /// Projects that are not among the resources are not checked.
    ///
    /// It is a warning if a project lists a kind only in the wrong place: `clusterResourceWhitelist` is for
    /// kinds without a namespace, and `namespaceResourceWhitelist` for kinds with one. A MachineSet is in a
    /// namespace. It is also a warning if an object is in the namespace of an Application whose project does not allow the
    /// kind, and if an Application has the option `CreateNamespace=true`, but its project does not allow Namespaces.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: argoproj.io/v1alpha1
    /// kind: AppProject
    /// metadata:
    ///   name: llmops
    ///   namespace: openshift-gitops
    /// spec:
    ///   destinations:
    ///   - {server: https://kubernetes.default.svc, namespace: llmops-dev}
    /// ---
    /// apiVersion: argoproj.io/v1alpha1
    /// kind: Application
    /// metadata:
    ///   name: llmops-production
    ///   namespace: openshift-gitops
    /// spec:
    ///   project: llmops
    ///   destination: {server: https://kubernetes.default.svc, namespace: llmops-prod}
    ///   source: {repoURL: https://git.example.com/llmops.git, path: overlays/production}
    /// ```
    PROJECT_FORBIDS = "project-forbids", Error;

    /// An object that a function does not change names one that it renames.
    ///
    /// A model, and the Secrets, claims and accounts that it uses, get the names of their environment. A RoleBinding, an
    /// InferenceGraph or a Deployment of the same package keeps the old name, so it has no effect or does not start. Write
    /// the new name, or use a separate package for the object.
    STALE_REFERENCE = "stale-reference", Warning;

    /// A model or another workload requests GPUs, but cannot run on the GPU machines of the package.
    ///
    /// Each MachineSet with GPUs has a taint that the pod does not tolerate, so the pod stays pending although there are
    /// nodes with GPUs. Add a toleration; `operator: Exists` matches any value. It is an error if the service has a
    /// toleration for the key of the taint, but with another value or effect, and a warning otherwise, because the
    /// cluster may have other machines. If the resources lack the ServingRuntime, which may have tolerations, it is a
    /// warning at most. It is also a warning if no MachineSet with GPUs has a label of the
    /// `nodeSelector`. A service with a hardware profile is not checked, because the profile may have tolerations.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: machine.openshift.io/v1beta1
    /// kind: MachineSet
    /// metadata:
    ///   name: demo-gpu-us-east-2a
    ///   namespace: openshift-machine-api
    /// spec:
    ///   template:
    ///     spec:
    ///       taints:
    ///       - {key: nvidia.com/gpu, value: "true", effect: NoSchedule}
    ///       providerSpec:
    ///         value:
    ///           kind: AWSMachineProviderConfig
    ///           instanceType: g6.4xlarge
    /// ---
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: qwen
    /// spec:
    ///   predictor:
    ///     tolerations:
    ///     - {key: nvidia.com/gpu, operator: Equal, value: "True"}
    ///     model:
    ///       modelFormat: {name: vLLM}
    ///       resources:
    ///         limits: {nvidia.com/gpu: "1"}
    /// ```
    TAINT_NOT_TOLERATED = "taint-not-tolerated", Error;

    /// vLLM uses another number of GPUs than its pod gets.
    ///
    /// It is an error if vLLM needs more GPUs than the pod has: it fails to start. It is a warning if it uses fewer,
    /// because the others stay idle. The number is the product of `--tensor-parallel-size`,
    /// `--pipeline-parallel-size` and `--data-parallel-size`, each 1 by default. Models on several nodes are not
    /// checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: serving.kserve.io/v1beta1
    /// kind: InferenceService
    /// metadata:
    ///   name: mistral
    /// spec:
    ///   predictor:
    ///     model:
    ///       modelFormat: {name: vLLM}
    ///       args: [--tensor-parallel-size=4]
    ///       resources:
    ///         limits: {nvidia.com/gpu: "2"}
    /// ```
    TENSOR_PARALLEL = "tensor-parallel", Error;
}
