//! The data plane: node sets, the services that configure them, and the Deployments that run the services.

mod cells;
mod directory;
mod sources;
mod variables;

use serde_json::Value;

use super::item_reader::ItemReader;
use super::world::{ItemId, Misread, Site, Sited, World};
use crate::krm::{FieldPath, Id};
use crate::platform::{dataplane, kubernetes, openstack};

pub(super) use directory::Directory;
pub use sources::{DataSource, Defect, SourceFile, device_specs};
pub use variables::{Variable, variable};

/// How many names are compared with an unknown one. To compare two takes time.
const MOST_SUGGESTED: usize = 100;

#[derive(Debug)]
pub struct DataPlane {
    pub node_sets: Vec<NodeSet>,
    pub services: Vec<Service>,
    pub deployments: Vec<Deployment>,
    node_sets_by_name: Directory,
    services_by_name: Directory,
}

#[derive(Debug)]
pub struct NodeSet {
    pub item: ItemId,
    pub id: Id,
    /// The services that run on the nodes, in their order: those that the node set lists, or the operator's default.
    /// Empty if the list cannot be read.
    pub services: Vec<Sited<String>>,
    /// Whether the node set lists its services itself.
    pub lists_services: bool,
    /// The names of the nodes. Empty if they cannot be read.
    pub nodes: Vec<String>,
    /// Nova's cell, from the annotation.
    pub cell: Option<Sited<String>>,
    /// The node set that this one was split off from.
    pub split_from: Option<String>,
}

/// An OpenStackDataPlaneService.
#[derive(Debug)]
pub struct Service {
    pub item: ItemId,
    pub id: Id,
    /// The type of the service, which defaults to its name. None if it cannot be read.
    pub service_type: Option<String>,
    pub sources: Vec<DataSource>,
    /// What the sources contain, as far as they are among the items.
    pub files: Vec<SourceFile>,
    /// Fields of early versions that named sources. The API server drops them.
    pub removed_sources: Vec<Site>,
    /// Whether the service runs another playbook than the operator's service `nova`, which may read any file.
    pub has_own_playbook: bool,
}

#[derive(Debug)]
pub struct Deployment {
    pub item: ItemId,
    pub id: Id,
    pub node_sets: Vec<Sited<String>>,
    /// Whether the list of node sets is missing or empty, rather than unreadable.
    pub has_no_node_sets: bool,
    /// The services that run in place of those of the node sets. If it is empty, it overrides nothing.
    pub services_override: Vec<Sited<String>>,
}

/// Reads the whole data plane.
pub fn read(world: &World<'_>) -> (DataPlane, Vec<Misread>) {
    let mut misreads = Vec::new();
    let of_kind = |kind| -> Vec<ItemId> { world.of_kind(kind).map(|(item, _)| item).collect() };
    let (node_sets, services, deployments) = (
        of_kind(openstack::NODE_SET),
        of_kind(openstack::DATA_PLANE_SERVICE),
        of_kind(dataplane::DEPLOYMENT),
    );
    let node_sets: Vec<NodeSet> =
        node_sets.into_iter().map(|item| NodeSet::read(item, world, &mut misreads)).collect();
    let services: Vec<Service> =
        services.into_iter().map(|item| Service::read(item, world, &mut misreads)).collect();
    let deployments =
        deployments.into_iter().map(|item| Deployment::read(item, world, &mut misreads)).collect();
    let node_sets_by_name = Directory::new(node_sets.iter().map(|node_set| &node_set.id));
    let services_by_name = Directory::new(services.iter().map(|service| &service.id));
    (DataPlane { node_sets, services, deployments, node_sets_by_name, services_by_name }, misreads)
}

/// Reads one service, if it is among the items. Its misreads are among those of [`read`].
pub fn find_service(world: &World<'_>, namespace: Option<&str>, name: &str) -> Option<Service> {
    let item = world.find(openstack::DATA_PLANE_SERVICE, namespace, name)?;
    Some(Service::read(item, world, &mut Vec::new()))
}

