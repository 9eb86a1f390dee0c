//! The data plane of 2023: nodes, what they inherit from their roles, their compute services, and the cells of Nova.

use std::collections::HashSet;

use super::data_plane::Directory;
use super::fields::{Field, Map, Reading, STRICT};
use super::world::{ItemId, Misread, Site, Sited, World};
use crate::krm::{Id, Kind, Resource};
use crate::platform::legacy_dataplane::{self as facts, Cell};

/// How many names are compared with an unknown one. To compare two takes time.
const MOST_SUGGESTED: usize = 100;

#[derive(Debug)]
pub struct LegacyDataPlane {
    pub nodes: Vec<Node>,
    pub nova_cells: Vec<NovaCell>,
    roles: Vec<Role>,
    computes: Vec<ExternalCompute>,
    roles_by_name: Directory,
    computes_by_name: Directory,
    nova_cells_by_name: Directory,
}

/// An OpenStackDataPlaneNode.
#[derive(Debug)]
pub struct Node {
    pub item: ItemId,
    pub id: Id,
    /// The role that it names.
    pub role: Option<Sited<String>>,
    pub settings: Settings,
}

/// An OpenStackDataPlaneRole.
#[derive(Debug)]
pub struct Role {
    pub id: Id,
    pub settings: Settings,
}

/// What a node or a role says about computes. The node takes precedence.
#[derive(Debug)]
pub struct Settings {
    /// The annotation that names the cell.
    pub cell: Option<Sited<String>>,
    /// Annotations with almost the same key.
    pub misspelt_cells: Vec<Site>,
    /// The Secret with the key for Ansible.
    pub ssh_key: Option<String>,
    /// Empty if it has none.
    pub network_attachments: Vec<String>,
    pub deploy: Option<bool>,
}

/// A NovaExternalCompute.
#[derive(Debug)]
pub struct ExternalCompute {
    pub item: ItemId,
    pub id: Id,
    /// The name of its Nova.
    pub nova: String,
    /// The value of `cellName`, or its default.
    pub cell: Sited<String>,
}

/// A NovaCell.
#[derive(Debug)]
pub struct NovaCell {
    pub id: Id,
    /// The name of the cell in its Nova.
    cell: Option<String>,
}

/// A node that has a cell, with its role.
#[derive(Debug, Clone, Copy)]
pub struct ComputeNode<'p> {
    pub node: &'p Node,
    pub role: Option<&'p Role>,
    /// The annotation of the node, or else of the role.
    pub cell: &'p Sited<String>,
}

/// Reads the nodes, roles, computes and cells, in the order of the items.
pub fn read(world: &World<'_>) -> (LegacyDataPlane, Vec<Misread>) {
    let mut misreads = Vec::new();
    let nodes = each(world, facts::NODE, Node::read, &mut misreads);
    let roles = each(world, facts::ROLE, Role::read, &mut misreads);
    let computes = each(world, facts::EXTERNAL_COMPUTE, ExternalCompute::read, &mut misreads);
    let nova_cells = each(world, facts::NOVA_CELL, NovaCell::read, &mut misreads);
    let plane = LegacyDataPlane {
        roles_by_name: Directory::new(roles.iter().map(|role| &role.id)),
        computes_by_name: Directory::new(computes.iter().map(|compute| &compute.id)),
        nova_cells_by_name: Directory::new(nova_cells.iter().map(|cell| &cell.id)),
        nodes,
        nova_cells,
        roles,
        computes,
    };
    (plane, misreads)
}

