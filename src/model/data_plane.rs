//! The data plane: node sets, the services that configure them, and the Deployments that run the services.

mod sources;
mod variables;

use std::collections::HashMap;

use super::item_reader::ItemReader;
use super::world::{ItemId, Misread, Site, Sited, World};
use crate::krm::Id;
use crate::platform::{dataplane, openstack};

pub use sources::{DataSource, Defect, SourceFile, device_specs};
pub use variables::{Variable, variable};

#[derive(Debug)]
pub struct DataPlane {
    pub node_sets: Vec<NodeSet>,
    pub services: Vec<Service>,
    pub deployments: Vec<Deployment>,
    node_sets_by_name: HashMap<Name, usize>,
    services_by_name: HashMap<Name, usize>,
}

/// Namespace and name.
type Name = (Option<String>, String);

#[derive(Debug)]
pub struct NodeSet {
    pub item: ItemId,
    pub id: Id,
    /// The services that run on the nodes, in their order: those that the node set lists, or the operator's default.
    /// Empty if the list cannot be read.
    pub services: Vec<Sited<String>>,
    /// Whether the node set lists its services itself.
    pub lists_services: bool,
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
}

#[derive(Debug)]
pub struct Deployment {
    pub item: ItemId,
    pub id: Id,
    pub node_sets: Vec<Sited<String>>,
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
    let node_sets_by_name = by_name(node_sets.iter().map(|node_set| &node_set.id));
    let services_by_name = by_name(services.iter().map(|service| &service.id));
    (DataPlane { node_sets, services, deployments, node_sets_by_name, services_by_name }, misreads)
}

/// Reads one service, if it is among the items. Its misreads are among those of [`read`].
pub fn find_service(world: &World<'_>, namespace: Option<&str>, name: &str) -> Option<Service> {
    let item = world.find(openstack::DATA_PLANE_SERVICE, namespace, name)?;
    Some(Service::read(item, world, &mut Vec::new()))
}

/// The first object with each name.
fn by_name<'i>(ids: impl Iterator<Item = &'i Id>) -> HashMap<Name, usize> {
    let mut by_name = HashMap::new();
    for (index, id) in ids.enumerate() {
        by_name.entry((id.namespace.clone(), id.name.clone())).or_insert(index);
    }
    by_name
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
        NodeSet { item, id: fields.id(), services, lists_services }
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
        let service_type = fields.try_get(&dataplane::service_type()).ok();
        let service_type = service_type.map(|own| own.unwrap_or_else(|| id.name.clone()));
        let sources = sources::read(&mut fields);
        let files = sources::files(&sources, id.namespace.as_deref(), world, misreads);
        Service { item, id, service_type, sources, files }
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

    /// The cell whose configuration the service gives to its hosts.
    pub fn cell(&self) -> Option<&str> {
        self.sources.iter().filter_map(|source| source.secret.as_deref()).find_map(dataplane::cell_of_secret)
    }
}

impl Deployment {
    fn read(item: ItemId, world: &World<'_>, misreads: &mut Vec<Misread>) -> Self {
        let mut fields = ItemReader::new(item, world.get(item), misreads);
        let mut names = |path| fields.names(&path).ok().flatten().unwrap_or_default();
        let (node_sets, services_override) =
            (names(dataplane::node_sets()), names(dataplane::services_override()));
        Deployment { item, id: fields.id(), node_sets, services_override }
    }
}

impl DataPlane {
    pub fn node_set(&self, namespace: Option<&str>, name: &str) -> Option<&NodeSet> {
        let index = self.node_sets_by_name.get(&(namespace.map(str::to_owned), name.to_owned()))?;
        self.node_sets.get(*index)
    }

    /// A service that is among the items.
    pub fn service(&self, namespace: Option<&str>, name: &str) -> Option<&Service> {
        let index = self.services_by_name.get(&(namespace.map(str::to_owned), name.to_owned()))?;
        self.services.get(*index)
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

    /// Whether a service configures Nova on all node sets of a Deployment. A node set that is not among the items may
    /// use any other.
    pub fn is_nova_of_all(&self, service: &str, deployment: &Deployment) -> bool {
        let namespace = deployment.id.namespace.as_deref();
        deployment.node_sets.iter().all(|name| {
            let nova = self.node_set(namespace, &name.value).and_then(|node_set| self.nova_of(node_set));
            nova.is_some_and(|nova| nova.value == service)
        })
    }
}

#[cfg(test)]
mod tests;