impl NodeSet {
    fn read(item: ItemId, world: &World<'_>, misreads: &mut Vec<Misread>) -> Self {
        let mut fields = ItemReader::new(item, world.get(item), misreads);
        let listed = fields.names(&dataplane::services()).unwrap_or(Some(Vec::new()));
        let lists_services = listed.is_some();
        let services = listed.unwrap_or_else(|| {
            let sited = |(index, name): (usize, &str)| {
                Sited::new(name.to_owned(), item, dataplane::services().index(index))
            };
            dataplane::DEFAULT_SERVICES.into_iter().enumerate().map(sited).collect()
        });
        let node = |path: FieldPath| path.last_key().map(str::to_owned);
        let nodes = fields.fields(&dataplane::nodes()).into_iter().filter_map(node).collect();
        let cell = cells::annotated(&mut fields);
        let split_from = fields.get(&kubernetes::annotation(dataplane::SPLIT_FROM));
        NodeSet { item, id: fields.id(), services, lists_services, nodes, cell, split_from }
    }

    /// Where the list of services is, or would be.
    pub fn services_site(&self) -> Site {
        Site::new(self.item, dataplane::services())
    }
}

impl Service {
    fn read(item: ItemId, world: &World<'_>, misreads: &mut Vec<Misread>) -> Self {
        let mut fields = ItemReader::new(item, world.get(item), misreads);
        let id = fields.id();
        let own_type: Result<Option<String>, _> = fields.try_get(&dataplane::service_type());
        let is_set = |own: &String| !own.is_empty();
        let service_type = own_type.ok().map(|own| own.filter(is_set).unwrap_or_else(|| id.name.clone()));
        let sources = sources::read(&mut fields);
        let removed = dataplane::removed_sources().into_iter();
        let removed_sources = removed
            .filter(|path| fields.non_null(path).is_some())
            .map(|path| Site::new(item, path))
            .collect();
        let is_own = |name: Value| name != dataplane::NOVA_PLAYBOOK;
        let has_own_playbook = fields.non_null(&dataplane::playbook()).is_some_and(is_own)
            || dataplane::own_playbooks().iter().any(|path| fields.non_null(path).is_some());
        let files = sources::files(&sources, id.namespace.as_deref(), world, misreads);
        Service { item, id, service_type, sources, files, removed_sources, has_own_playbook }
    }

    /// Where the list of sources is, or would be.
    pub fn sources_site(&self) -> Site {
        Site::new(self.item, dataplane::data_sources())
    }

    /// Whether the service reads a ConfigMap.
    pub fn reads_config_map(&self, name: &str) -> bool {
        self.sources.iter().any(|source| source.config_map.as_deref() == Some(name))
    }

    /// Whether one of the sources is an object with this name.
    pub fn refers_to(&self, id: &Id) -> bool {
        let is_name = |name: &Option<String>| name.as_ref() == Some(&id.name);
        let has_name = |source: &DataSource| is_name(&source.config_map) || is_name(&source.secret);
        id.namespace == self.id.namespace && self.sources.iter().any(has_name)
    }

    /// The cell whose configuration the service gives to its hosts, at the name of its Secret.
    pub fn cell(&self) -> Option<Sited<&str>> {
        self.sources.iter().find_map(|source| {
            let value = dataplane::cell_of_secret(source.secret.as_deref()?)?;
            Some(Sited { value, site: source.site.clone().key(dataplane::SECRET_REF).key("name") })
        })
    }
}

impl Deployment {
    fn read(item: ItemId, world: &World<'_>, misreads: &mut Vec<Misread>) -> Self {
        let mut fields = ItemReader::new(item, world.get(item), misreads);
        let node_sets = fields.names(&dataplane::node_sets()).map(Option::unwrap_or_default);
        let services_override = fields.names(&dataplane::services_override()).map(Option::unwrap_or_default);
        Deployment {
            item,
            id: fields.id(),
            has_no_node_sets: node_sets.as_ref().is_ok_and(Vec::is_empty),
            node_sets: node_sets.unwrap_or_default(),
            services_override: services_override.unwrap_or_default(),
        }
    }
}

