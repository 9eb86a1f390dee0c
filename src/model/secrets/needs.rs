//! The keys that services of control planes and node sets read.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::krm::{FieldPath, FieldPattern};
use crate::model::data_plane::{self, DataPlane};
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, World};
use crate::platform::openstack::{CONTROL_PLANE, NODE_SET};
use crate::platform::secrets::{self, NEEDS, Name, Need, ValueFormat, When};
use crate::platform::{dataplane, service_overrides};

/// A key that a service reads.
#[derive(Debug)]
pub struct NeededKey {
    pub key: String,
    pub format: ValueFormat,
    /// The control plane or node set.
    pub by: ItemId,
    /// The part of it that reads the key.
    pub part: FieldPath,
    /// The field that names the secret.
    pub field: FieldPath,
    /// What happens without the key, if the service starts without it.
    pub without: Option<&'static str>,
    /// Whether the service requires the secret, whatever its keys are.
    pub is_secret_required: bool,
}

/// The keys that services read, by namespace and name of the secret.
#[derive(Debug, Default)]
pub struct Needs(BTreeMap<(Option<String>, String), Vec<NeededKey>>);

/// A secret that a need refers to.
struct Source {
    name: String,
    field: FieldPath,
    without: Option<&'static str>,
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Needs {
    let mut needs = Needs::default();
    for (id, plane) in world.of_kind(CONTROL_PLANE) {
        let mut fields = ItemReader::new(id, plane, misreads);
        for need in &NEEDS {
            needs.add(need, id, plane.id().namespace.as_deref(), &mut fields);
        }
    }
    let (data_plane, unread) = data_plane::read(world);
    let is_needed = |misread: &Misread| {
        world.get(misread.site.item).is(NODE_SET) || misread.site.path == dataplane::service_type()
    };
    misreads.extend(unread.into_iter().filter(is_needed));
    needs.add_libvirt(&data_plane);
    needs
}

impl Needs {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each secret by its namespace and name, with the keys that it needs.
    pub fn iter(&self) -> impl Iterator<Item = (Option<&str>, &str, &[NeededKey])> {
        self.0.iter().map(|((namespace, name), keys)| (namespace.as_deref(), name.as_str(), keys.as_slice()))
    }

    fn add(&mut self, need: &Need, by: ItemId, namespace: Option<&str>, fields: &mut ItemReader<'_, '_>) {
        let part = FieldPath::new(need.part);
        let is_deployed = fields.value(&part).is_some()
            && fields.read(&part, service_overrides::is_enabled(fields.resource, &part)).unwrap_or(false);
        if !is_deployed || !holds(need.when, fields) {
            return;
        }
        let key = key_of(need, fields);
        for Source { name, field, without } in sources_of(need, fields) {
            let needed = NeededKey {
                key: key.clone(),
                format: need.format,
                by,
                part: part.clone(),
                field,
                without,
                is_secret_required: without.is_none() || matches!(need.secret, Name::Fixed(_)),
            };
            self.push(namespace, name, needed);
        }
    }

    /// Services of the type libvirt read a password from a separate secret.
    fn add_libvirt(&mut self, data_plane: &DataPlane) {
        for node_set in &data_plane.node_sets {
            let namespace = node_set.id.namespace.as_deref();
            for service in &node_set.services {
                if data_plane.service_type(namespace, &service.value) == Some(dataplane::LIBVIRT_TYPE) {
                    let needed = NeededKey {
                        key: secrets::LIBVIRT_KEY.to_owned(),
                        format: ValueFormat::Password,
                        by: node_set.item,
                        part: service.site.path.clone(),
                        field: service.site.path.clone(),
                        without: None,
                        is_secret_required: true,
                    };
                    self.push(namespace, secrets::LIBVIRT_SECRET.to_owned(), needed);
                }
            }
        }
    }

