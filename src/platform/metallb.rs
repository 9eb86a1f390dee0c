//! MetalLB: its kinds, and the annotations that configure it on a Service.

use crate::krm::{FieldPath, Hint, Kind};

pub const ADDRESS_POOL: Kind = Kind::new("metallb.io/v1beta1", "IPAddressPool");
pub const L2_ADVERTISEMENT: Kind = Kind::new("metallb.io/v1beta1", "L2Advertisement");
pub const BGP_ADVERTISEMENT: Kind = Kind::new("metallb.io/v1beta1", "BGPAdvertisement");
pub const BGP_PEER: Kind = Kind::new("metallb.io/v1beta2", "BGPPeer");
pub const BFD_PROFILE: Kind = Kind::new("metallb.io/v1beta1", "BFDProfile");
pub const COMMUNITY: Kind = Kind::new("metallb.io/v1beta1", "Community");

/// The namespace in which MetalLB reads its objects.
pub const NAMESPACE: &str = "metallb-system";

/// The kinds that announce pools.
pub const ADVERTISEMENTS: [Kind; 2] = [L2_ADVERTISEMENT, BGP_ADVERTISEMENT];

/// The type of Services that MetalLB assigns addresses to.
pub const LOAD_BALANCER: &str = "LoadBalancer";

/// The ranges of a pool.
pub fn addresses() -> FieldPath {
    FieldPath::new("spec.addresses")
}

/// The namespaces whose Services may use a pool. If there are none, every namespace may.
pub fn allowed_namespaces() -> FieldPath {
    FieldPath::new("spec.serviceAllocation.namespaces")
}

/// Selects more namespaces whose Services may use a pool.
pub fn namespace_selectors() -> FieldPath {
    FieldPath::new("spec.serviceAllocation.namespaceSelectors")
}

/// The pools of an advertisement, by name. An advertisement that neither names nor selects pools announces all of them.
pub fn advertised_pools() -> FieldPath {
    FieldPath::new("spec.ipAddressPools")
}

/// Selects the pools of an advertisement by their labels.
pub fn pool_selectors() -> FieldPath {
    FieldPath::new("spec.ipAddressPoolSelectors")
}

/// The interfaces of nodes that an L2Advertisement announces addresses on. If there are none, it uses all.
pub fn interfaces() -> FieldPath {
    FieldPath::new("spec.interfaces")
}

/// An annotation of a Service. Keys are case-sensitive, and MetalLB ignores keys that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annotation {
    /// The pool that the address must come from.
    AddressPool,
    /// The sharing key. Services with the same key and different ports may have the same address.
    AllowSharedIp,
    /// The requested address, or one of each family.
    LoadBalancerIps,
    /// Set by MetalLB itself.
    AllocatedFromPool,
}

impl Annotation {
    pub const ALL: [Annotation; 4] = [
        Annotation::AddressPool,
        Annotation::AllowSharedIp,
        Annotation::LoadBalancerIps,
        Annotation::AllocatedFromPool,
    ];

    fn name(self) -> &'static str {
        match self {
            Annotation::AddressPool => "address-pool",
            Annotation::AllowSharedIp => "allow-shared-ip",
            Annotation::LoadBalancerIps => "loadBalancerIPs",
            Annotation::AllocatedFromPool => "ip-allocated-from-pool",
        }
    }

    pub fn key(self, domain: Domain) -> String {
        format!("{}/{}", domain.name(), self.name())
    }

    /// The annotation with exactly this key.
    pub fn parse(key: &str) -> Option<(Annotation, Domain)> {
        let all = Annotation::ALL.into_iter().flat_map(|a| Domain::ALL.map(|domain| (a, domain)));
        all.into_iter().find(|(annotation, domain)| annotation.key(*domain) == key)
    }

    /// The known key that a misspelt key is closest to.
    pub fn nearest_key(key: &str) -> Option<String> {
        let keys: Vec<String> =
            Annotation::ALL.into_iter().flat_map(|a| Domain::ALL.map(|domain| a.key(domain))).collect();
        let near = Hint::among(key, keys.iter().map(String::as_str)).name().map(str::to_owned);
        near.or_else(|| Annotation::named(key).map(|annotation| annotation.key(Domain::Current)))
    }

    /// The annotation whose name follows the slash of a key, in any domain and any case.
    fn named(key: &str) -> Option<Annotation> {
        let (_, name) = key.rsplit_once('/')?;
        Annotation::ALL.into_iter().find(|annotation| annotation.name().eq_ignore_ascii_case(name))
    }
}

/// The domains of other load balancers that have an annotation of the same name.
const OTHER_DOMAINS: [&str; 1] = ["kube-vip.io"];

/// Whether the domain of a key contains the name of MetalLB.
pub fn names_metallb(key: &str) -> bool {
    key.split_once('/').is_some_and(|(domain, _)| domain.to_lowercase().contains("metallb"))
}

/// Whether a key is meant for MetalLB, including misspelt keys.
pub fn is_for_metallb(key: &str) -> bool {
    let is_other_domain = key.split_once('/').is_some_and(|(domain, _)| OTHER_DOMAINS.contains(&domain));
    let is_near = || key.contains('.') && Annotation::nearest_key(key).is_some();
    names_metallb(key) || (!is_other_domain && (Annotation::named(key).is_some() || is_near()))
}

/// The domain before the slash of an annotation key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// `metallb.io`. It takes precedence if a Service has both.
    Current,
    /// `metallb.universe.tf`, deprecated since MetalLB 0.14.9. RHOSO's operators still write it.
    Deprecated,
}

impl Domain {
    pub const ALL: [Domain; 2] = [Domain::Current, Domain::Deprecated];

    pub fn name(self) -> &'static str {
        match self {
            Domain::Current => "metallb.io",
            Domain::Deprecated => "metallb.universe.tf",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_parsed_as_metallb_parses_them() {
        let parsed = Annotation::parse("metallb.universe.tf/loadBalancerIPs");
        assert_eq!(parsed, Some((Annotation::LoadBalancerIps, Domain::Deprecated)));
        for (wrong, right) in [
            ("metallb.universe.tf/LoadBalancerIPs", "metallb.universe.tf/loadBalancerIPs"),
            ("metallb.io/addres-pool", "metallb.io/address-pool"),
            ("metallb.universe.ft/allow-shared-ip", "metallb.universe.tf/allow-shared-ip"),
            ("MetalLB.io/address-pool", "metallb.io/address-pool"),
            ("metalb.io/adress-pool", "metallb.io/address-pool"),
            ("metal-lb.io/allow-shared-ip", "metallb.io/allow-shared-ip"),
            ("metallb.universe.tf.loadBalancerIPs", "metallb.universe.tf/loadBalancerIPs"),
            ("loadbalancer.example.com/LoadBalancerIPs", "metallb.io/loadBalancerIPs"),
        ] {
            assert!(is_for_metallb(wrong) && Annotation::parse(wrong).is_none(), "{wrong}");
            assert_eq!(Annotation::nearest_key(wrong).as_deref(), Some(right));
        }
        assert!(!is_for_metallb("core.openstack.org/metallb"));
        assert!(!is_for_metallb("metallb"));
        assert!(!is_for_metallb("kube-vip.io/loadbalancerIPs"));
        assert!(!is_for_metallb("service.beta.kubernetes.io/aws-load-balancer-type"));
    }
}
