//! Rules about models that KServe serves, and about Argo CD's projects that deploy them.

crate::rules! {
    /// Rules about InferenceServices, ServingRuntimes, and the GPUs and projects that they need.
    SERVING in "serving":

    /// An AppProject of Argo CD does not allow what belongs to it.
    ///
    /// It is an error if the cluster or the namespace of an Application is not among the `destinations` of its
    /// project: Argo CD refuses to sync the Application. Add the destination to the project, or correct it.
    /// Projects that are not among the resources are not checked.
    ///
    /// It is a warning if a project lists a kind in the wrong place: `clusterResourceWhitelist` is only for
    /// kinds without a namespace, and `namespaceResourceWhitelist` only for kinds with one. A MachineSet is in
    /// a namespace.
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
}
