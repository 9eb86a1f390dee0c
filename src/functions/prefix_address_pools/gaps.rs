//! What a control plane lacks: internal LoadBalancers, and the annotations of logging.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::drafts::{ChosenPool, Draft};
use super::ensure::Ensure;
use super::pools::{PoolId, Pools};
use crate::checks::rules;
use crate::krm::{FieldPath, Finding, Resource, Results, Severity, quoted};
use crate::model::Site;
use crate::model::network::{ControlPlane, Endpoint, Origin, Owner, Request, Service};
use crate::platform::metallb::{self, Annotation, Domain};
use crate::platform::service_overrides::{self, INTERNAL_POOL};

/// A control plane, and the drafts of its services, which are completed.
pub struct Gaps<'a, 'n> {
    pub plane: &'a ControlPlane,
    pub pools: &'a Pools<'a>,
    pub drafts: &'a mut Vec<Draft<'n>>,
    pub items: &'a [Resource],
    pub results: &'a mut Results,
}

impl Gaps<'_, '_> {
    /// Adds the annotations that logging would get from the CRD's default, with the pool and an address of this
    /// instance.
    pub fn fill_logging(&mut self) {
        let Some(logging) = &self.plane.default_logging else { return };
        match self.pools.find(INTERNAL_POOL) {
            // It requests nothing of the CRD's default, which belongs to another instance.
            Some(pool) => self.push(Service { request: Request::default(), ..logging.clone() }, pool, None),
            None => self.report_logging(),
        }
    }

    fn report_logging(&mut self) {
        let key = Annotation::AddressPool.key(self.domain());
        let example = match self.internal_pool() {
            Some(pool) => format!("such as `{key}: {}`", self.pools.names.prefixed(pool)),
            None => format!("such as `{key}` with a pool of the instance"),
        };
        let internal = quoted(INTERNAL_POOL);
        let message = format!(
            "without `annotations`, logging uses the CRD's default, which is the pool {internal} and an address of another instance; set them, {example}, or add a pool {internal} to the instance"
        );
        self.report(Severity::Error, message, &service_overrides::logging());
    }

    /// The instance's pool for internal endpoints, if none has the usual name: a pool whose name contains the usual
    /// name, or the pool that most internal endpoints request.
    fn internal_pool(&self) -> Option<&str> {
        let named = self.pools.bases().find(|name| name.contains(INTERNAL_POOL));
        let is_internal = |path: &FieldPath| path.clone().parent().parent().last_key() == Some("internal");
        let mut requested: BTreeMap<&str, usize> = BTreeMap::new();
        for draft in self.drafts.iter().filter(|draft| is_internal(&draft.service.site.path)) {
            if let Some(pool) = draft.own_pool() {
                *requested.entry(&self.pools.get(pool).base).or_default() += 1;
            }
        }
        named.or_else(|| requested.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name))
    }

    /// Completes the overrides of the required parts.
    pub fn fill(&mut self, ensure: &Ensure) {
        let plane = self.plane;
        for endpoint in &plane.endpoints {
            let section = endpoint.service_override.section();
            if ensure.lists(endpoint.part) && !endpoint.has_section {
                let message = format!(
                    "`ensure` lists a part of `{section}`, which does not exist; adding it would deploy the part, so add it yourself, or remove the part from `ensure`"
                );
                self.report(Severity::Error, message, &section);
                continue;
            }
            if ensure.lists(endpoint.part) && endpoint.owners.is_empty() {
                let owner = endpoint.service_override.owner;
                let message = format!(
                    "`ensure` lists this part, but nothing at `{owner}` can have a LoadBalancer; add an entry, or remove the part from `ensure`"
                );
                self.report(Severity::Error, message, &section);
            }
            for owner in &endpoint.owners {
                if ensure.requires(endpoint.part, owner.is_enabled) {
                    self.fill_override(endpoint, owner);
                }
            }
        }
    }

    fn fill_override(&mut self, endpoint: &Endpoint, owner: &Owner) {
        let severity = if owner.is_enabled { Severity::Error } else { Severity::Warning };
        if !owner.is_enabled {
            let message = "`ensure` lists this part, but it is not enabled, so the operator deploys no LoadBalancer; enable it, or remove it from `ensure`";
            self.results
                .warning(&rules::NOT_ENABLED, message)
                .field(self.plane.item.get(self.items), &owner.path);
        }
        let type_path = endpoint.service_override.type_of(&owner.path);
        if let Some(kind) = owner.service_type.as_ref().filter(|kind| *kind != metallb::LOAD_BALANCER) {
            let message = format!(
                "`ensure` requires a LoadBalancer, but the type is {}; remove the type, or remove the part from `ensure`",
                quoted(kind)
            );
            let finding = Finding::new(severity, &rules::NOT_A_LOAD_BALANCER, message);
            self.results.add(finding).field(self.plane.item.get(self.items), &type_path);
            return;
        }
        let added_type = owner.service_type.is_none().then_some(type_path);
        let path = endpoint.service_override.annotations_of(&owner.path);
        let existing = self.drafts.iter().position(|draft| draft.service.site.path == path);
        // A service whose annotations are in conflict is not completed, because that could overwrite one of them.
        let is_complete =
            |draft: &Draft<'_>| draft.pool != ChosenPool::None || !draft.service.conflicts.is_empty();
        if let Some(position) = existing.filter(|position| is_complete(&self.drafts[*position])) {
            self.drafts[position].added_type = added_type;
            return;
        }
        let Some(pool) = self.pool_of(existing).or_else(|| self.pools.find(endpoint.part.pool())) else {
            let message = format!(
                "`ensure` adds this service to the pool {}, which is not a pool of the instance; list it in `spec.pools`, or write the override yourself",
                quoted(endpoint.part.pool())
            );
            self.report(severity, message, &owner.path);
            return;
        };
        if let Some(position) = existing {
            let draft = &mut self.drafts[position];
            (draft.pool, draft.is_completed, draft.added_type) = (ChosenPool::Own(pool), true, added_type);
            return;
        }
        let site = Site::new(self.plane.item, path);
        let origin = Origin::Override(endpoint.service_override);
        let mut service = Service::without_annotations(site, self.plane.namespace.clone(), origin);
        service.is_deployed = owner.is_enabled;
        self.push(service, pool, added_type);
    }

    /// The pool that contains the address of an existing service.
    fn pool_of(&self, existing: Option<usize>) -> Option<PoolId> {
        let addresses = self.drafts[existing?].service.request.addresses.as_ref()?;
        let ip = *addresses.addresses().first()?;
        self.pools.iter().find(|(_, pool)| pool.contains(ip)).map(|(id, _)| id)
    }

    fn push(&mut self, mut service: Service, pool: PoolId, added_type: Option<FieldPath>) {
        service.domain = self.domain();
        let (service, pool) = (Cow::Owned(service), ChosenPool::Own(pool));
        self.drafts.push(Draft { service, pool, is_completed: true, added_type });
    }

    fn report(&mut self, severity: Severity, message: String, path: &FieldPath) {
        let finding = Finding::new(severity, &rules::NO_MATCH, message);
        self.results.add(finding).field(self.plane.item.get(self.items), path);
    }

    /// The domain of new annotations: that of the existing ones.
    fn domain(&self) -> Domain {
        let uses = |domain| self.drafts.iter().any(|draft| draft.service.uses(domain));
        match uses(Domain::Current) && !uses(Domain::Deprecated) {
            true => Domain::Current,
            false => Domain::Deprecated,
        }
    }
}
