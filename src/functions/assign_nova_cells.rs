mod edits;
mod members;
mod nova;
mod objects;
mod plan;
mod refusals;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::formats::dns;
use crate::krm::{Fault, FieldPath, Function, Generator, Mistakes, Resource, Results, Transformer, quoted};
use crate::model::World;
use crate::model::data_plane::{self, NodeSet};
use members::{Assignment, Member};

/// Assigns node sets, or some of their nodes, to cells of Nova.
///
/// The hosts of an OpenStackDataPlaneNodeSet join the cell whose Secret, `nova-<cell>-compute-config`, its service of
/// type nova reads. The operator's service `nova` is for cell1. This function creates one OpenStackDataPlaneService
/// `nova-<cell>` for each cell, and lists it in the node sets of the cell in place of `nova`. If the resources contain a
/// service `nova`, the new services are based on it. They are never based on the service of another cell, so copy your
/// changes from there.
///
/// Name the cell of a node set in its annotation `nova.openstack.org/cell`, or in `cells`. All nodes of a node set have
/// the same services, so nodes that `cells` puts into another cell get a node set of their own: a copy with the name
/// `<nodeSet>-<cell>`, which keeps everything except the other nodes. The node set itself keeps its name and loses the
/// nodes. Deployments of the node set also list the new one. Later changes of the node set are not copied; the
/// annotation `fn.rhoso.dev/split-from` records where the new one comes from, and functions that configure the node set
/// configure both.
///
/// A node set with configuration of its own keeps its own service, such as `nova-custom-<nodeSet>`, and the Secret of that
/// service becomes that of the cell. If node sets of different cells share such a service, the function fails and
/// reports both. InjectGpuAlias can run before or after this function; the result is the same. It must run after this
/// function only if you write a `nova-<cell>` service with other settings yourself. If its `computes` name a `service`,
/// name the `cell` there too.
///
/// Nova cannot move compute nodes to another cell. The function fails if a node set is already in another cell: it lists
/// another `nova-<cell>`, or its own service reads the Secret of another cell. The operator's `nova` does not count. To
/// deploy nodes again in another cell, set `moved`.
///
/// Cells must exist in the OpenStackControlPlane of the namespace, if it is among the resources. cell0 has no compute
/// nodes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssignNovaCells {
    /// The node sets of each cell: the name of a node set, or `nodeSet` and `nodes` for some of its nodes. Node sets
    /// with the annotation need no entry. The annotation and an entry must not contradict each other.
    #[serde(default)]
    cells: BTreeMap<String, Vec<Member>>,
    /// The namespace of the node sets. By default, node sets in all namespaces are assigned.
    namespace: Option<String>,
    /// Whether nodes that are already in another cell are assigned to the new one. They must be deployed again. By
    /// default, this is an error.
    #[serde(default)]
    moved: bool,
    /// Also creates an OpenStackDataPlaneDeployment that runs on all node sets with a cell.
    deployment: Option<DeploymentSpec>,
}

/// The Deployment to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DeploymentSpec {
    /// The name, which gets a hash of the node sets, their nodes and their cells as a suffix. The spec of a Deployment is
    /// immutable, so other node sets, nodes or cells need a new Deployment. To run it again after any other change,
    /// choose another name.
    name: String,
}

/// The function with its entries resolved.
#[derive(Debug)]
pub struct CellAssignments {
    assignments: Vec<Assignment>,
    namespace: Option<String>,
    moved: bool,
    deployment: Option<String>,
}

/// The longest name of a Deployment before its hash.
const LONGEST_DEPLOYMENT: usize = dns::LABEL - "-00000000".len();

impl Function for AssignNovaCells {
    const KIND: &'static str = "AssignNovaCells";
    const NAME: &'static str = "assign-nova-cells";

    type Ready = CellAssignments;

    fn check(self) -> Result<CellAssignments, Mistakes> {
        let mut mistakes = Mistakes::default();
        let assignments = members::resolve(self.cells, &mut mistakes);
        if let Some(namespace) = self.namespace.as_ref().filter(|name| !dns::is_label(name)) {
            let message = format!("must be the name of a namespace, got {}", quoted(namespace));
            mistakes.add(FieldPath::new("spec.namespace"), message);
        }
        let deployment = self.deployment.map(|deployment| deployment.name);
        let is_name = |name: &&String| dns::is_label(name) && name.len() <= LONGEST_DEPLOYMENT;
        if let Some(name) = deployment.as_ref().filter(|name| !is_name(name)) {
            let message = format!(
                "must be a name of at most {LONGEST_DEPLOYMENT} lower case letters, digits and hyphens, got {}",
                quoted(name)
            );
            mistakes.add(FieldPath::new("spec.deployment.name"), message);
        }
        mistakes.unless_any(|| CellAssignments {
            assignments,
            namespace: self.namespace,
            moved: self.moved,
            deployment,
        })
    }
}

impl Generator for CellAssignments {
    /// Reports everything that prevents the assignment. Creates the services of the cells, the node sets that are split
    /// off, and the Deployment.
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let world = World::new(given);
        let (plane, misreads) = data_plane::read(&world);
        if self.refuse_types(&plane, &misreads, &world, results) {
            return Ok(Vec::new());
        }
        let plan = self.plan(&plane, given, results);
        self.refuse(&plan, (&plane, &misreads), &world, results);
        if results.has_errors() {
            return Ok(Vec::new());
        }
        self.new_objects(&plan, &plane, given, results)
    }
}

impl Transformer for CellAssignments {
    /// Changes the node sets, their services and their Deployments. The generator has reported what prevents this.
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        if results.has_errors() {
            return Ok(());
        }
        self.move_nodes(items, results)?;
        self.set_services(items, results)?;
        self.update_deployments(items, results)
    }
}

impl CellAssignments {
    fn is_in_scope(&self, node_set: &NodeSet) -> bool {
        self.namespace.is_none() || self.namespace == node_set.id.namespace
    }
}
