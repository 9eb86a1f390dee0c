//! The rules about the fields of custom resources.

crate::rules! {
    /// The rules about the fields of custom resources.
    FIELDS in "fields":

    /// The kind or the API group of a resource is misspelt.
    ///
    /// The API server rejects a kind that no CRD defines. This is reported if the group is known and the kind is almost
    /// one of its kinds, or if the kind is known and the group is almost its group. Correct the name that the message
    /// gives. Other kinds that rhoso-fn does not know are not reported. With `check --crds`, the kinds of your CRDs are
    /// known too.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlan
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   storageClass: local-storage
    /// ```
    MISSPELT_KIND = "misspelt-kind", Error;

    /// A resource has a field that its CRD does not have.
    ///
    /// The API server drops the field, and the resource works as if it were not there. kubectl refuses such a resource,
    /// but Argo CD and other clients do not notice. Correct the name, or move the field to the path that the message
    /// gives.
    ///
    /// rhoso-fn knows the fields of OpenStack, MetalLB, nmstate, MachineSets, autoscalers, Argo CD and KServe in their
    /// current releases. If it finds no field that you can have meant, this is a warning, because a newer release may
    /// have the field. It is also a warning if older releases have the field. `check --crds DIR` uses the CRDs of your
    /// cluster instead, so that the answer is certain: `oc get crd -o yaml > crds/all.yaml` saves them. Missing fields are
    /// not reported, because webhooks set them.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   barbican:
    ///     template:
    ///       enabled: false
    /// ```
    UNKNOWN_FIELD = "unknown-field", Error;

    /// The value of a field has a type that the API server does not accept.
    ///
    /// It rejects the resource: a string in place of a number, a mapping in place of a list. Correct the value. Numbers
    /// and booleans must not be in quotes, unless the field is a string. In the metadata of every kind, the name, the
    /// namespace, and all labels and annotations are strings. Placeholders have a rule of their own. `check --crds DIR`
    /// uses the CRDs of your cluster, as for `unknown-field`. This is a warning if kustomize or a function may still
    /// change the value.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: network.openstack.org/v1beta1
    /// kind: DNSMasq
    /// metadata: {name: dns, namespace: openstack}
    /// spec:
    ///   replicas: "1"
    /// ```
    WRONG_FIELD_TYPE = "wrong-field-type", Error;
}
