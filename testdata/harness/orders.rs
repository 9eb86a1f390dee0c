//! The functions that configure nova-compute share the services and ConfigMaps of node sets. Each order of them gives
//! the same resources, and running all of them again changes nothing. The files of a ConfigMap are in the order in which
//! the functions have added them, which means nothing; all else is the same, byte for byte.

use std::collections::BTreeMap;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{File, Package, Resource, Results};

/// A functionConfig of each function.
const FUNCTIONS: [&str; 3] = [
    "
kind: AssignNovaCells
spec:
  cells:
    cell1: [gpu]
    cell2: [{nodeSet: gpu, nodes: [edpm-compute-1]}, edge]
",
    "
kind: InjectGpuAlias
spec:
  aliases: [{name: nvidia, gpu: L4}]
  computes: [{nodeSet: gpu}, {nodeSet: edge, cell: cell2, service: nova-edge, configMap: edge, iommu: none}]
",
    "
kind: SetServiceConfig
spec:
  services:
  - service: nova-compute
    nodeSets: [gpu]
    config: |
      [compute]
      cpu_shared_set = 0-3
",
];

/// The same cells with other functions: the service of a cell has its default name, and all node sets share one more
/// ConfigMap.
const WITH_TWO_CONFIG_MAPS: [&str; 3] = [
    FUNCTIONS[0],
    "
kind: InjectGpuAlias
spec:
  aliases: [{name: nvidia, gpu: L4}]
  computes: [{nodeSet: gpu}, {nodeSet: edge, cell: cell2, iommu: none}]
",
    "
kind: SetServiceConfig
spec:
  services:
  - service: nova-compute
    configMap: all-nova
    config: |
      [compute]
      cpu_shared_set = 0-3
",
];

const CONTROL_PLANE: &str = "
kind: OpenStackControlPlane
apiVersion: core.openstack.org/v1beta1
metadata: {name: openstack, namespace: rhoso}
spec:
  nova:
    template:
      cellTemplates: {cell0: {}, cell1: {}, cell2: {}}
";

const DEPLOYMENTS: &str = "
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneDeployment
metadata: {name: all, namespace: rhoso}
spec:
  nodeSets: [gpu, edge, plain]
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneDeployment
metadata: {name: edge, namespace: rhoso}
spec:
  nodeSets: [edge]
  servicesOverride: [nova]
";

/// The service of a cell, as AssignNovaCells creates it.
const OF_CELL2: &str = "
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneService
metadata: {name: nova-cell2, namespace: rhoso}
spec:
  edpmServiceType: nova
  playbook: osp.edpm.nova
  dataSources:
    - secretRef: {name: nova-cell2-compute-config}
    - secretRef: {name: nova-migration-ssh-key}
    - configMapRef: {name: nova-extra-config, optional: true}
  caCerts: combined-ca-bundle
  containerImageFields: [NovaComputeImage]
";

/// A node set whose service of type nova is the given one.
fn node_set(name: &str, nova: &str, annotations: &str, nodes: [usize; 2]) -> String {
    let [first, second] = nodes;
    format!(
        "
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNodeSet
metadata:
  name: {name}
  namespace: rhoso
{annotations}spec:
  services:
    - libvirt
    - {nova} # the stock one
  nodes:
    edpm-compute-{first}: # first
      hostName: edpm-compute-{first}
    edpm-compute-{second}: # second
      hostName: edpm-compute-{second}
  nodeTemplate:
    ansible:
      ansibleVars:
        edpm_kernel_args: quiet # no messages
"
    )
}

/// A service of type nova with a ConfigMap.
fn service(name: &str, secret: &str) -> String {
    format!(
        "
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneService
metadata: {{name: {name}, namespace: rhoso}}
spec:
  edpmServiceType: nova
  playbook: osp.edpm.nova
  dataSources:
    - configMapRef: {{name: ceph-nova}} # client.openstack
    - secretRef: {{name: {secret}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: ceph-nova, namespace: rhoso}}
data:
  03-ceph-nova.conf: |
    [libvirt]
    images_type = rbd
"
    )
}

