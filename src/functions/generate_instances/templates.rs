//! The resource that instances without one of its kind get a copy of.

use std::collections::HashSet;

use super::Fleet;
use super::plan::Instance;
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Hint, Kind, Resource, quoted};

/// A field of the functionConfig that names a template.
#[derive(Debug, Clone, Copy)]
pub struct TemplateField<'s> {
    pub kind: Kind,
    pub name: &'s str,
    pub path: &'static str,
}

impl Fleet {
    /// The template with this name: one outside all instances, or else that of the first instance that has it, because
    /// copies have the same name.
    pub fn find_template<'r>(
        &self,
        field: TemplateField<'_>,
        given: &'r [Resource],
    ) -> Result<&'r Resource, Fault> {
        let TemplateField { kind, name, path } = field;
        let of_kind = || given.iter().filter(move |item| item.is(kind));
        let named: Vec<&Resource> = of_kind().filter(|item| item.id().name == name).collect();
        let position = |item: &Resource| {
            let namespace = item.id().namespace.as_deref();
            self.instances.iter().position(|instance| namespace == Some(instance.namespace.as_str()))
        };
        // None comes before Some.
        if let Some(template) = named.into_iter().min_by_key(|item| position(item)) {
            return Ok(template);
        }
        let hint = Hint::among(name, of_kind().map(|item| item.id().name.as_str())).or(|| {
            "kustomize passes no resources to functions under `generators:`, so list this one under `transformers:`"
                .to_owned()
        });
        let message = format!("no {} {} is among the resources; {hint}", kind.kind, quoted(name));
        Err(Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new(path)))
    }

    /// The instances to render that have no resource of a kind.
    pub fn without(&self, kind: Kind, given: &[Resource]) -> Vec<&Instance> {
        let namespaces: HashSet<&str> = given
            .iter()
            .filter(|item| item.is(kind))
            .filter_map(|item| item.id().namespace.as_deref())
            .collect();
        self.rendered().filter(|instance| !namespaces.contains(instance.namespace.as_str())).collect()
    }
}

/// The copy of an instance.
pub fn copy_to(template: &Resource, instance: &Instance) -> Result<Resource, Fault> {
    let mut copy = template.copy()?;
    copy.set(&FieldPath::new("metadata.namespace"), instance.namespace.as_str())?;
    Ok(copy)
}
