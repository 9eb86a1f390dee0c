//! MetalLB's annotations on services.

use super::claim::severity;
use super::rules;
use crate::krm::{Finding, Resource, Results, quoted};
use crate::model::network::{Origin, Service};
use crate::platform::kubernetes;
use crate::platform::metallb::{Annotation, Domain};

/// Reports `unknown-annotation` for keys that are meant for MetalLB but that MetalLB ignores.
pub fn unknown_annotation(service: &Service, items: &[Resource], results: &mut Results) {
    for key in &service.unknown_keys {
        let hint = match Annotation::nearest_key(key) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let known =
                    Annotation::ALL.map(|annotation| format!("`{}`", annotation.key(Domain::Current)));
                format!("it knows {}", known.join(", "))
            }
        };
        let message = format!("MetalLB does not know this annotation and ignores it; {hint}");
        let finding = results.add(Finding::new(severity(service), &rules::UNKNOWN_ANNOTATION, message));
        finding.location = service.site.clone().key(key.clone()).location(items);
    }
}

/// Reports `both-prefixes` for annotations with different values in both domains.
pub fn both_prefixes(service: &Service, items: &[Resource], results: &mut Results) {
    for conflict in &service.conflicts {
        let annotation = conflict.first.annotation;
        let [current, deprecated] = Domain::ALL.map(|domain| annotation.key(domain));
        // The message must not depend on the order of the keys, because kustomize sorts them.
        let first_is_current = conflict.first.domain == Domain::Current;
        let (used, ignored) = match first_is_current {
            true => (&conflict.first, &conflict.second),
            false => (&conflict.second, &conflict.first),
        };
        let message = format!(
            "`{deprecated}` is {}, but `{current}` is {}, and MetalLB uses `{current}`; remove one of them",
            quoted(&ignored.value),
            quoted(&used.value),
        );
        let finding = results.add(Finding::new(severity(service), &rules::BOTH_PREFIXES, message));
        finding.location = service.site.clone().key(deprecated).location(items);
        finding.related(service.site.clone().key(current).location(items), "what MetalLB uses");
    }
}

/// Reports `no-service` for annotations of a control plane that reach no Service.
pub fn no_service(service: &Service, items: &[Resource], results: &mut Results) {
    if service.origin == Origin::NoOverride {
        let message = "an OpenStackControlPlane has no service override here, so these annotations reach no Service; move them to an `override.service`";
        results.warning(&rules::NO_SERVICE, message).location = service.site.location(items);
    }
}

/// Reports `not-a-load-balancer` for a deployed service with annotations that MetalLB ignores because of its type.
pub fn not_a_load_balancer(service: &Service, items: &[Resource], results: &mut Results) {
    let is_override = matches!(service.origin, Origin::Override(_));
    if is_override && service.is_deployed && !service.is_load_balancer {
        let message = "MetalLB ignores these annotations, because the type of the Service is not LoadBalancer; set `type: LoadBalancer` in `spec` beside `metadata`, or remove the annotations";
        results.warning(&rules::NOT_A_LOAD_BALANCER, message).location = service.site.location(items);
    }
}

/// Reports `load-balancer-ip` for a Service with the deprecated field.
pub fn load_balancer_ip(service: &Service, items: &[Resource], results: &mut Results) {
    if service.has_load_balancer_ip {
        let message = format!(
            "this field is deprecated, and rhoso-fn ignores it; request the address with `{}`",
            Annotation::LoadBalancerIps.key(Domain::Current)
        );
        let resource = service.site.item.get(items);
        results.warning(&rules::LOAD_BALANCER_IP, message).field(resource, &kubernetes::load_balancer_ip());
    }
}