/// Node sets with these services, and one that no function configures.
fn package(gpu: &str, edge: &str, annotations: &str, more: &str) -> String {
    let sets = [
        node_set("gpu", gpu, annotations, [0, 1]),
        node_set("edge", edge, "", [2, 3]),
        node_set("plain", "nova", "", [4, 5]),
    ];
    [CONTROL_PLANE, &sets.join("---\n"), DEPLOYMENTS, more].join("---\n")
}

/// Packages in which node sets have the operator's service, that of a cell, or one of their own.
fn packages() -> Vec<(&'static str, String)> {
    let annotated = "  annotations:\n    nova.openstack.org/cell: cell1\n";
    vec![
        ("the operator's nova", package("nova", "nova", "", "")),
        ("an annotation", package("nova", "nova", annotated, "")),
        ("services of cells that do not exist yet", package("nova", "nova-cell2", "", "")),
        ("the user's nova", package("nova", "nova", "", &service("nova", "nova-cell1-compute-config"))),
        ("a service of a cell", package("nova", "nova-cell2", "", OF_CELL2)),
        (
            "an own service",
            package("nova", "nova-ceph", "", &service("nova-ceph", "nova-cell2-compute-config")),
        ),
    ]
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let insert = |order: Vec<usize>| {
        (0..count).map(move |at| {
            let mut order = order.clone();
            order.insert(at, count - 1);
            order
        })
    };
    orders(count - 1).into_iter().flat_map(insert).collect()
}

/// The texts of all resources by name, after the functions have run in an order, several times.
fn run(functions: &[&str], package: &str, order: &[usize], times: usize) -> BTreeMap<String, String> {
    let mut files = vec![File { path: "package.yaml".to_owned(), text: package.into() }];
    for time in 0..times {
        for index in order {
            let text =
                format!("apiVersion: fn.rhoso.dev/v1alpha1\nmetadata: {{name: f}}{}", functions[*index]);
            files.push(File { path: format!("{time}-{index}.yaml"), text: text.into() });
        }
    }
    let mut results = Results::default();
    let mut package = Package::read(files, REGISTRY, &mut results);
    package.run(REGISTRY, &mut results);
    assert!(!results.has_errors(), "{order:?}: {:?}", results.into_sorted());
    let text = |item: &Resource| (item.id().to_string(), item.text().trim().to_owned());
    package.items().iter().map(text).collect()
}

/// The text of a resource, with the lines of a ConfigMap in alphabetical order.
fn sorted(id: &str, text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if id.starts_with("ConfigMap ") {
        lines.sort_unstable();
    }
    lines.join("\n")
}

/// Compares the orders of three functions, each run once and twice.
fn assert_orders_agree(what: &str, functions: &[&str], package: &str) {
    let all = orders(functions.len());
    let expected = run(functions, package, &all[0], 1);
    for service in ["nova-cell1", "nova-cell2", "nova-custom-gpu", "nova-custom-gpu-cell2"] {
        assert!(expected.keys().any(|id| id.ends_with(&format!("/{service}"))), "{what}: no {service}");
    }
    for order in &all {
        for times in [1, 2] {
            let found = run(functions, package, order, times);
            assert_eq!(
                expected.keys().collect::<Vec<_>>(),
                found.keys().collect::<Vec<_>>(),
                "{what}, {order:?}"
            );
            for (id, text) in &expected {
                let (text, found) = (sorted(id, text), sorted(id, &found[id]));
                crate::host::assert_same(&format!("{what}, {order:?}, {times}: {id}"), &text, &found);
            }
        }
    }
}

#[test]
fn every_order_of_functions_gives_the_same_resources() {
    for (what, package) in packages() {
        assert_orders_agree(what, &FUNCTIONS, &package);
    }
}

/// Two ConfigMaps of one service do not depend on the order either, and neither does the cell of `computes`.
#[test]
fn every_order_of_functions_with_two_config_maps_gives_the_same_resources() {
    assert_orders_agree("two ConfigMaps", &WITH_TWO_CONFIG_MAPS, &package("nova", "nova", "", ""));
}
