mod objects;
mod report;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::formats::dns;
use crate::krm::{Fault, Function, Generator, Id, Mistakes, Resource, Results, Transformer, quoted};
use crate::model::World;
use crate::model::legacy_data_plane::{self, ComputeNode, LegacyDataPlane, Node};
use crate::platform::legacy_dataplane as facts;

/// Generates a NovaExternalCompute for each OpenStackDataPlaneNode that has a cell.
///
/// The function is for clusters and archives that still have these kinds, which the operators removed in 2023, and it is
/// the reference for AssignNovaCells, which assigns OpenStackDataPlaneNodeSets to cells.
///
/// The annotation `nova.openstack.org/cell` names the cell: that of the node, or else that of its role, which is the
/// OpenStackDataPlaneRole in `spec.role` of the node. A node without a cell gets no NovaExternalCompute, and an
/// existing one is not changed. The value is the name of a cell (`cell1`) or of its NovaCell (`nova-cell1`). The
/// NovaExternalCompute has the namespace and the name of the node, and these fields:
///
/// - `novaInstance` and `cellName` are the Nova and the cell in it: `nova` and `cell1`. nova-operator joins the two to
///   the name of the NovaCell, so `cellName` is never that name itself.
/// - `inventoryConfigMapName` is `dataplanenode-<node>`, the inventory that dataplane-operator creates.
/// - `sshKeySecretName` is `ansibleSSHPrivateKeySecret` in `spec.node` of the node, or else in `spec.nodeTemplate` of
///   the role. One of them is required.
/// - `networkAttachments` is that of the node, or else that of the role: in `spec.nodeTemplate` or in `spec`.
/// - `deploy` is that of `spec.deployStrategy` of the node, or else of the role.
/// - The container images are those below. The operator sets those that are missing.
///
/// A NovaExternalCompute that already exists is updated: inventory, SSH key, networks and `deploy` are copied again, and
/// networks and `deploy` are removed if neither the node nor the role has them. Everything else is kept byte for byte:
/// the images, and `customServiceConfig`, which the function never writes. The cell of a compute cannot change, because
/// Nova cannot move computes. If the annotation names another cell than `cellName`, the function fails. If `cellName` is
/// the name of the NovaCell, it is kept.
///
/// If the namespace has an OpenStackControlPlane or NovaCells, a cell that is not among theirs is reported. The cell
/// `cell0` is refused, because it has no computes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateNovaExternalComputes {
    /// The namespace of the nodes. Nodes without a namespace are included. Defaults to all namespaces.
    namespace: Option<String>,
    /// The name of the Nova that the cells belong to, unless the annotation names a NovaCell among the resources.
    /// Defaults to `nova`, which an OpenStackControlPlane deploys.
    nova: Option<String>,
    /// The image of nova-compute in new NovaExternalComputes.
    nova_compute_container_image: Option<String>,
    /// The image of libvirt in new NovaExternalComputes.
    nova_libvirt_container_image: Option<String>,
    /// The image of the Ansible runner in new NovaExternalComputes.
    #[serde(rename = "ansibleEEContainerImage")]
    ansible_ee_container_image: Option<String>,
}

/// A GenerateNovaExternalComputes without mistakes.
#[derive(Debug)]
pub struct ExternalComputes {
    namespace: Option<String>,
    nova: String,
    /// The images of new computes, by field.
    images: Vec<(&'static str, String)>,
}

impl Function for GenerateNovaExternalComputes {
    const KIND: &'static str = "GenerateNovaExternalComputes";
    const NAME: &'static str = "generate-nova-external-computes";

    type Ready = ExternalComputes;

    fn check(self) -> Result<ExternalComputes, Mistakes> {
        let mut mistakes = Mistakes::default();
        for (key, name) in [("namespace", &self.namespace), ("nova", &self.nova)] {
            if let Some(name) = name.as_ref().filter(|name| !dns::is_label(name)) {
                let message =
                    format!("must consist of lower case letters, digits and hyphens, got {}", quoted(name));
                mistakes.add(facts::spec_field(key), message);
            }
        }
        let images = [
            (facts::COMPUTE_IMAGE, self.nova_compute_container_image),
            (facts::LIBVIRT_IMAGE, self.nova_libvirt_container_image),
            (facts::ANSIBLE_IMAGE, self.ansible_ee_container_image),
        ];
        let images: Vec<_> =
            images.into_iter().filter_map(|(field, image)| image.map(|image| (field, image))).collect();
        for (field, _) in images.iter().filter(|(_, image)| image.trim().is_empty()) {
            mistakes.add(facts::spec_field(field), "must not be empty");
        }
        mistakes.unless_any(|| ExternalComputes {
            namespace: self.namespace,
            nova: self.nova.unwrap_or_else(|| facts::NOVA.to_owned()),
            images,
        })
    }
}

impl Generator for ExternalComputes {
    /// Creates the computes that do not exist. Nothing is created if there are errors.
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let world = World::new(given);
        let (plane, misreads) = legacy_data_plane::read(&world);
        self.report(&plane, &misreads, &world, results)?;
        if results.has_errors() {
            return Ok(Vec::new());
        }
        let is_new = |compute: &ComputeNode<'_>| plane.compute_of(compute.node).is_none();
        self.compute_nodes(&plane).filter(is_new).map(|compute| self.new_compute(&compute, &plane)).collect()
    }
}

impl Transformer for ExternalComputes {
    /// Updates the computes that exist. Those that were just created already have these values.
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        if results.has_errors() {
            return Ok(());
        }
        let (plane, _) = legacy_data_plane::read(&World::new(items));
        for compute in self.compute_nodes(&plane) {
            if let Some(existing) = plane.compute_of(compute.node) {
                objects::update(existing.item.get_mut(items), &compute)?;
            }
        }
        Ok(())
    }
}

impl ExternalComputes {
    /// Whether the function is for an object.
    fn includes(&self, id: &Id) -> bool {
        self.namespace.is_none() || id.may_be_in(self.namespace.as_deref())
    }

    /// The nodes that the function is for.
    fn nodes<'p>(&self, plane: &'p LegacyDataPlane) -> impl Iterator<Item = &'p Node> {
        plane.nodes.iter().filter(|node| self.includes(&node.id))
    }

    /// Those of them that have a cell.
    fn compute_nodes<'p>(&self, plane: &'p LegacyDataPlane) -> impl Iterator<Item = ComputeNode<'p>> {
        self.nodes(plane).filter_map(|node| plane.compute_node(node))
    }
}
