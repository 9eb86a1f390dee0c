//! AppProjects of Argo CD, and the Applications that belong to them.

use serde_json::{Map, Value};

use super::item_reader::ItemReader;
use super::{ItemId, Site, Sited, World};
use crate::krm::{FieldPath, Id};
use crate::platform::app_project::{
    self, APP_PROJECT, APPLICATION, APPLICATION_SET, cluster_kinds, destinations, namespaced_kinds,
};
use crate::platform::argocd::CREATE_NAMESPACE;

#[derive(Debug)]
pub struct Project {
    pub item: ItemId,
    pub id: Id,
    pub destinations: Vec<Destination>,
    pub cluster_kinds: Vec<Sited<GroupKind>>,
    /// None if every kind in a namespace is allowed.
    pub namespaced_kinds: Option<Vec<Sited<GroupKind>>>,
}

/// A cluster and a namespace. In an AppProject, each is a pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Destination {
    pub server: Option<String>,
    pub name: Option<String>,
    pub namespace: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupKind {
    pub group: String,
    pub kind: String,
}

/// An Application, or an ApplicationSet that generates Applications.
#[derive(Debug)]
pub struct Application {
    pub id: Id,
    pub project: String,
    pub destination: Sited<Destination>,
    /// The sync option by which Argo CD creates the namespace.
    pub creates_namespace: Option<Site>,
}

#[derive(Debug, Default)]
pub struct Projects {
    pub projects: Vec<Project>,
    pub applications: Vec<Application>,
}

/// Fields of the wrong type are left out, because `wrong-field-type` reports them.
pub fn read(world: &World<'_>) -> Projects {
    let mut ignored = Vec::new();
    let mut projects = Projects::default();
    for (item, resource) in world.of_kind(APP_PROJECT) {
        projects.projects.push(project(&mut ItemReader::new(item, resource, &mut ignored)));
    }
    for (kind, spec) in
        [(APPLICATION, FieldPath::new("spec")), (APPLICATION_SET, app_project::generated_spec())]
    {
        for (item, resource) in world.of_kind(kind) {
            let fields = &mut ItemReader::new(item, resource, &mut ignored);
            projects.applications.extend(application(fields, &spec));
        }
    }
    projects
}

fn project(fields: &mut ItemReader<'_, '_>) -> Project {
    let allowed: Vec<Map<String, Value>> = fields.get(&destinations()).unwrap_or_default();
    Project {
        item: fields.item,
        id: fields.id(),
        destinations: allowed.iter().map(destination).collect(),
        cluster_kinds: kinds(fields, cluster_kinds()).unwrap_or_default(),
        namespaced_kinds: kinds(fields, namespaced_kinds()),
    }
}

fn application(fields: &mut ItemReader<'_, '_>, spec: &FieldPath) -> Option<Application> {
    let site = fields.site(spec.clone().key("destination"));
    let value: Map<String, Value> = fields.get(&site.path)?;
    let project = fields.get(&spec.clone().key("project"))?;
    let list = spec.clone().key("syncPolicy").key("syncOptions");
    let options: Vec<String> = fields.get(&list).unwrap_or_default();
    let index = options.iter().position(|option| option == CREATE_NAMESPACE);
    Some(Application {
        id: fields.id(),
        project,
        destination: Sited { value: destination(&value), site },
        creates_namespace: index.map(|index| fields.site(list.index(index))),
    })
}

fn destination(value: &Map<String, Value>) -> Destination {
    let text = |key: &str| {
        let text = value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    Destination { server: text("server"), name: text("name"), namespace: text("namespace") }
}

fn kinds(fields: &mut ItemReader<'_, '_>, list: FieldPath) -> Option<Vec<Sited<GroupKind>>> {
    let entries: Vec<Map<String, Value>> = fields.get(&list)?;
    let text = |entry: &Map<String, Value>, key: &str| {
        entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let entry = |(index, entry): (usize, &Map<String, Value>)| Sited {
        value: GroupKind { group: text(entry, "group"), kind: text(entry, "kind") },
        site: fields.site(list.clone().index(index).key("kind")),
    };
    Some(entries.iter().enumerate().map(entry).collect())
}

impl Projects {
    /// The AppProjects that may be that of an Application: those of its namespace, or else of any, because Argo CD can
    /// read Applications from other namespaces than its own.
    pub fn of(&self, application: &Application) -> Vec<&Project> {
        let named: Vec<&Project> =
            self.projects.iter().filter(|project| project.id.name == application.project).collect();
        let near: Vec<&Project> = named
            .iter()
            .copied()
            .filter(|project| project.id.may_be_in(application.id.namespace.as_deref()))
            .collect();
        if near.is_empty() { named } else { near }
    }
}
