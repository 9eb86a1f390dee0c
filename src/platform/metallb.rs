//! MetalLB: its kinds, and the annotations by which a Service speaks to it.

use crate::krm::{Fault, FieldPath, FieldPattern, Hint, Kind, Resource};

pub const ADDRESS_POOL: Kind = Kind::new("metallb.io/v1beta1", "IPAddressPool");
pub const L2_ADVERTISEMENT: Kind = Kind::new("metallb.io/v1beta1", "L2Advertisement");
pub const BGP_ADVERTISEMENT: Kind = Kind::new("metallb.io/v1beta1", "BGPAdvertisement");
pub const BGP_PEER: Kind = Kind::new("metallb.io/v1beta2", "BGPPeer");
pub const BFD_PROFILE: Kind = Kind::new("metallb.io/v1beta1", "BFDProfile");
pub const COMMUNITY: Kind = Kind::new("metallb.io/v1beta1", "Community");
/// The type of Services that MetalLB gives addresses to.
pub const LOAD_BALANCER: &str = "LoadBalancer";

/// A pool's ranges.
pub fn addresses() -> FieldPath {
    FieldPath::new("spec.addresses")
}

/// The namespaces whose Services may use a pool; anybody's when there are none.
pub fn allowed_namespaces() -> FieldPath {
    FieldPath::new("spec.serviceAllocation.namespaces")
}

/// Selects more namespaces whose Services may use a pool.
pub fn namespace_selectors() -> FieldPath {
    FieldPath::new("spec.serviceAllocation.namespaceSelectors")
}

/// The pools of an advertisement, each by name; every pool when it names none and selects none.
pub fn advertised_pools() -> FieldPath {
    FieldPath::new("spec.ipAddressPools")
}

pub fn is_advertisement(item: &Resource) -> bool {
    item.is(L2_ADVERTISEMENT) || item.is(BGP_ADVERTISEMENT)
}

/// The pools that an advertisement names, and where.
pub fn announced(advertisement: &Resource) -> Result<Vec<(FieldPath, String)>, Fault> {
    let fields = advertisement.fields(&FieldPattern::each_of(&advertised_pools()))?;
    fields.into_iter().map(|at| Ok((at.clone(), advertisement.get(&at)?.unwrap_or_default()))).collect()
}

/// What a Service's annotation says. Keys are case-sensitive, and MetalLB ignores those it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annotation {
    /// The pool that the address must come from.
    AddressPool,
    /// Services with the same key, and other ports, may have the same address.
    AllowSharedIp,
    /// The address that is wanted, or one of each family.
    LoadBalancerIps,
    /// Written by MetalLB itself.
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

    /// The annotation that a key stands for.
    pub fn read(key: &str) -> Option<(Annotation, Domain)> {
        let all = Annotation::ALL.into_iter().flat_map(|a| Domain::ALL.map(|domain| (a, domain)));
        all.into_iter().find(|(annotation, domain)| annotation.key(*domain) == key)
    }

    /// The key that somebody may have meant.
    pub fn nearest_key(key: &str) -> Option<String> {
        let keys: Vec<String> =
            Annotation::ALL.into_iter().flat_map(|a| Domain::ALL.map(|domain| a.key(domain))).collect();
        let near = Hint::among(key, keys.iter().map(String::as_str)).name().map(str::to_owned);
        near.or_else(|| Annotation::named(key).map(|annotation| annotation.key(Domain::Current)))
    }

    /// The annotation whose name a key has, in any domain and any case.
    fn named(key: &str) -> Option<Annotation> {
        let (_, name) = key.rsplit_once('/')?;
        Annotation::ALL.into_iter().find(|annotation| annotation.name().eq_ignore_ascii_case(name))
    }
}

/// Other load balancers have an annotation of the same name.
const OTHER_DOMAINS: [&str; 1] = ["kube-vip.io"];

/// Whether a key names MetalLB before its slash.
pub fn names_metallb(key: &str) -> bool {
    key.split_once('/').is_some_and(|(domain, _)| domain.to_lowercase().contains("metallb"))
}

/// Whether a Service's annotation is meant for MetalLB, rightly spelt or not.
pub fn is_for_metallb(key: &str) -> bool {
    let is_of_another = key.split_once('/').is_some_and(|(domain, _)| OTHER_DOMAINS.contains(&domain));
    let is_near = || key.contains('.') && Annotation::nearest_key(key).is_some();
    names_metallb(key) || (!is_of_another && (Annotation::named(key).is_some() || is_near()))
}

/// The domain before the slash of an annotation's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// `metallb.io`; it wins where both are there.
    Current,
    /// `metallb.universe.tf`, deprecated since MetalLB 0.14.9, and what RHOSO's operators still write.
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
    fn keys_are_read_as_metallb_reads_them() {
        let read = Annotation::read("metallb.universe.tf/loadBalancerIPs");
        assert_eq!(read, Some((Annotation::LoadBalancerIps, Domain::Deprecated)));
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
            assert!(is_for_metallb(wrong) && Annotation::read(wrong).is_none(), "{wrong}");
            assert_eq!(Annotation::nearest_key(wrong).as_deref(), Some(right));
        }
        assert!(!is_for_metallb("core.openstack.org/metallb"));
        assert!(!is_for_metallb("metallb"));
        assert!(!is_for_metallb("kube-vip.io/loadbalancerIPs"));
        assert!(!is_for_metallb("service.beta.kubernetes.io/aws-load-balancer-type"));
    }
}
