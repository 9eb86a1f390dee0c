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
    let mut reader = VariableReader { name, node_set, world, misreads: Vec::new() };
    let nodes = reader.fields(node_set).fields(&dataplane::nodes());
    let mut variables = vec![reader.read(dataplane::node_template())];
    for node in nodes {
        let own = reader.read(node);
        variables.extend(own.value.is_some().then_some(own));
    }
    (variables, reader.misreads)
}

struct VariableReader<'w, 'r> {
    name: &'static str,
    node_set: ItemId,
    world: &'w World<'r>,
    misreads: Vec<Misread>,
}

impl<'r> VariableReader<'_, 'r> {
    fn fields(&mut self, item: ItemId) -> ItemReader<'r, '_> {
        ItemReader::new(item, self.world.get(item), &mut self.misreads)
    }

    /// The variable of all nodes or of one node.
    fn read(&mut self, owner: FieldPath) -> Variable {
        let path = dataplane::ansible_variable(owner.clone(), self.name);
        let value = match self.fields(self.node_set).try_get(&path) {
            Ok(None) => self.read_config_maps(owner),
            read => read.unwrap_or_default(),
        };
        Variable { site: Site::new(self.node_set, path), value }
    }

    /// The value from the last ConfigMap in `ansibleVarsFrom` that has the variable. `ansibleVars` takes precedence.
    fn read_config_maps(&mut self, owner: FieldPath) -> Option<String> {
        let sources = FieldPattern::each_of(&dataplane::ansible_vars_from(owner));
        let namespace = self.world.get(self.node_set).id().namespace.as_deref();
        let mut found = None;
        for source in self.fields(self.node_set).fields(&sources) {
            let mut fields = self.fields(self.node_set);
            let prefix: String = fields.get(&source.clone().key("prefix")).unwrap_or_default();
            let map: Option<String> = fields.get(&source.key(dataplane::CONFIG_MAP_REF).key("name"));
            let map = map.and_then(|map| self.world.find(kubernetes::CONFIG_MAP, namespace, &map));
            if let (Some(map), Some(key)) = (map, self.name.strip_prefix(prefix.as_str())) {
                let value = self.fields(map).get(&kubernetes::config_map_data(key));
                found = value.or(found);
            }
        }
        found
    }
}
