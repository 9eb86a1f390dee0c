//! Ansible variables of node sets.

use crate::krm::{FieldPath, FieldPattern};
use crate::model::item_reader::ItemReader;
use crate::model::world::{ItemId, Misread, Site, World};
use crate::platform::{dataplane, kubernetes};

/// The value of a variable, for all nodes of a node set or for one of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Variable {
    /// Where the node set has the value, or would have it.
    pub site: Site,
    /// The value, which may come from a ConfigMap.
    pub value: Option<String>,
}

/// A variable of a node set: for all nodes, and for each node that has its own value.
pub fn variable(name: &'static str, node_set: ItemId, world: &World<'_>) -> (Vec<Variable>, Vec<Misread>) {
    let mut misreads = Vec::new();
    let mut fields = ItemReader::new(node_set, world.get(node_set), &mut misreads);
    let nodes = fields.fields(&dataplane::nodes());
    let mut variables = vec![read(name, dataplane::node_template(), node_set, world, &mut misreads)];
    for node in nodes {
        let own = read(name, node, node_set, world, &mut misreads);
        variables.extend(own.value.is_some().then_some(own));
    }
    (variables, misreads)
}

fn read(
    name: &'static str,
    owner: FieldPath,
    node_set: ItemId,
    world: &World<'_>,
    misreads: &mut Vec<Misread>,
) -> Variable {
    let path = dataplane::ansible_variable(owner.clone(), name);
    let mut fields = ItemReader::new(node_set, world.get(node_set), misreads);
    let value = match fields.try_get(&path) {
        Ok(None) => from_config_maps(name, owner, node_set, world, misreads),
        read => read.unwrap_or_default(),
    };
    Variable { site: Site::new(node_set, path), value }
}

/// The value from the last ConfigMap in `ansibleVarsFrom` that has the variable. `ansibleVars` takes precedence.
fn from_config_maps(
    name: &'static str,
    owner: FieldPath,
    node_set: ItemId,
    world: &World<'_>,
    misreads: &mut Vec<Misread>,
) -> Option<String> {
    let sources = FieldPattern::each_of(&dataplane::ansible_vars_from(owner));
    let namespace = world.get(node_set).id().namespace.as_deref();
    let mut found = None;
    for source in ItemReader::new(node_set, world.get(node_set), misreads).fields(&sources) {
        let mut fields = ItemReader::new(node_set, world.get(node_set), misreads);
        let prefix: String = fields.get(&source.clone().key("prefix")).unwrap_or_default();
        let map: Option<String> = fields.get(&source.key(dataplane::CONFIG_MAP_REF).key("name"));
        let map = map.and_then(|map| world.find(kubernetes::CONFIG_MAP, namespace, &map));
        if let (Some(map), Some(key)) = (map, name.strip_prefix(prefix.as_str())) {
            let value = ItemReader::new(map, world.get(map), misreads).get(&kubernetes::config_map_data(key));
            found = value.or(found);
        }
    }
    found
}