fn each<T>(
    world: &World<'_>,
    kind: Kind,
    read: fn(ItemId, &Resource, &Reading<'_>) -> T,
    misreads: &mut Vec<Misread>,
) -> Vec<T> {
    let mut found = Vec::new();
    for (item, resource) in world.of_kind(kind) {
        let reading = Reading::new(item, resource, STRICT);
        found.push(read(item, resource, &reading));
        misreads.extend(reading.finish().0);
    }
    found
}

impl Node {
    fn read(item: ItemId, resource: &Resource, reading: &Reading<'_>) -> Self {
        let (cell, misspelt_cells) = cell_annotations(reading);
        reading.section("spec", |spec| Node {
            item,
            id: resource.id().clone(),
            role: spec.string("role").filter(|role| !role.value.is_empty()),
            settings: Settings {
                cell,
                misspelt_cells,
                ssh_key: ssh_key(&spec.map(facts::OWN_SETTINGS)),
                network_attachments: network_attachments(&spec),
                deploy: deploy(&spec),
            },
        })
    }
}

impl Role {
    fn read(_: ItemId, resource: &Resource, reading: &Reading<'_>) -> Self {
        let (cell, misspelt_cells) = cell_annotations(reading);
        let settings = reading.section("spec", |spec| {
            let template = spec.map(facts::NODE_TEMPLATE);
            let (of_nodes, of_role) = (network_attachments(&template), network_attachments(&spec));
            Settings {
                cell,
                misspelt_cells,
                ssh_key: ssh_key(&template),
                network_attachments: if of_nodes.is_empty() { of_role } else { of_nodes },
                deploy: deploy(&spec),
            }
        });
        Role { id: resource.id().clone(), settings }
    }
}

impl ExternalCompute {
    fn read(item: ItemId, resource: &Resource, reading: &Reading<'_>) -> Self {
        reading.section("spec", |spec| {
            let nova =
                spec.string(facts::NOVA_INSTANCE).map_or_else(|| facts::NOVA.to_owned(), |nova| nova.value);
            let default = || {
                let path = facts::spec_field(facts::CELL_NAME);
                Sited::new(facts::DEFAULT_CELL.to_owned(), item, path)
            };
            let cell = spec.string(facts::CELL_NAME).unwrap_or_else(default);
            ExternalCompute { item, id: resource.id().clone(), nova, cell }
        })
    }

    /// Whether it belongs to a cell. `cellName` may also be the name of the NovaCell, as the specification of the
    /// annotation has it.
    pub fn is_in(&self, cell: &Cell) -> bool {
        let nova_cell = cell.nova_cell();
        self.cell.value == nova_cell || facts::nova_cell(&self.nova, &self.cell.value) == nova_cell
    }
}

impl NovaCell {
    fn read(_: ItemId, resource: &Resource, reading: &Reading<'_>) -> Self {
        let cell = reading.section("spec", |spec| spec.string(facts::CELL_NAME));
        NovaCell { id: resource.id().clone(), cell: cell.map(|cell| cell.value) }
    }

    /// The cell, if the names of the object and of the cell fit each other.
    fn cell(&self) -> Option<Cell> {
        let name = self.cell.as_ref()?;
        let nova = self.id.name.strip_suffix(name.as_str())?.strip_suffix('-')?;
        Some(Cell { nova: nova.to_owned(), name: name.clone() })
    }
}

/// The annotation that names the cell, and those with almost the same key.
fn cell_annotations(reading: &Reading<'_>) -> (Option<Sited<String>>, Vec<Site>) {
    reading.section("metadata", |metadata| {
        let annotations = metadata.map("annotations");
        let misspelt = annotations.entries().filter(|(key, _)| facts::is_misspelt_cell(key));
        let misspelt = misspelt.map(|(_, field)| field.site).collect();
        (annotations.string(facts::CELL), misspelt)
    })
}

/// The operators treat an empty string and an empty list like a missing one.
fn ssh_key(settings: &Map<'_>) -> Option<String> {
    settings.string(facts::SSH_KEY).map(|secret| secret.value).filter(|secret| !secret.is_empty())
}

fn network_attachments(owner: &Map<'_>) -> Vec<String> {
    owner.each(facts::NETWORK_ATTACHMENTS, |name| name.string().map(|name| name.value))
}

/// The API server sets the default where the section exists.
fn deploy(spec: &Map<'_>) -> Option<bool> {
    let strategy = spec.get(facts::DEPLOY_STRATEGY).map(Field::map)?;
    Some(strategy.boolean(facts::DEPLOY).is_none_or(|deploy| deploy.value))
}

impl LegacyDataPlane {
    /// The role of a node, in its namespace.
    pub fn role_of(&self, node: &Node) -> Option<&Role> {
        let name = &node.role.as_ref()?.value;
        self.roles.get(self.roles_by_name.find_near(node.id.namespace.as_deref(), name)?)
    }

    /// Names of roles that may be in a namespace, to suggest one of them.
    pub fn role_names_near(&self, namespace: Option<&str>) -> impl Iterator<Item = &str> {
        let positions = self.roles_by_name.all_near(namespace).take(MOST_SUGGESTED);
        positions.filter_map(|position| Some(self.roles.get(position)?.id.name.as_str()))
    }

    /// The node with what it inherits; none if it has no cell.
    pub fn compute_node<'p>(&'p self, node: &'p Node) -> Option<ComputeNode<'p>> {
        let role = self.role_of(node);
        let of_role = || role.and_then(|role| role.settings.cell.as_ref());
        let cell = node.settings.cell.as_ref().or_else(of_role)?;
        Some(ComputeNode { node, role, cell })
    }

    /// The NovaExternalCompute of a node, which has its name.
    pub fn compute_of(&self, node: &Node) -> Option<&ExternalCompute> {
        let position = self.computes_by_name.find(node.id.namespace.as_deref(), &node.id.name)?;
        self.computes.get(position)
    }

    /// The NovaExternalComputes whose nodes are not among the items.
    pub fn computes_without_node(&self) -> impl Iterator<Item = &ExternalCompute> {
        let with_node: HashSet<ItemId> =
            self.nodes.iter().filter_map(|node| Some(self.compute_of(node)?.item)).collect();
        self.computes.iter().filter(move |compute| !with_node.contains(&compute.item))
    }

    /// The NovaCell with a name in a namespace.
    pub fn nova_cell(&self, namespace: Option<&str>, name: &str) -> Option<&NovaCell> {
        self.nova_cells.get(self.nova_cells_by_name.find_near(namespace, name)?)
    }

    /// The names of the NovaCells that may be in a namespace.
    pub fn nova_cell_names_near(&self, namespace: Option<&str>) -> impl Iterator<Item = &str> {
        let positions = self.nova_cells_by_name.all_near(namespace).take(MOST_SUGGESTED);
        positions.filter_map(|position| Some(self.nova_cells.get(position)?.id.name.as_str()))
    }
}

impl ComputeNode<'_> {
    /// The cell that the annotation names: a NovaCell among the items, or a cell of the given Nova.
    pub fn cell_in(&self, plane: &LegacyDataPlane, nova: &str) -> Cell {
        let text = &self.cell.value;
        let known = plane.nova_cell(self.node.id.namespace.as_deref(), text).and_then(NovaCell::cell);
        known.unwrap_or_else(|| Cell::of_nova(nova, text))
    }

    pub fn ssh_key(&self) -> Option<&str> {
        self.first(|settings| settings.ssh_key.as_deref())
    }

    /// Empty if neither has any.
    pub fn network_attachments(&self) -> &[String] {
        let given = |settings: &'_ Settings| !settings.network_attachments.is_empty();
        let role = self.role.map(|role| &role.settings);
        let owner = Some(&self.node.settings).filter(|own| given(own)).or(role);
        owner.map_or(&[], |owner| &owner.network_attachments)
    }

    pub fn deploy(&self) -> Option<bool> {
        self.first(|settings| settings.deploy)
    }

    /// What the node says, or else the role.
    fn first<'s, T>(&'s self, value: impl Fn(&'s Settings) -> Option<T>) -> Option<T> {
        value(&self.node.settings).or_else(|| value(&self.role?.settings))
    }
}

#[cfg(test)]
mod tests;