    /// Two needs of one part may refer to the same key. It is kept once, and is required if either need
    /// requires it.
    fn push(&mut self, namespace: Option<&str>, name: String, new: NeededKey) {
        let keys = self.0.entry((namespace.map(str::to_owned), name)).or_default();
        let is_same = |old: &NeededKey| old.key == new.key && old.part == new.part && old.by == new.by;
        match keys.iter_mut().find(|old| is_same(old)) {
            Some(old) if old.without.is_some() => *old = new,
            Some(_) => {}
            None => keys.push(new),
        }
    }
}

fn holds(when: When, plane: &mut ItemReader<'_, '_>) -> bool {
    match when {
        When::Always => true,
        When::NotZero(path) => plane.value(&FieldPath::new(path)) != Some(json!(0)),
        When::Lists(path, value) => match plane.value(&FieldPath::new(path)) {
            Some(Value::Array(list)) if !list.is_empty() => list.contains(&json!(value)),
            _ => true,
        },
    }
}

fn key_of(need: &Need, plane: &mut ItemReader<'_, '_>) -> String {
    let Some(selector) = need.selector.map(FieldPath::new) else { return need.key.to_owned() };
    if let Some(key) = plane.get(&selector) {
        return key;
    }
    let has_selectors = plane.value(&selector.parent()).is_some();
    need.other_key.filter(|_| has_selectors).unwrap_or(need.key).to_owned()
}

fn sources_of(need: &Need, plane: &mut ItemReader<'_, '_>) -> Vec<Source> {
    let without = need.without;
    match need.secret {
        Name::Fixed(name) => {
            vec![Source { name: name.to_owned(), field: FieldPath::new(need.part), without }]
        }
        Name::Field(path) => {
            let (name, field) = secret_at(FieldPath::new(path), plane).unwrap_or_else(|| shared(plane));
            vec![Source { name, field, without }]
        }
        Name::OwnField(path) => {
            let default = || (secrets::OSP_SECRET.to_owned(), FieldPath::new(need.part));
            let (name, field) = secret_at(FieldPath::new(path), plane).unwrap_or_else(default);
            vec![Source { name, field, without }]
        }
        Name::Each { owners, unnamed } => {
            let owners = plane.fields(&FieldPattern::new(owners));
            let source = |owner: FieldPath| match secret_at(owner.key(secrets::SECRET_FIELD), plane) {
                Some((name, field)) => Source { name, field, without },
                None => {
                    let (name, field) = shared(plane);
                    Source { name, field, without: Some(unnamed) }
                }
            };
            owners.into_iter().map(source).collect()
        }
    }
}

/// The secret that a field names, and the field.
fn secret_at(path: FieldPath, plane: &mut ItemReader<'_, '_>) -> Option<(String, FieldPath)> {
    let name: String = plane.get(&path)?;
    (!name.is_empty()).then_some((name, path))
}

/// The secret that all services share, and the field that names it.
fn shared(plane: &mut ItemReader<'_, '_>) -> (String, FieldPath) {
    let path = FieldPath::new(secrets::DEFAULT_SECRET);
    let default = || (secrets::OSP_SECRET.to_owned(), path.clone());
    secret_at(path.clone(), plane).unwrap_or_else(default)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::Object;

    fn needed(spec: Value) -> Vec<String> {
        let plane = Object::new(CONTROL_PLANE, "openstack").namespace(Some("a")).field("spec", spec);
        let items = [plane.build().unwrap()];
        let needs = read(&World::new(&items), &mut Vec::new());
        let name = |(namespace, name, keys): (Option<&str>, &str, &[NeededKey])| {
            let keys: Vec<&str> = keys.iter().map(|needed| needed.key.as_str()).collect();
            format!("{}/{name}: {}", namespace.unwrap_or_default(), keys.join(", "))
        };
        needs.iter().map(name).collect()
    }

    #[test]
    fn enabled_services_need_their_keys() {
        assert_eq!(needed(json!({"glance": {}})), ["a/osp-secret: GlancePassword"]);
        assert_eq!(needed(json!({"secret": "s", "glance": {}})), ["a/s: GlancePassword"]);
        assert!(needed(json!({"glance": {"enabled": false}})).is_empty());
        let template = json!({"secret": "own", "passwordSelectors": {"service": "Key"}});
        assert_eq!(needed(json!({"glance": {"template": template}})), ["a/own: Key"]);
    }

    #[test]
    fn one_key_for_two_purposes_is_needed_once() {
        assert_eq!(needed(json!({"keystone": {}})), ["a/osp-secret: AdminPassword"]);
        let selectors = json!({"template": {"passwordSelectors": {"admin": "Other"}}});
        assert_eq!(needed(json!({"keystone": selectors})), ["a/osp-secret: Other, AdminPassword"]);
    }
}
