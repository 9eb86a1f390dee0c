//! The table of fields as text: one field per line, below its parent, with one more space.
//!
//! ```text
//! core.openstack.org/v1beta1/OpenStackControlPlane object
//!  spec object
//!   barbican object
//!    apiOverride object &apiOverride
//!     route object+
//!    enabled boolean
//!   cinder object
//!    apiOverride *apiOverride
//! ```
//!
//! A type is `any`, `boolean`, `integer`, `number`, `string`, `int-or-string`, `removed` or `object`. `[]` before it makes
//! a list of these, `{}` a mapping. An object that occurs several times is written once, with a name (`&name`), and then
//! only named (`*name`). `object+` keeps unknown fields, `object@` is a resource with metadata of its own.

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter::Peekable;
use std::str::Lines;

use super::{Builder, Flags, NodeId, Object, Schema, Schemas};

const LIST: &str = "[]";
const MAP: &str = "{}";
const SCALARS: [(&str, Schema); 7] = [
    ("any", Schema::Any),
    ("boolean", Schema::Boolean),
    ("int-or-string", Schema::IntOrString),
    ("integer", Schema::Integer),
    ("number", Schema::Number),
    ("removed", Schema::Removed),
    ("string", Schema::String),
];

/// Reads a table. A line that is not valid means any value; a test keeps such lines out of the table.
pub(super) fn read(text: &'static str) -> Schemas {
    let mut reader =
        Reader { lines: text.lines().peekable(), builder: Builder::default(), named: HashMap::new() };
    let kinds = reader.fields(0);
    reader.builder.define_all(kinds);
    reader.builder.finish()
}

struct Reader {
    lines: Peekable<Lines<'static>>,
    builder: Builder,
    named: HashMap<&'static str, NodeId>,
}

impl Reader {
    /// The fields with this indentation.
    fn fields(&mut self, indentation: usize) -> Vec<(Cow<'static, str>, NodeId)> {
        let mut fields = Vec::new();
        while let Some(line) = self.lines.next_if(|line| indentation_of(line) == indentation) {
            let (name, kind) = line[indentation..].split_once(' ').unwrap_or((&line[indentation..], ""));
            let node = self.node(kind, indentation + 1);
            fields.push((name.into(), node));
        }
        fields
    }

    fn node(&mut self, kind: &'static str, indentation: usize) -> NodeId {
        if let Some(element) = kind.strip_prefix(LIST) {
            let element = self.node(element, indentation);
            return self.builder.node(Schema::List(element));
        }
        if let Some(value) = kind.strip_prefix(MAP) {
            let value = self.node(value, indentation);
            return self.builder.node(Schema::Map(value));
        }
        if let Some(name) = kind.strip_prefix('*')
            && let Some(node) = self.named.get(name)
        {
            return *node;
        }
        let Some(flags) = kind.strip_prefix("object") else {
            let scalar = SCALARS.into_iter().find(|(name, _)| *name == kind);
            let schema = scalar.map_or(Schema::Any, |(_, schema)| schema);
            return self.builder.node(schema);
        };
        let (flags, name) = flags.split_once(" &").unwrap_or((flags, ""));
        let fields = self.fields(indentation);
        let flags = Flags { keeps_unknown: flags.contains('+'), is_resource: flags.contains('@') };
        let node = self.builder.push(Schema::Object(Object { fields, flags }));
        self.named.insert(name, node);
        node
    }
}

fn indentation_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Writes the table of some kinds.
pub fn write(schemas: &Schemas) -> String {
    let mut uses = HashMap::new();
    for (_, root) in &schemas.kinds {
        count(schemas, *root, &mut uses);
    }
    let mut writer =
        Writer { schemas, uses, named: HashMap::new(), taken: HashMap::new(), text: String::new() };
    for (name, root) in &schemas.kinds {
        writer.field(name, *root, 0);
    }
    writer.text
}

