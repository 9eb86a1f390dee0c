//! The service overrides of an OpenStackControlPlane: every field of the CRD, since 18.0, from which MetalLB's
//! annotations reach a Service.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::krm::{Fault, FieldPath, FieldPattern, Resource};

/// A part of OpenStack with an endpoint that compute nodes reach on an internal address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Aodh,
    Barbican,
    Cinder,
    Cloudkitty,
    Designate,
    Dns,
    Glance,
    Heat,
    Ironic,
    Keystone,
    Manila,
    Neutron,
    Nova,
    Octavia,
    Placement,
    Rabbitmq,
    Swift,
    Watcher,
}

impl Part {
    /// The pool of its internal endpoint in the upstream samples.
    pub fn pool(self) -> &'static str {
        if self == Part::Dns { "ctlplane" } else { INTERNAL_POOL }
    }
}

/// The pool of internal endpoints, and of logging by default.
pub const INTERNAL_POOL: &str = "internalapi";

/// The networks of an instance in the upstream samples (NetConfig, NetworkAttachmentDefinitions, pools). Its pools
/// have the names of the networks.
pub const NETWORKS: [&str; 9] = [
    "ctlplane",
    INTERNAL_POOL,
    "storage",
    "tenant",
    "storagemgmt",
    "external",
    "designate",
    "designateext",
    "octavia",
];

/// The addresses, one of each family, that the services of a pool share in the upstream samples. The CRD's default
/// for logging is one of them.
pub fn usual_vips(pool: &str) -> Vec<IpAddr> {
    let network = match pool {
        INTERNAL_POOL => ([172, 17, 0], 0xbbbb),
        "ctlplane" => ([192, 168, 122], 0xaaaa),
        _ => return Vec::new(),
    };
    let ([a, b, c], d) = network;
    vec![Ipv4Addr::new(a, b, c, 80).into(), Ipv6Addr::new(0xfd00, d, 0, 0, 0, 0, 0, 0x80).into()]
}

/// The distance from the shared address to the address of the first RabbitMQ in the upstream samples.
pub const RABBITMQ_DISTANCE: u32 = 5;

/// The structure of the overrides below their owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A mapping of endpoints. The webhook allows `internal` and `public`.
    Endpoints,
    /// One override.
    Single,
    /// A list with one override per replica.
    List,
    /// Only annotations.
    Annotations,
}

/// The endpoints of [`Shape::Endpoints`] (lib-common's `ValidateRoutedOverrides`).
pub const ENDPOINTS: [&str; 2] = ["internal", "public"];

#[derive(Debug, PartialEq, Eq)]
pub struct ServiceOverride {
    /// The part whose internal endpoint it configures, if any.
    pub part: Option<Part>,
    /// The field of the control plane that it belongs to. With a wildcard, there are several.
    pub owner: &'static str,
    /// Its path below the owner.
    below: &'static str,
    pub shape: Shape,
    /// The port of its Service, if the configuration cannot change it.
    port: Option<u16>,
}

