//! Values files of the repository openstack-k8s-operators/architecture: local ConfigMaps with maps under `data`, from
//! which kustomize `replacements` copy fields into objects. The facts are those of its commit 0b12d3fb.

use super::service_config::{ConfigPlace, PLACES};
use crate::formats::placeholder;

/// What a values file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// The address plan of an instance, the nodes of its cluster, and shared addresses of services.
    Networks,
    /// Parts of a control plane.
    Services,
    /// The nodes of node sets.
    NodeSets,
    BareMetalHosts,
}

impl Content {
    /// What a ConfigMap with this name contains. Suffixes such as `-post-ceph` tell stages of a deployment apart.
    /// `octavia-network-values` is not read, because two instances share it.
    pub fn of(name: &str) -> Option<Self> {
        let is_of_node_sets = || name.split_once("nodeset").is_some_and(|(_, rest)| rest.contains("-values"));
        match name {
            _ if name.starts_with("network-values") => Some(Content::Networks),
            _ if name.starts_with("service-values") => Some(Content::Services),
            _ if name.starts_with("baremetalhost-values") => Some(Content::BareMetalHosts),
            _ => is_of_node_sets().then_some(Content::NodeSets),
        }
    }
}

/// Whether a string is to be replaced, by a person or by kustomize. JSON that only contains such a string is not one.
pub fn is_placeholder(text: &str) -> bool {
    let is_word = !text.trim().contains(|c: char| c.is_whitespace() || c == '{');
    is_word && placeholder::is_in(text)
}

/// The network that Ansible and the control plane use. It is untagged, and its interface is a bridge.
pub const CONTROL_PLANE: &str = "ctlplane";

/// The network whose annotations become those of the internal endpoints.
pub const INTERNAL_API: &str = "internalapi";

/// The section with the links of a topology in which nodes announce addresses by BGP.
pub const BGP: &str = "bgp";

/// The keys of a network, at least one of which it has.
pub const OF_A_NETWORK: [&str; 4] = ["subnets", "net-attach-def", "lb_addresses", "vlan"];

/// Whether anything is created from a network. A site of a distributed deployment, such as `ctlplanedcn1`, repeats
/// subnets of a network.
pub fn is_rendered(network: &str) -> bool {
    let name = network.trim_end_matches(|c: char| c.is_ascii_digit());
    network != "swift" && network != BGP && (name == network || !name.ends_with("dcn"))
}

/// Whether the NetConfig gets the subnets of a network.
pub fn has_compute_subnets(network: &str, is_routed: bool) -> bool {
    network != "octavia" && !is_local_to_nodes(network, is_routed)
}

/// Whether each node has its own network of this name. In a BGP topology, that is a bridge without ports, and its
/// address is the gateway, which is the same on every node.
pub fn is_local_to_nodes(network: &str, is_routed: bool) -> bool {
    is_routed && [INTERNAL_API, "storage"].contains(&network)
}

/// Whether a key names a node: `node_0`.
pub fn is_node(key: &str) -> bool {
    let number = key.strip_prefix("node_").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// The annotations for Services in `network-values`: of networks, and of RabbitMQ clusters.
pub const NETWORK_ANNOTATIONS: &str = "data.*.endpoint_annotations";

/// The field of the control plane that gets the annotations of the control plane network.
pub const OWNER_OF_DNS: &str = "spec.dns.template";

/// The fields of the control plane that get the annotations of RabbitMQ clusters.
pub const OWNER_OF_RABBITMQ: &str = "spec.rabbitmq.templates.*";

/// The annotations for Services in `service-values`, and the fields of the control plane that get them.
pub const SERVICE_ANNOTATIONS: [(&str, &str); 4] = [
    (
        "data.designate.bind9Services.services[*].metadata.annotations",
        "spec.designate.template.designateBackendbind9",
    ),
    ("data.glance.glanceAPIs.*.override.service.*.metadata.annotations", "spec.glance.template.glanceAPIs.*"),
    (
        "data.nova.cellTemplates.*.metadataServiceTemplate.override.service.metadata.annotations",
        "spec.nova.template.cellTemplates.*.metadataServiceTemplate",
    ),
    ("data.rabbitmq.templates.*.override.service.metadata.annotations", OWNER_OF_RABBITMQ),
];

/// The configuration of Nova in the values of node sets.
pub const NOVA_TEXTS: [&str; 2] = ["data.nova.*.conf", "data.nova-extra-config"];

/// The project whose configuration is below these keys of `service-values`. The keys are those of a control plane, of
/// which some may be missing: `cinderVolumes`, `nova.cell0Conductor`. None for a service without oslo.config.
pub fn project(keys: &[&str]) -> Option<&'static str> {
    let has = |place: &ConfigPlace, key: &str| place.written().split('.').any(|part| part == key);
    let keys: Vec<&str> = keys.iter().copied().filter(|key| *key != "template").collect();
    let keys: Vec<&str> = keys.into_iter().filter(|key| PLACES.iter().any(|place| has(place, key))).collect();
    let fits = |place: &&ConfigPlace| !keys.is_empty() && keys.iter().all(|key| has(place, key));
    // The service itself, rather than one of its parts.
    let depth = |place: &&ConfigPlace| place.written().split('.').count();
    PLACES.iter().filter(fits).min_by_key(depth).map(|place| place.project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        for (name, content) in [
            ("network-values", Some(Content::Networks)),
            ("service-values-post-ceph", Some(Content::Services)),
            ("edpm-nodeset-values", Some(Content::NodeSets)),
            ("edpm-nodeset2-values-post-ceph", Some(Content::NodeSets)),
            ("networker-nodeset-values", Some(Content::NodeSets)),
            ("nodeset-values", Some(Content::NodeSets)),
            ("baremetalhost-values", Some(Content::BareMetalHosts)),
            ("edpm-deployment-values", None),
            ("octavia-network-values", None),
            ("olm-values", None),
            ("nodeset", None),
        ] {
            assert_eq!(Content::of(name), content, "{name}");
        }
    }

    #[test]
    fn placeholders_are_words() {
        for text in ["CHANGEME", "CHANGEME_IP", "172.17.0.CHANGEME", "_replaced_", " _unused_\n"] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["", "changed", "{\"master\":\"CHANGEME\"}", "172.17.0.5", "a CHANGEME"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn projects_are_told_by_keys() {
        for (keys, expected) in [
            (&["glance"][..], Some("glance")),
            (&["neutron", "template"], Some("neutron")),
            (&["nova", "cell0Conductor"], Some("nova")),
            (&["nova", "cell1", "conductorServiceTemplate"], Some("nova")),
            (&["cinderBackups", "ceph"], Some("cinder")),
            (&["manila", "template", "manilaShares", "share1"], Some("manila")),
            (&["ironic"], Some("ironic")),
            (&["ironic", "ironicNeutronAgent"], Some("ironic-neutron-agent")),
            (&["horizon", "template"], None),
            (&["galera", "templates", "openstack"], None),
            (&["cinderVolumes", "nova"], None),
            (&[], None),
        ] {
            assert_eq!(project(keys), expected, "{keys:?}");
        }
    }

    #[test]
    fn sites_and_swift_are_not_rendered() {
        let rendered = ["ctlplane", "internalapi2", "ospbr-218", "dcnet"];
        assert!(rendered.into_iter().all(is_rendered));
        assert!(!["swift", "ctlplanedcn1", "storagedcn2", "bgp"].into_iter().any(is_rendered));
        assert!(is_node("node_10") && !is_node("node_") && !is_node("node_a"));
    }
}