impl DataPlane {
    pub fn node_set(&self, namespace: Option<&str>, name: &str) -> Option<&NodeSet> {
        self.node_sets.get(self.node_sets_by_name.find(namespace, name)?)
    }

    /// The node set with a name that is in a namespace, or may be.
    pub fn node_set_near(&self, namespace: Option<&str>, name: &str) -> Option<&NodeSet> {
        self.node_sets.get(self.node_sets_by_name.find_near(namespace, name)?)
    }

    /// A service that is among the items.
    pub fn service(&self, namespace: Option<&str>, name: &str) -> Option<&Service> {
        self.services.get(self.services_by_name.find(namespace, name)?)
    }

    /// Whether the operator creates a service with this name, or one is among the items that may be in the namespace.
    pub fn may_have_service(&self, namespace: Option<&str>, name: &str) -> bool {
        dataplane::is_stock(name) || self.services_by_name.find_near(namespace, name).is_some()
    }

    /// Names of services that may be in a namespace, to suggest one of them.
    pub fn service_names_near(&self, namespace: Option<&str>) -> impl Iterator<Item = &str> {
        let positions = self.services_by_name.all_near(namespace).take(MOST_SUGGESTED);
        positions.filter_map(|position| Some(self.services.get(position)?.id.name.as_str()))
    }

    /// Names of node sets that may be in a namespace, to suggest one of them.
    pub fn node_set_names_near(&self, namespace: Option<&str>) -> impl Iterator<Item = &str> {
        let positions = self.node_sets_by_name.all_near(namespace).take(MOST_SUGGESTED);
        positions.filter_map(|position| Some(self.node_sets.get(position)?.id.name.as_str()))
    }

    /// The type of a service. The operator's own services are named after their types. None for a service
    /// that is neither among the items nor the operator's.
    pub fn service_type<'n>(&'n self, namespace: Option<&str>, name: &'n str) -> Option<&'n str> {
        match self.service(namespace, name) {
            Some(service) => service.service_type.as_deref(),
            None => dataplane::is_stock(name).then_some(name),
        }
    }

    /// The first service of a type in a list of services. The data plane ignores all others of that type.
    pub fn first_of_type<'n>(
        &self,
        service_type: &str,
        services: &'n [Sited<String>],
        namespace: Option<&str>,
    ) -> Option<&'n Sited<String>> {
        services.iter().find(|name| self.service_type(namespace, &name.value) == Some(service_type))
    }

    /// The service that configures Nova on a node set.
    pub fn nova_of<'n>(&self, node_set: &'n NodeSet) -> Option<&'n Sited<String>> {
        self.first_of_type(dataplane::NOVA_TYPE, &node_set.services, node_set.id.namespace.as_deref())
    }

    /// The service that a Deployment runs in place of those that configure Nova on its node sets.
    pub fn nova_override<'n>(&self, deployment: &'n Deployment) -> Option<&'n Sited<String>> {
        let namespace = deployment.id.namespace.as_deref();
        self.first_of_type(dataplane::NOVA_TYPE, &deployment.services_override, namespace)
    }

    /// The Deployments of a node set.
    pub fn deployments_of(&self, node_set: &NodeSet) -> impl Iterator<Item = &Deployment> {
        let Id { namespace, name, .. } = node_set.id.clone();
        self.deployments.iter().filter(move |deployment| {
            deployment.id.namespace == namespace
                && deployment.node_sets.iter().any(|listed| listed.value == name)
        })
    }

    /// Whether all node sets of a Deployment use this service for its type. A node set that is not among the items may
    /// use any other.
    pub fn is_first_of_all(&self, service: &str, service_type: &str, deployment: &Deployment) -> bool {
        let namespace = deployment.id.namespace.as_deref();
        deployment.node_sets.iter().all(|name| {
            let node_set = self.node_set(namespace, &name.value);
            let own = node_set.and_then(|own| self.first_of_type(service_type, &own.services, namespace));
            own.is_some_and(|own| own.value == service)
        })
    }
}

#[cfg(test)]
mod tests;
