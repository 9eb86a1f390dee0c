//! What services request from MetalLB, now or after a change.

use crate::krm::{Resource, Severity};
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
}

/// The severity of problems with a service. A service that is not deployed does no harm.
pub fn severity(service: &Service) -> Severity {
    if service.is_deployed { Severity::Error } else { Severity::Warning }
}
