//! What services request from MetalLB, now or after a change.

use std::collections::HashSet;

use crate::krm::{Id, Resource, Severity};
use crate::model::Model;
use crate::model::network::{Request, Service};

/// A service, and what it requests. A function passes the request that it plans.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'n> {
    pub service: &'n Service,
    pub request: &'n Request,
}

impl<'n> From<&'n Service> for Claim<'n> {
    fn from(service: &'n Service) -> Self {
        Claim { service, request: &service.request }
    }
}

impl Claim<'_> {
    /// The resource and the field, for messages about another service.
    pub(super) fn describe(self, items: &[Resource]) -> String {
        let site = &self.service.site;
        format!("{} `{}`", site.item.get(items).id(), site.path)
    }

    /// The end of a message about a request that the user did not write.
    pub(super) fn source(self) -> &'static str {
        match self.service.has_default_request() {
            true => "; this is the CRD's default for logging without `annotations`, so set them",
            false => "",
        }
    }
}

/// The severity of problems with a service. A service that is not deployed does no harm.
pub fn severity(service: &Service) -> Severity {
    if service.is_deployed { Severity::Error } else { Severity::Warning }
}

/// What MetalLB gets to see: the requests of deployed services of type LoadBalancer, with those that the CRD's
/// defaults make. A service whose annotations are wrong is reported for that, and what it was meant to request is
/// not known.
pub fn load_balancers<'m>(model: &'m Model<'_>) -> Vec<Claim<'m>> {
    let network = &model.network;
    let misread: HashSet<_> =
        model.misreads.iter().filter_map(|misread| Some(&network.service_at(&misread.site)?.site)).collect();
    let is_clear = |service: &&Service| {
        service.conflicts.is_empty() && service.unknown_keys.is_empty() && !misread.contains(&service.site)
    };
    let defaults = network.control_planes.iter().filter_map(|plane| plane.default_logging.as_ref());
    let services = network.services.iter().chain(defaults).filter(is_clear);
    let claims: Vec<Claim<'_>> =
        services.filter(|service| service.is_load_balancer).map(Claim::from).collect();
    deployed(&claims, model.items())
}

/// The claims of services that are deployed, in the order of their fields. A list may have the same object twice;
/// in a cluster, it is one object. An object without a namespace may become one that has a namespace.
pub(super) fn deployed<'n>(claims: &[Claim<'n>], items: &[Resource]) -> Vec<Claim<'n>> {
    let mut deployed: Vec<Claim<'_>> =
        claims.iter().copied().filter(|claim| claim.service.is_deployed).collect();
    // Objects with a namespace come first, to be kept. The rest of the order does not depend on that of the list:
    // a function appends services that it adds, and the next run reads them in document order.
    deployed.sort_by_key(|claim| (claim.service.namespace.is_none(), &claim.service.site));
    let (mut in_namespace, mut anywhere) = (HashSet::new(), HashSet::new());
    deployed.retain(|claim| {
        let (site, namespace) = (&claim.service.site, &claim.service.namespace);
        let resource = site.item.get(items);
        let Id { kind, name, .. } = resource.id();
        let object = (resource.id().group(), kind, name, &site.path);
        // Local resources are not applied, so they may have the same name and be different.
        if resource.is_local() {
            return true;
        }
        let is_new = anywhere.insert(object);
        in_namespace.insert((object, namespace)) && (is_new || namespace.is_some())
    });
    deployed.sort_by_key(|claim| &claim.service.site);
    deployed
}

/// The maximum number of services and other resources that one finding shows.
pub(super) const MOST_RELATED: usize = 10;

/// The end of a message about one of several services with the same problem.
pub(super) fn and_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (as does 1 other service)".to_owned(),
        _ => format!(" (as do {count} other services)"),
    }
}
