//! Which keys of which secrets the resources ask for.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::krm::{Fault, FieldPath, FieldPattern, Resource};
use crate::model::{Cause, World, data_plane};
use crate::platform::secrets::{self, Form, NEEDS, Name, Need, When};
use crate::platform::{dataplane, openstack, service_overrides};

/// A key that a service asks for.
pub struct Asked<'r> {
    pub key: String,
    pub form: Form,
    pub by: &'r Resource,
    /// The part of it that asks.
    pub part: FieldPath,
    /// The field that names the secret.
    pub field: FieldPath,
    /// What happens without the key, if the service starts all the same.
    pub without: Option<&'static str>,
    /// Whether the service needs the secret, whatever its keys are.
    pub is_secret_needed: bool,
}

/// What is asked for, by namespace and name of the secret.
#[derive(Default)]
pub struct Demand<'r>(BTreeMap<(Option<String>, String), Vec<Asked<'r>>>);

/// A secret that a need leads to.
struct Source {
    name: String,
    field: FieldPath,
    without: Option<&'static str>,
}

impl<'r> Demand<'r> {
    pub fn read(given: &'r [Resource]) -> Result<Self, Fault> {
        let mut demand = Demand::default();
        for plane in given.iter().filter(|item| item.is(openstack::CONTROL_PLANE)) {
            for need in &NEEDS {
                demand.add(need, plane)?;
            }
        }
        demand.add_libvirt(given)?;
        Ok(demand)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each secret by its namespace and name, with what is asked of it.
    pub fn iter(&self) -> impl Iterator<Item = (Option<&str>, &str, &[Asked<'r>])> {
        self.0
            .iter()
            .map(|((namespace, name), asked)| (namespace.as_deref(), name.as_str(), asked.as_slice()))
    }

    fn add(&mut self, need: &Need, plane: &'r Resource) -> Result<(), Fault> {
        let part = FieldPath::new(need.part);
        if plane.value(&part)?.is_none()
            || !service_overrides::is_enabled(plane, &part)?
            || !holds(need.when, plane)?
        {
            return Ok(());
        }
        let key = key_of(need, plane)?;
        for Source { name, field, without } in sources_of(need, plane)? {
            let is_secret_needed = without.is_none() || matches!(need.secret, Name::Fixed(_));
            let (key, part) = (key.clone(), part.clone());
            let asked = Asked { key, form: need.form, by: plane, part, field, without, is_secret_needed };
            self.push(plane.id().namespace.clone(), name, asked);
        }
        Ok(())
    }

    /// The service libvirt reads its password from a secret of its own.
    fn add_libvirt(&mut self, given: &'r [Resource]) -> Result<(), Fault> {
        let (plane, misreads) = data_plane::read(&World::new(given));
        for misread in misreads {
            let item = misread.site.item.get(given);
            let is_needed = item.is(openstack::NODE_SET) || misread.site.path == dataplane::service_type();
            if let (true, Cause::Type(fault)) = (is_needed, misread.cause) {
                return Err(fault);
            }
        }
        for node_set in &plane.node_sets {
            let namespace = node_set.id.namespace.as_deref();
            for service in &node_set.services {
                if plane.service_type(namespace, &service.value) == Some(dataplane::LIBVIRT_TYPE) {
                    let asked = Asked {
                        key: "LibvirtPassword".to_owned(),
                        form: Form::Password,
                        by: node_set.item.get(given),
                        part: service.site.path.clone(),
                        field: service.site.path.clone(),
                        without: None,
                        is_secret_needed: true,
                    };
                    self.push(node_set.id.namespace.clone(), secrets::LIBVIRT_SECRET.to_owned(), asked);
                }
            }
        }
        Ok(())
    }

    /// Two needs of one part may lead to one key; what is asked once is reported once.
    fn push(&mut self, namespace: Option<String>, name: String, asked: Asked<'r>) {
        let entry = self.0.entry((namespace, name)).or_default();
        let is_same = |other: &Asked<'_>| {
            other.key == asked.key && other.part == asked.part && other.by.id() == asked.by.id()
        };
        match entry.iter_mut().find(|other| is_same(other)) {
            Some(other) if other.without.is_some() => *other = asked,
            Some(_) => {}
            None => entry.push(asked),
        }
    }
}

fn holds(when: When, plane: &Resource) -> Result<bool, Fault> {
    Ok(match when {
        When::Always => true,
        When::NotZero(path) => plane.value(&FieldPath::new(path))? != Some(json!(0)),
        When::Lists(path, value) => match plane.value(&FieldPath::new(path))? {
            Some(Value::Array(list)) if !list.is_empty() => list.contains(&json!(value)),
            _ => true,
        },
    })
}

fn key_of(need: &Need, plane: &Resource) -> Result<String, Fault> {
    let Some(selector) = need.selector.map(FieldPath::new) else { return Ok(need.key.to_owned()) };
    if let Some(key) = plane.get(&selector)? {
        return Ok(key);
    }
    let has_selectors = plane.value(&selector.parent())?.is_some();
    Ok(need.other_key.filter(|_| has_selectors).unwrap_or(need.key).to_owned())
}

fn sources_of(need: &Need, plane: &Resource) -> Result<Vec<Source>, Fault> {
    let named = |path: &FieldPath| -> Result<Option<String>, Fault> {
        Ok(plane.get(path)?.filter(|name: &String| !name.is_empty()))
    };
    let without = need.without;
    let shared = FieldPath::new(secrets::DEFAULT_SECRET);
    let shared_name = named(&shared)?.unwrap_or_else(|| secrets::OSP_SECRET.to_owned());
    Ok(match need.secret {
        Name::Fixed(name) => {
            vec![Source { name: name.to_owned(), field: FieldPath::new(need.part), without }]
        }
        Name::Field(path) => {
            let path = FieldPath::new(path);
            let (name, field) = match named(&path)? {
                Some(name) => (name, path),
                None => (shared_name, shared),
            };
            vec![Source { name, field, without }]
        }
        Name::OwnField(path) => {
            let path = FieldPath::new(path);
            let (name, field) = match named(&path)? {
                Some(name) => (name, path),
                None => (secrets::OSP_SECRET.to_owned(), FieldPath::new(need.part)),
            };
            vec![Source { name, field, without }]
        }
        Name::Each { owners, unnamed } => {
            let mut sources = Vec::new();
            for owner in plane.fields(&FieldPattern::new(owners))? {
                let field = owner.key("secret");
                sources.push(match named(&field)? {
                    Some(name) => Source { name, field, without },
                    None => {
                        Source { name: shared_name.clone(), field: shared.clone(), without: Some(unnamed) }
                    }
                });
            }
            sources
        }
    })
}
