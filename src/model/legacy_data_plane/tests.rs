use super::*;
use crate::model::testing::resources;

const PACKAGE: &str = "\
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneRole
metadata:
  name: compute
  namespace: a
  annotations: {nova.openstack.org/cell: nova-cell1}
spec:
  networkAttachments: [ctlplane]
  deployStrategy: {deploy: false}
  nodeTemplate: {ansibleSSHPrivateKeySecret: key, networkAttachments: []}
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNode
metadata: {name: inherits, namespace: a}
spec: {role: compute, node: {ansibleSSHPrivateKeySecret: \"\"}}
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNode
metadata:
  name: overrides
  namespace: a
  annotations: {nova.openstack.org/cell: other-cell1, nova.openstack.org/Cell: cell3}
spec:
  role: compute
  networkAttachments: [internalapi]
  deployStrategy: {ansibleLimit: x}
  node: {ansibleSSHPrivateKeySecret: own}
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNode
metadata: {name: elsewhere, namespace: b}
spec: {role: compute}
---
apiVersion: nova.openstack.org/v1beta1
kind: NovaCell
metadata: {name: other-cell1, namespace: a}
spec: {cellName: cell1}
---
apiVersion: nova.openstack.org/v1beta1
kind: NovaExternalCompute
metadata: {name: inherits, namespace: a}
spec: {cellName: nova-cell1}
---
apiVersion: nova.openstack.org/v1beta1
kind: NovaExternalCompute
metadata: {name: overrides, namespace: a}
";

fn cell(nova: &str, name: &str) -> Cell {
    Cell { nova: nova.to_owned(), name: name.to_owned() }
}

#[test]
fn a_node_inherits_what_it_does_not_have() {
    let items = resources(PACKAGE);
    let (plane, misreads) = read(&World::new(&items));
    assert!(misreads.is_empty(), "{misreads:?}");
    let nodes: Vec<_> = plane.nodes.iter().map(|node| plane.compute_node(node)).collect();
    let [Some(inherits), Some(overrides), None] = nodes.as_slice() else { panic!("{nodes:?}") };
    assert_eq!((inherits.ssh_key(), inherits.deploy()), (Some("key"), Some(false)));
    assert_eq!((overrides.ssh_key(), overrides.deploy()), (Some("own"), Some(true)));
    assert_eq!(
        (inherits.network_attachments(), overrides.network_attachments()),
        (&["ctlplane".to_owned()][..], &["internalapi".to_owned()][..])
    );
    assert_eq!(
        (inherits.cell_in(&plane, "nova"), overrides.cell_in(&plane, "nova")),
        (cell("nova", "cell1"), cell("other", "cell1"))
    );
    assert_eq!(overrides.node.settings.misspelt_cells.len(), 1);
}

#[test]
fn a_compute_is_in_the_cell_that_its_fields_or_their_defaults_name() {
    let items = resources(PACKAGE);
    let (plane, _) = read(&World::new(&items));
    let is_in = |node: usize, cell: Cell| plane.compute_of(&plane.nodes[node]).unwrap().is_in(&cell);
    assert!(is_in(0, cell("nova", "cell1")) && is_in(1, cell("nova", "cell1")));
    assert!(!is_in(0, cell("nova", "cell2")) && !is_in(1, cell("other", "cell1")));
    assert!(plane.compute_of(&plane.nodes[2]).is_none());
}

#[test]
fn wrong_types_are_misreads() {
    let items = resources(
        "apiVersion: dataplane.openstack.org/v1beta1\nkind: OpenStackDataPlaneNode\nmetadata: {name: a, annotations: [x]}\nspec: {role: 1, node: b, networkAttachments: [null], deployStrategy: {deploy: 'no'}}\n",
    );
    let (_, misreads) = read(&World::new(&items));
    let paths: Vec<String> = misreads.iter().map(|misread| misread.site.path.to_string()).collect();
    assert_eq!(
        paths,
        [
            "metadata.annotations",
            "spec.role",
            "spec.node",
            "spec.networkAttachments[0]",
            "spec.deployStrategy.deploy"
        ]
    );
}