/// A port and its protocol.
pub type Port = (u16, &'static str);

impl ServiceOverride {
    /// The ports of its Service that are known. DNS listens on both protocols.
    pub fn ports(&self) -> Vec<Port> {
        let protocols: &[&str] = if self.port == Some(53) { &["TCP", "UDP"] } else { &["TCP"] };
        self.port.iter().flat_map(|port| protocols.iter().map(|protocol| (*port, *protocol))).collect()
    }

    /// All owners.
    pub fn owners(&self) -> FieldPattern {
        FieldPattern::new(self.owner)
    }

    /// The owner, if there can be only one.
    pub fn only_owner(&self) -> Option<FieldPath> {
        (!self.owner.contains('*')).then(|| FieldPath::new(self.owner))
    }

    /// The section of the control plane that contains the owners.
    pub fn section(&self) -> FieldPath {
        section(&FieldPath::new(self.owner))
    }

    /// The overrides of an owner.
    pub fn overrides_of(&self, owner: &FieldPath) -> FieldPath {
        owner.clone().join(&FieldPath::new(self.below))
    }

    /// The override of an owner: that of the internal endpoint if there are several.
    fn override_of(&self, owner: &FieldPath) -> FieldPath {
        let path = self.overrides_of(owner);
        if self.shape == Shape::Endpoints { path.key("internal") } else { path }
    }

    /// The annotations of an owner's override.
    pub fn annotations_of(&self, owner: &FieldPath) -> FieldPath {
        self.override_of(owner).key("metadata").key("annotations")
    }

    /// The type of the Service in an owner's override.
    pub fn type_of(&self, owner: &FieldPath) -> FieldPath {
        self.override_of(owner).key("spec").key("type")
    }

    /// The annotations of all overrides.
    pub fn annotations(&self) -> FieldPattern {
        let all = self.owners().join(&FieldPath::new(self.below));
        match self.shape {
            Shape::Endpoints | Shape::List => all.each().join(&FieldPath::new("metadata.annotations")),
            Shape::Single => all.join(&FieldPath::new("metadata.annotations")),
            Shape::Annotations => all,
        }
    }
}

const OVERRIDE: &str = "override.service";

const fn api(part: Part, owner: &'static str, port: u16) -> ServiceOverride {
    ServiceOverride { part: Some(part), owner, below: OVERRIDE, shape: Shape::Endpoints, port: Some(port) }
}

const fn single(part: Option<Part>, owner: &'static str, port: Option<u16>) -> ServiceOverride {
    ServiceOverride { part, owner, below: OVERRIDE, shape: Shape::Single, port }
}

const fn replicas(owner: &'static str, below: &'static str, port: u16) -> ServiceOverride {
    ServiceOverride { part: None, owner, below, shape: Shape::List, port: Some(port) }
}

const fn annotations(owner: &'static str, below: &'static str, port: u16) -> ServiceOverride {
    ServiceOverride { part: None, owner, below, shape: Shape::Annotations, port: Some(port) }
}

/// The ports are those that the operators set. RabbitMQ also listens on 5672, without TLS.
pub static SERVICE_OVERRIDES: &[ServiceOverride] = &[
    api(Part::Barbican, "spec.barbican.template.barbicanAPI", 9311),
    api(Part::Cinder, "spec.cinder.template.cinderAPI", 8776),
    api(Part::Designate, "spec.designate.template.designateAPI", 9001),
    replicas("spec.designate.template.designateBackendbind9", "override.services", 53),
    replicas("spec.designate.template.designateMdns", "override.services", 5354),
    replicas("spec.designate.template.designateUnbound", "override.services", 53),
    single(Some(Part::Dns), "spec.dns.template", Some(53)),
    api(Part::Glance, "spec.glance.template.glanceAPIs.*", 9292),
    api(Part::Heat, "spec.heat.template.heatAPI", 8004),
    api(Part::Heat, "spec.heat.template.heatCfnAPI", 8000),
    single(None, "spec.horizon.template", None),
    api(Part::Ironic, "spec.ironic.template.ironicAPI", 6385),
    api(Part::Ironic, "spec.ironic.template.ironicInspector", 5050),
    api(Part::Keystone, "spec.keystone.template", 5000),
    api(Part::Manila, "spec.manila.template.manilaAPI", 8786),
    api(Part::Neutron, "spec.neutron.template", 9696),
    api(Part::Nova, "spec.nova.template.apiServiceTemplate", 8774),
    single(None, "spec.nova.template.cellTemplates.*.metadataServiceTemplate", Some(8775)),
    single(None, "spec.nova.template.cellTemplates.*.noVNCProxyServiceTemplate", Some(6080)),
    single(Some(Part::Nova), "spec.nova.template.metadataServiceTemplate", Some(8775)),
    api(Part::Octavia, "spec.octavia.template.octaviaAPI", 9876),
    // The ports of the northbound and the southbound database differ.
    single(None, "spec.ovn.template.ovnDBCluster.*", None),
    api(Part::Placement, "spec.placement.template", 8778),
    single(Some(Part::Rabbitmq), "spec.rabbitmq.templates.*", Some(5671)),
    replicas("spec.rabbitmq.templates.*", "podOverride.services", 5671),
    annotations("spec.rabbitmq.templates.*", "service.annotations", 5671),
    api(Part::Swift, "spec.swift.template.swiftProxy", 8080),
    api(Part::Aodh, "spec.telemetry.template.autoscaling.aodh", 8042),
    api(Part::Cloudkitty, "spec.telemetry.template.cloudkitty.cloudKittyAPI", 8889),
    annotations("spec.telemetry.template.logging", "annotations", 10514),
    api(Part::Watcher, "spec.watcher.template.apiServiceTemplate", 9322),
];

/// Logging. The CRD has defaults for its annotations: a pool and an address that suit only one instance.
pub fn logging() -> FieldPath {
    FieldPath::new("spec.telemetry.template.logging")
}

/// The port of logging, which the control plane can change.
pub fn logging_port() -> FieldPath {
    logging().key("port")
}

/// The field with the type of the Service whose annotations are at a path. None for logging, which always has a
/// LoadBalancer. Without a type, the operators create a ClusterIP (lib-common's `NewService`).
pub fn type_beside(annotations: &FieldPath) -> Option<FieldPath> {
    if annotations.starts_with(&logging()) {
        return None;
    }
    let owner = annotations.clone().parent();
    let is_metadata = owner.last_key() == Some("metadata");
    Some(if is_metadata { owner.parent().key("spec").key("type") } else { owner.key("type") })
}

/// Whether a field belongs to RabbitMQ. Its clusters listen on the same ports, so they cannot share an address.
pub fn is_rabbitmq(path: &FieldPath) -> bool {
    path.starts_with(&FieldPath::new("spec.rabbitmq"))
}

/// The section of the control plane that contains a path, such as `spec.placement`. Most parts are deployed as soon
/// as their section exists.
pub fn section(path: &FieldPath) -> FieldPath {
    path.ancestors().nth(2).unwrap_or_default()
}

/// The parts that are disabled without `enabled: true`. All others are enabled by default.
const OFF_BY_DEFAULT: [&str; 12] = [
    "spec.designate",
    "spec.heat",
    "spec.horizon",
    "spec.ironic",
    "spec.manila",
    "spec.octavia",
    "spec.redis",
    "spec.telemetry.template.autoscaling",
    "spec.telemetry.template.cloudkitty",
    "spec.telemetry.template.logging",
    "spec.telemetry.template.metricStorage",
    "spec.watcher",
];

/// Whether a part is enabled if its section does not say so.
pub fn is_on_by_default(part: &FieldPath) -> bool {
    !OFF_BY_DEFAULT.contains(&&*part.to_string())
}

/// Whether the field at a path is deployed: its section exists, and no part on the path is disabled.
pub fn is_enabled(plane: &Resource, path: &FieldPath) -> Result<bool, Fault> {
    for (depth, part) in path.ancestors().enumerate() {
        if depth == 2 && !plane.has(&part)? {
            return Ok(false);
        }
        let default = is_on_by_default(&part);
        let switch = part.key("enabled");
        if !plane.value(&switch)?.map_or(default, |value| value.as_bool().unwrap_or(default)) {
            return Ok(false);
        }
    }
    Ok(true)
}
