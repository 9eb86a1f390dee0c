//! Services that are meant to share an address but cannot.

use std::collections::HashMap;

use super::claim::{self, Claim};
use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::platform::metallb::Annotation;
use crate::platform::service_overrides::Port;

/// The first services with a key, pool and port: any, and one that requests no address.
#[derive(Default)]
struct First<'n> {
    any: Option<Claim<'n>>,
    without_address: Option<Claim<'n>>,
}

/// Warns with `vip-conflict` of deployed services with the same key, pool and port, if at least one of two requests no
/// address. MetalLB assigns them different addresses, so they do not share one.
pub fn shared_keys(claims: &[Claim<'_>], items: &[Resource], results: &mut Results) {
    let mut first: HashMap<(&str, Option<&str>, Port), First<'_>> = HashMap::new();
    for claim in claim::deployed(claims, items) {
        let Some(key) = claim.request.sharing_key.as_deref() else { continue };
        let has_address = claim.request.addresses.is_some();
        let mut clash: Option<(Port, Claim<'_>)> = None;
        for port in &claim.service.ports {
            let first = first.entry((key, claim.request.pool.as_deref(), *port)).or_default();
            let rival = if has_address { first.without_address } else { first.any };
            clash = clash.or(rival.map(|rival| (*port, rival)));
            first.any = first.any.or(Some(claim));
            if !has_address {
                first.without_address = first.without_address.or(Some(claim));
            }
        }
        let Some(((port, protocol), rival)) = clash else { continue };
        let message = format!(
            "this and {} both listen on {port}/{protocol}, so they cannot share an address with the key {}; give each its own address, and remove the keys",
            rival.describe(items),
            quoted(key)
        );
        let finding = results.warning(&rules::VIP_CONFLICT, message);
        finding.location = claim.service.site.location(items);
        let location = rival.service.site_of(Annotation::AllowSharedIp).location(items);
        finding.related(location, "the other service");
    }
}
