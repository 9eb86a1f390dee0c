//! Rules about the cells of Nova.

crate::rules! {
    /// Rules about the cells of Nova, as the webhook of nova-operator checks them.
    CELLS in "nova":

    /// Metadata services are enabled for all cells and in a cell.
    ///
    /// The webhook of nova-operator rejects this. One metadata service for all cells is enabled by default. To run one in
    /// each cell, set `enabled: false` in `spec.nova.template.metadataServiceTemplate`; otherwise, disable those of the
    /// cells.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       cellTemplates:
    ///         cell0: {}
    ///         cell1:
    ///           metadataServiceTemplate:
    ///             enabled: true
    /// ```
    METADATA_TWICE = "metadata-twice", Error;

    /// A control plane lists cells, but not cell0.
    ///
    /// Nova keeps guests that were never scheduled in cell0, and the webhook of nova-operator rejects `cellTemplates`
    /// without it. Add `cell0`. A control plane without `cellTemplates` gets cell0 and cell1.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       cellTemplates:
    ///         cell1: {}
    /// ```
    MISSING_CELL = "missing-cell", Error;

    /// cell0 has a metadata service, a noVNC proxy or compute services.
    ///
    /// The guests in cell0 were never scheduled to a host, so the webhook of nova-operator rejects these services there.
    /// Move them to another cell, or remove them.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       cellTemplates:
    ///         cell0:
    ///           noVNCProxyServiceTemplate:
    ///             enabled: true
    ///         cell1: {}
    /// ```
    SERVICE_IN_CELL_ZERO = "service-in-cell-zero", Error;

    /// Two cells use the same RabbitMQ cluster.
    ///
    /// The conductors and compute nodes of the two cells would receive each other's messages, so the webhook of
    /// nova-operator rejects this for all cells but cell0. Name another RabbitMQ cluster in `messagingBus.cluster`, or in
    /// `cellMessageBusInstance` before RHOSO 18.0 Feature Release 5. A cell that names none uses `rabbitmq-<cell>`, but
    /// `rabbitmq` before that release. This is a warning if it depends on the release.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       cellTemplates:
    ///         cell0: {}
    ///         cell1:
    ///           messagingBus:
    ///             cluster: rabbitmq-cell1
    ///         cell2:
    ///           messagingBus:
    ///             cluster: rabbitmq-cell1
    /// ```
    SHARED_MESSAGE_BUS = "shared-message-bus", Error;
}
