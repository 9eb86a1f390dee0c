//! The entries of `cells`: whole node sets, and nodes of node sets.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use crate::formats::dns;
use crate::krm::{FieldPath, Mistakes, quoted};
use crate::platform::dataplane;

/// An entry of a cell.
#[derive(Debug)]
pub(super) enum Member {
    NodeSet(String),
    Nodes(SomeNodes),
}

/// Some nodes of a node set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SomeNodes {
    /// The name of the OpenStackDataPlaneNodeSet.
    node_set: String,
    /// The names of the nodes, as in `spec.nodes` of the node set.
    nodes: Vec<String>,
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrNodes;

        impl<'de> Visitor<'de> for NameOrNodes {
            type Value = Member;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a node set, or a mapping with `nodeSet` and `nodes`")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Member, E> {
                Ok(Member::NodeSet(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Member, A::Error> {
                SomeNodes::deserialize(MapAccessDeserializer::new(map)).map(Member::Nodes)
            }
        }

        deserializer.deserialize_any(NameOrNodes)
    }
}

impl JsonSchema for Member {
    fn schema_name() -> Cow<'static, str> {
        "Member".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let nodes = generator.subschema_for::<SomeNodes>();
        json_schema!({"anyOf": [{"type": "string"}, nodes]})
    }
}

/// A node set, or some of its nodes, and their cell.
#[derive(Debug)]
pub(super) struct Assignment {
    /// The entry of the functionConfig.
    pub path: FieldPath,
    pub cell: String,
    pub node_set: String,
    /// None for the whole node set.
    pub nodes: Option<Vec<String>>,
}

impl Assignment {
    /// The field with the nodes.
    pub fn nodes_path(&self) -> FieldPath {
        self.path.clone().key("nodes")
    }
}

/// Resolves the entries and reports every mistake in them.
pub(super) fn resolve(cells: BTreeMap<String, Vec<Member>>, mistakes: &mut Mistakes) -> Vec<Assignment> {
    let mut all = Vec::new();
    for (cell, members) in cells {
        let path = FieldPath::new("spec.cells").key(cell.clone());
        check_cell(&cell, &path, mistakes);
        if members.is_empty() {
            mistakes.add(path.clone(), "must have at least one node set");
        }
        all.extend(members.into_iter().enumerate().map(|(index, member)| {
            let (node_set, nodes) = match member {
                Member::NodeSet(name) => (name, None),
                Member::Nodes(some) => (some.node_set, Some(some.nodes)),
            };
            Assignment { path: path.clone().index(index), cell: cell.clone(), node_set, nodes }
        }));
    }
    let mut firsts = HashMap::new();
    for assignment in &all {
        assignment.check_names(mistakes);
        assignment.check_unique(&mut firsts, mistakes);
    }
    all
}

fn check_cell(cell: &str, path: &FieldPath, mistakes: &mut Mistakes) {
    let message = match cell {
        dataplane::CELL_WITHOUT_COMPUTES => format!("{cell} cannot have compute nodes"),
        _ if !dns::is_label(cell) => {
            format!("must be the name of a cell, such as cell1, got {}", quoted(cell))
        }
        _ => return,
    };
    mistakes.add(path.clone(), message);
}

/// The first entry for a node set in a cell, for a whole node set, or for a node.
type Firsts<'a> = HashMap<(&'a str, Subject<'a>), FieldPath>;

#[derive(Debug, PartialEq, Eq, Hash)]
enum Subject<'a> {
    Whole,
    InCell(&'a str),
    Node(&'a str),
}

impl Assignment {
    fn check_names(&self, mistakes: &mut Mistakes) {
        if !dns::is_label(&self.node_set) {
            let path =
                if self.nodes.is_some() { self.path.clone().key("nodeSet") } else { self.path.clone() };
            let message = format!(
                "must be the name of a node set: at most {} lower case letters, digits and hyphens, got {}",
                dns::LABEL,
                quoted(&self.node_set)
            );
            mistakes.add(path, message);
        }
        if self.nodes.as_ref().is_some_and(Vec::is_empty) {
            let message = format!(
                "must have at least one node; for the whole node set, write {} instead of this entry",
                quoted(&self.node_set)
            );
            mistakes.add(self.nodes_path(), message);
        }
    }

    /// A node set is in one cell, and so is a node.
    fn check_unique<'a>(&'a self, firsts: &mut Firsts<'a>, mistakes: &mut Mistakes) {
        let mut check = |subject, name: &str, path: FieldPath| {
            let key = (self.node_set.as_str(), subject);
            match firsts.get(&key) {
                Some(first) => {
                    mistakes
                        .add(path, format!("{} is already listed in `{first}`; remove one", quoted(name)));
                }
                None => drop(firsts.insert(key, path)),
            }
        };
        let Some(nodes) = &self.nodes else {
            return check(Subject::Whole, &self.node_set, self.path.clone());
        };
        let entry = self.path.clone().key("nodeSet");
        check(Subject::InCell(&self.cell), &self.node_set, entry);
        for (index, node) in nodes.iter().enumerate() {
            check(Subject::Node(node), node, self.nodes_path().index(index));
        }
    }
}
