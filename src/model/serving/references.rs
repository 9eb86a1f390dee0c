//! The objects that model services, runtimes and service accounts refer to by name.

use crate::krm::{FieldPath, FieldPattern, Kind, Resource};
use crate::model::item_reader::ItemReader;
use crate::model::{Misread, Sited, World};
use crate::platform::kubernetes::{PERSISTENT_VOLUME_CLAIM, SECRET, SERVICE_ACCOUNT, annotation};
use crate::platform::serving::{self, INFERENCE_SERVICE, LLM_INFERENCE_SERVICE, SERVING_RUNTIME};
use crate::platform::workloads;

/// The name of an object in a field of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What it refers to.
    pub kind: Kind,
    pub namespace: Option<String>,
    pub name: Sited<String>,
    pub form: ReferenceForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceForm {
    /// The name is the value of the field.
    Name,
    /// The name is part of a URI: `pvc://name/path`.
    Uri,
    /// `storage.key`: the name of a Secret for OpenShift AI, but without OpenShift AI a key in the Secret
    /// `storage-config`.
    StorageKey,
}

impl Reference {
    /// The value of the field for another name. `text` is its current value.
    pub fn renamed(&self, text: &str, name: &str) -> String {
        match self.form {
            ReferenceForm::Uri => text.replacen(&self.name.value, name, 1),
            _ => name.to_owned(),
        }
    }
}

/// The references of InferenceServices, ServingRuntimes, LLMInferenceServices and ServiceAccounts, in the order of the
/// items.
pub fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Reference> {
    let mut references = Vec::new();
    for (item, resource) in world.items() {
        let Some(pods) = pods(resource) else { continue };
        let mut reader =
            Reader { fields: ItemReader::new(item, resource, misreads), references: &mut references };
        reader.names(serving::model().key("runtime"), SERVING_RUNTIME, ReferenceForm::Name);
        reader.names(serving::model().key("storage").key("key"), SECRET, ReferenceForm::StorageKey);
        reader.names(annotation(serving::CONNECTIONS), SECRET, ReferenceForm::Name);
        for uri in serving::MODEL_URIS {
            reader.uris(&FieldPattern::new(uri));
        }
        if resource.is(SERVICE_ACCOUNT) {
            reader.matching(&serving::SECRETS_OF_ACCOUNT, &FieldPath::default(), SECRET);
        }
        for pod in pods {
            reader.pod(&FieldPath::new(pod));
        }
    }
    references
}

/// The references of other kinds to models and to what models use. What cannot be read is skipped, because it concerns
/// nothing that belongs to a model.
pub fn of_others(world: &World<'_>) -> Vec<Reference> {
    let (mut references, mut skipped) = (Vec::new(), Vec::new());
    for (item, resource) in world.items() {
        let pod =
            workloads::PODS.iter().find(|(kind, _)| resource.is(*kind)).map(|(_, pod)| FieldPath::new(pod));
        let mut reader =
            Reader { fields: ItemReader::new(item, resource, &mut skipped), references: &mut references };
        if let Some(pod) = pod {
            reader.pod(&pod);
        } else if resource.is(workloads::INFERENCE_GRAPH) {
            reader.matching(&workloads::SERVICES_OF_GRAPH, &FieldPath::default(), INFERENCE_SERVICE);
        } else if workloads::BINDINGS.into_iter().any(|kind| resource.is(kind)) {
            reader.subjects();
        }
    }
    references
}

/// The parts of a resource that have the fields of a pod. None for other kinds.
fn pods(resource: &Resource) -> Option<&'static [&'static str]> {
    let kinds: [(Kind, &[&str]); 4] = [
        (INFERENCE_SERVICE, &serving::PODS_OF_SERVICE),
        (SERVING_RUNTIME, &serving::PODS_OF_RUNTIME),
        (LLM_INFERENCE_SERVICE, &serving::PODS_OF_LLM_SERVICE),
        (SERVICE_ACCOUNT, &[]),
    ];
    kinds.into_iter().find(|(kind, _)| resource.is(*kind)).map(|(_, pods)| pods)
}

struct Reader<'r, 'm, 'f> {
    fields: ItemReader<'r, 'm>,
    references: &'f mut Vec<Reference>,
}

impl Reader<'_, '_, '_> {
    fn add(&mut self, kind: Kind, name: String, path: FieldPath, form: ReferenceForm) {
        if !name.is_empty() {
            let name = Sited { value: name, site: self.fields.site(path) };
            self.references.push(Reference { kind, namespace: self.fields.namespace(), name, form });
        }
    }

    fn pod(&mut self, pod: &FieldPath) {
        self.names(pod.clone().key("serviceAccountName"), SERVICE_ACCOUNT, ReferenceForm::Name);
        self.matching(&serving::SECRETS, pod, SECRET);
        self.matching(&serving::CLAIMS, pod, PERSISTENT_VOLUME_CLAIM);
    }

    /// The accounts that a binding names, in their own namespaces.
    fn subjects(&mut self) {
        for subject in self.fields.fields(&FieldPattern::new("subjects[*]")) {
            let text = |key: &'static str| {
                self.fields.resource.get::<String>(&subject.clone().key(key)).ok().flatten()
            };
            if text("kind").is_none_or(|kind| kind != SERVICE_ACCOUNT.kind) {
                continue;
            }
            let (namespace, before) = (text("namespace"), self.references.len());
            self.names(subject.key("name"), SERVICE_ACCOUNT, ReferenceForm::Name);
            if let (Some(namespace), Some(added)) = (namespace, self.references.get_mut(before)) {
                added.namespace = Some(namespace);
            }
        }
    }

    fn names(&mut self, path: FieldPath, kind: Kind, form: ReferenceForm) {
        if let Some(name) = self.fields.get(&path) {
            self.add(kind, name, path, form);
        }
    }

    fn matching(&mut self, patterns: &[&'static str], parent: &FieldPath, kind: Kind) {
        for pattern in patterns {
            let pattern = FieldPattern::from(parent).join_pattern(&FieldPattern::new(pattern));
            for path in self.fields.fields(&pattern) {
                self.names(path, kind, ReferenceForm::Name);
            }
        }
    }

    fn uris(&mut self, pattern: &FieldPattern) {
        for path in self.fields.fields(pattern) {
            let uri: String = self.fields.get(&path).unwrap_or_default();
            let Some(rest) = uri.strip_prefix(serving::CLAIM_SCHEME) else { continue };
            let name = rest.split('/').next().unwrap_or_default().to_owned();
            self.add(PERSISTENT_VOLUME_CLAIM, name, path, ReferenceForm::Uri);
        }
    }
}
