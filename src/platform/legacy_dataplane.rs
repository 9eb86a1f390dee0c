//! The data plane of 2023, before node sets: roles, nodes, and the compute service of each node.
//!
//! The CRDs are those of dataplane-operator 0.1.1 and nova-operator 0.1.1, which both removed them in the same year.

use crate::krm::{FieldPath, Hint, Kind};

pub const ROLE: Kind = Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneRole");
pub const NODE: Kind = Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneNode");

/// Runs nova-compute and libvirt on a node.
pub const EXTERNAL_COMPUTE: Kind = Kind::new("nova.openstack.org/v1beta1", "NovaExternalCompute");

/// A cell, which nova-operator creates for each cell of a Nova.
pub const NOVA_CELL: Kind = Kind::new("nova.openstack.org/v1beta1", "NovaCell");

/// The annotation of a node or a role that names the cell of its computes.
pub const CELL: &str = "nova.openstack.org/cell";

/// The name of the Nova that an OpenStackControlPlane deploys, and the default of [`NOVA_INSTANCE`].
pub const NOVA: &str = "nova";

/// The default of [`CELL_NAME`].
pub const DEFAULT_CELL: &str = "cell1";

/// The section of a node with its own settings.
pub const OWN_SETTINGS: &str = "node";

/// The section of a role with the settings of its nodes.
pub const NODE_TEMPLATE: &str = "nodeTemplate";

/// The Secret with the key for Ansible, in the settings of a node.
pub const SSH_KEY: &str = "ansibleSSHPrivateKeySecret";

/// Whether and how Ansible changes a node. `deploy` defaults to true where this section exists.
pub const DEPLOY_STRATEGY: &str = "deployStrategy";

// Fields of a NovaExternalCompute.
pub const NOVA_INSTANCE: &str = "novaInstance";
pub const CELL_NAME: &str = "cellName";
pub const INVENTORY: &str = "inventoryConfigMapName";
pub const SSH_KEY_SECRET: &str = "sshKeySecretName";
pub const NETWORK_ATTACHMENTS: &str = "networkAttachments";
pub const DEPLOY: &str = "deploy";
pub const COMPUTE_IMAGE: &str = "novaComputeContainerImage";
pub const LIBVIRT_IMAGE: &str = "novaLibvirtContainerImage";
pub const ANSIBLE_IMAGE: &str = "ansibleEEContainerImage";

/// A field of a spec.
pub fn spec_field(key: &'static str) -> FieldPath {
    FieldPath::new("spec").key(key)
}

/// Where a node names the Secret with the key for Ansible.
pub fn node_ssh_key() -> FieldPath {
    spec_field(OWN_SETTINGS).key(SSH_KEY)
}

/// Where a role names it for its nodes.
pub fn role_ssh_key() -> FieldPath {
    spec_field(NODE_TEMPLATE).key(SSH_KEY)
}

/// The ConfigMap that dataplane-operator creates with the Ansible inventory of a node.
pub fn inventory(node: &str) -> String {
    format!("dataplanenode-{node}")
}

/// A cell, as a NovaExternalCompute names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The name of the Nova.
    pub nova: String,
    /// The name of the cell in that Nova.
    pub name: String,
}

impl Cell {
    /// Reads the name of a cell of a Nova, or of its NovaCell.
    pub fn of_nova(nova: &str, text: &str) -> Self {
        let name = text.strip_prefix(nova).and_then(|rest| rest.strip_prefix('-')).unwrap_or(text);
        Cell { nova: nova.to_owned(), name: name.to_owned() }
    }

    /// The name of its NovaCell, as nova-operator forms it.
    pub fn nova_cell(&self) -> String {
        nova_cell(&self.nova, &self.name)
    }
}

/// The name of the NovaCell of a cell.
pub fn nova_cell(nova: &str, cell: &str) -> String {
    format!("{nova}-{cell}")
}

/// Whether an annotation has almost the key of the one that names the cell.
pub fn is_misspelt_cell(key: &str) -> bool {
    let (Some((domain, name)), Some((own_domain, own_name))) = (key.split_once('/'), CELL.split_once('/'))
    else {
        return false;
    };
    let is_near = |given: &str, known: &'static str| Hint::among(given, [known]).name().is_some();
    key != CELL && is_near(domain, own_domain) && is_near(name, own_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_two_names() {
        let name = |nova, text| Cell::of_nova(nova, text).name;
        assert_eq!((name("nova", "nova-cell1"), name("nova", "cell1")), ("cell1".into(), "cell1".into()));
        assert_eq!(
            (name("nova", "novacell1"), name("nova2", "nova-cell1")),
            ("novacell1".into(), "nova-cell1".into())
        );
        assert_eq!(Cell::of_nova("nova", "cell1").nova_cell(), "nova-cell1");
    }

    #[test]
    fn misspelt_annotations_are_recognised() {
        for key in ["nova.openstack.org/cel", "nova.openstack.org/Cell", "nova.openstack.com/cell"] {
            assert!(is_misspelt_cell(key), "{key}");
        }
        for key in
            [CELL, "cell", "nova.openstack.org/compute-profile", "nova.openstack.org/az", "example.com/cell"]
        {
            assert!(!is_misspelt_cell(key), "{key}");
        }
    }
}