/// Counts how often each object would be written.
fn count(schemas: &Schemas, node: NodeId, uses: &mut HashMap<NodeId, usize>) {
    match schemas.get(node) {
        Schema::List(inner) | Schema::Map(inner) => count(schemas, *inner, uses),
        Schema::Object(object) => {
            let times = uses.entry(node).or_default();
            *times += 1;
            if *times == 1 {
                object.fields().for_each(|(_, field)| count(schemas, field, uses));
            }
        }
        _ => {}
    }
}

struct Writer<'s> {
    schemas: &'s Schemas,
    uses: HashMap<NodeId, usize>,
    /// The names of the objects that were written.
    named: HashMap<NodeId, String>,
    /// How many objects have a name that begins with that of a field.
    taken: HashMap<String, usize>,
    text: String,
}

impl Writer<'_> {
    fn field(&mut self, name: &str, node: NodeId, indentation: usize) {
        self.text.push_str(&" ".repeat(indentation));
        self.text.push_str(name);
        self.text.push(' ');
        self.kind(name, node, indentation);
    }

    fn kind(&mut self, name: &str, node: NodeId, indentation: usize) {
        match self.schemas.get(node) {
            Schema::List(element) => {
                self.text.push_str(LIST);
                self.kind(name, *element, indentation);
            }
            Schema::Map(value) => {
                self.text.push_str(MAP);
                self.kind(name, *value, indentation);
            }
            Schema::Object(object) => self.object(name, node, object, indentation),
            scalar => {
                let known = SCALARS.into_iter().find(|(_, schema)| schema == scalar);
                self.text.push_str(known.map_or("any", |(name, _)| name));
                self.text.push('\n');
            }
        }
    }

    fn object(&mut self, name: &str, node: NodeId, object: &Object, indentation: usize) {
        if let Some(name) = self.named.get(&node) {
            self.text.push_str(&format!("*{name}\n"));
            return;
        }
        self.text.push_str("object");
        self.text.push_str(if object.flags.keeps_unknown { "+" } else { "" });
        self.text.push_str(if object.flags.is_resource { "@" } else { "" });
        if self.uses.get(&node).is_some_and(|uses| *uses > 1) && !object.fields.is_empty() {
            let times = self.taken.entry(name.to_owned()).or_default();
            *times += 1;
            let unique = if *times == 1 { name.to_owned() } else { format!("{name}-{times}") };
            self.text.push_str(&format!(" &{unique}"));
            self.named.insert(node, unique);
        }
        self.text.push('\n');
        for (name, field) in object.fields() {
            self.field(name, field, indentation + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::tables;

    #[test]
    fn the_builtin_table_is_what_its_writer_writes() {
        let text = tables::crd_fields();
        let schemas = read(text);
        assert!(write(&schemas) == text, "the table is not canonical: write it with `make field-table`");
        assert!(schemas.kinds().count() > 40);
        // The writer omits what no kind uses, so every node of the table is used.
        assert!(text.lines().count() > 1000);
    }

    #[test]
    fn the_builtin_table_is_sorted_and_has_only_known_types() {
        let schemas = read(tables::crd_fields());
        assert!(schemas.kinds.is_sorted_by(|a, b| a.0 < b.0));
        for node in &schemas.nodes {
            let Schema::Object(object) = node else { continue };
            assert!(object.fields.is_sorted_by(|a, b| a.0 < b.0), "{:?}", object.fields);
            let is_word = |name: &str| !name.is_empty() && !name.contains([' ', '\n']);
            assert!(object.names().all(is_word), "{:?}", object.fields);
        }
        for line in tables::crd_fields().lines() {
            let kind = line.trim_start().split_once(' ').unwrap().1;
            let base = kind.trim_start_matches([']', '[', '{', '}']);
            let is_scalar = SCALARS.iter().any(|(name, _)| *name == base);
            assert!(is_scalar || base.starts_with('*') || base.starts_with("object"), "{line}");
        }
    }

    #[test]
    fn a_table_is_read_and_written_again() {
        let text = "a.b/v1/A object\n spec object+\n  list []{}string\n  one object &one\n   x integer\n  other []*one\n  resource object@\na.b/v1/B *A\n";
        // A name that is not defined means anything.
        assert_eq!(write(&read(text)), text.replace("*A", "any"));
    }
}
