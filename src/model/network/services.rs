//! Services of type LoadBalancer, and the overrides in control planes from which operators create such Services.

use serde_json::{Map, Value};

use super::overrides;
use super::request::{AnnotationLine, Conflict, Request};
use crate::formats::ip::IpList;
use crate::krm::{FieldPath, FieldPattern};
use crate::model::item_reader::ItemReader;
use crate::model::{Misread, Site, World};
use crate::platform::metallb::{self, Annotation, Domain};
use crate::platform::service_overrides::{self, Port, ServiceOverride};
use crate::platform::{kubernetes, openstack};

/// A Service, or a part of a control plane that becomes one.
#[derive(Debug, Clone)]
pub struct Service {
    /// Where its annotations are, or would be.
    pub site: Site,
    pub namespace: Option<String>,
    pub origin: Origin,
    /// What its annotations request. An annotation that is in conflict requests nothing.
    pub request: Request,
    /// The annotations for MetalLB that are known, have a value and are not in conflict.
    pub annotations: Vec<AnnotationLine>,
    pub conflicts: Vec<Conflict>,
    /// The keys that are meant for MetalLB but that MetalLB does not know.
    pub unknown_keys: Vec<String>,
    /// The ports that are known.
    pub ports: Vec<Port>,
    /// Whether a cluster has the Service: its part of the control plane is enabled.
    pub is_deployed: bool,
    /// Whether its type is LoadBalancer. MetalLB ignores all other Services.
    pub is_load_balancer: bool,
    /// RabbitMQ clusters listen on the same ports, so they cannot share an address.
    pub is_rabbitmq: bool,
    /// The domain of its first annotation. New annotations get the same one.
    pub domain: Domain,
    /// Whether it uses the deprecated field `spec.loadBalancerIP`.
    pub has_load_balancer_ip: bool,
}

/// Where a service comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Service,
    Override(&'static ServiceOverride),
    /// Annotations of a control plane in a field that reaches no Service.
    NoOverride,
    /// Annotations of a values file, which kustomize copies into a control plane, perhaps to several Services.
    Values,
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Service> {
    let mut services = Vec::new();
    for (item, resource) in world.items() {
        if resource.is(openstack::CONTROL_PLANE) {
            read_control_plane(&mut ItemReader::new(item, world.get(item), misreads), &mut services);
        } else if resource.is(kubernetes::SERVICE) {
            services.extend(read_service(&mut ItemReader::new(item, world.get(item), misreads)));
        }
    }
    services
}

/// The services of a control plane, in document order.
fn read_control_plane(reader: &mut ItemReader<'_, '_>, services: &mut Vec<Service>) {
    let spec = FieldPath::new("spec");
    let mut found = Vec::new();
    find_annotations(&reader.non_null(&spec).unwrap_or_default(), spec, &mut found);
    if found.is_empty() {
        return;
    }
    let overrides = overrides::annotations(reader);
    for (path, keys) in found {
        let known = overrides.iter().find(|(other, _)| *other == path).map(|(_, known)| *known);
        // Other fields may have keys that only resemble those of MetalLB.
        if known.is_none() && !keys.iter().any(|key| metallb::names_metallb(key)) {
            continue;
        }
        let origin = known.map_or(Origin::NoOverride, Origin::Override);
        let mut service = Service::without_annotations(reader.site(path), reader.namespace(), origin);
        service.is_deployed = known.is_some() && overrides::is_enabled(reader, &service.site.path);
        service.is_load_balancer = overrides::is_load_balancer(reader, &service.site.path);
        service.ports = overrides::ports(reader, &service.site.path, known);
        service.read_annotations(&keys, reader);
        services.push(service);
    }
}

/// Every `annotations` with a key for MetalLB, and these keys, in document order. Labels and selectors may
/// have such keys too. Returns the path, so that it is not copied for every field.
fn find_annotations(
    value: &Value,
    mut path: FieldPath,
    found: &mut Vec<(FieldPath, Vec<String>)>,
) -> FieldPath {
    match value {
        Value::Object(map) => {
            if path.last_key() == Some("annotations") {
                let keys = keys_for_metallb(map);
                found.extend((!keys.is_empty()).then(|| (path.clone(), keys)));
            }
            for (key, value) in map.iter().filter(|(_, value)| value.is_object() || value.is_array()) {
                path = find_annotations(value, path.key(key.clone()), found).parent();
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                path = find_annotations(value, path.index(index), found).parent();
            }
        }
        _ => {}
    }
    path
}

pub(super) fn keys_for_metallb(annotations: &Map<String, Value>) -> Vec<String> {
    annotations.keys().filter(|key| metallb::is_for_metallb(key)).cloned().collect()
}

/// Reads a Service of type LoadBalancer. None for other types.
fn read_service(reader: &mut ItemReader<'_, '_>) -> Option<Service> {
    let kind: String = reader.get(&kubernetes::service_type())?;
    if kind != metallb::LOAD_BALANCER {
        return None;
    }
    let path = kubernetes::annotations();
    let annotations: Map<String, Value> = reader.get(&path).unwrap_or_default();
    let mut service = Service::without_annotations(reader.site(path), reader.namespace(), Origin::Service);
    service.ports = ports(reader);
    service.has_load_balancer_ip = reader.non_null(&kubernetes::load_balancer_ip()).is_some();
    service.read_annotations(&keys_for_metallb(&annotations), reader);
    Some(service)
}

fn ports(reader: &mut ItemReader<'_, '_>) -> Vec<Port> {
    let mut ports = Vec::new();
    for path in reader.fields(&FieldPattern::each_of(&kubernetes::service_ports())) {
        let protocol: Option<String> = reader.get(&path.clone().key("protocol"));
        let protocol = match protocol.as_deref() {
            Some("UDP") => "UDP",
            Some("SCTP") => "SCTP",
            _ => "TCP",
        };
        ports.extend(reader.get(&path.key("port")).map(|port| (port, protocol)));
    }
    ports
}

impl Service {
    /// A service that requests nothing yet.
    pub fn without_annotations(site: Site, namespace: Option<String>, origin: Origin) -> Self {
        Service {
            namespace,
            request: Request::default(),
            annotations: Vec::new(),
            conflicts: Vec::new(),
            unknown_keys: Vec::new(),
            ports: match origin {
                Origin::Override(known) => known.ports(),
                Origin::Service | Origin::NoOverride | Origin::Values => Vec::new(),
            },
            is_deployed: true,
            is_load_balancer: true,
            is_rabbitmq: service_overrides::is_rabbitmq(&site.path),
            domain: Domain::Deprecated,
            has_load_balancer_ip: false,
            site,
            origin,
        }
    }

    pub(super) fn read_annotations(&mut self, keys: &[String], reader: &mut ItemReader<'_, '_>) {
        for key in keys {
            let Some((annotation, domain)) = Annotation::parse(key) else {
                self.unknown_keys.push(key.clone());
                continue;
            };
            // MetalLB ignores an annotation without a value.
            let value = reader.text(&self.site.path.clone().key(key.clone())).unwrap_or_default();
            if value.is_empty() {
                continue;
            }
            let second = AnnotationLine { annotation, domain, value };
            let mut same = self.annotations.iter().filter(|line| line.annotation == annotation);
            if let Some(first) = same.find(|line| line.value != second.value) {
                self.conflicts.push(Conflict { first: first.clone(), second: second.clone() });
            }
            self.annotations.push(second);
        }
        let conflicts = &self.conflicts;
        self.annotations.retain(|line| !conflicts.iter().any(|c| c.first.annotation == line.annotation));
        self.domain = self.annotations.first().map_or(self.domain, |line| line.domain);
        let value = |annotation| self.line(annotation).map(|line| line.value.clone());
        let addresses = value(Annotation::LoadBalancerIps).and_then(|text| {
            reader.parsed(&self.site_of(Annotation::LoadBalancerIps).path, &text, IpList::parse(&text))
        });
        self.request = Request {
            pool: value(Annotation::AddressPool),
            sharing_key: value(Annotation::AllowSharedIp),
            addresses,
        };
    }

    /// Whether the CRD's defaults request something, and not annotations.
    pub fn has_default_request(&self) -> bool {
        self.annotations.is_empty() && self.request != Request::default()
    }

    /// Whether it has annotations that are meant for MetalLB.
    pub fn is_for_metallb(&self) -> bool {
        !(self.annotations.is_empty() && self.conflicts.is_empty() && self.unknown_keys.is_empty())
    }

    fn line(&self, annotation: Annotation) -> Option<&AnnotationLine> {
        self.annotations.iter().find(|line| line.annotation == annotation)
    }

    /// The site of an annotation if the service has it, or else that of all annotations.
    pub fn site_of(&self, annotation: Annotation) -> Site {
        match self.line(annotation) {
            Some(line) => self.site.clone().key(annotation.key(line.domain)),
            None => self.site.clone(),
        }
    }

    /// Whether it has an annotation in a domain.
    pub fn uses(&self, domain: Domain) -> bool {
        self.annotations.iter().any(|line| line.domain == domain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::tests::{network, resource};

    const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  namespace: x\n  annotations: {}\nspec:\n  type: LoadBalancer\n  ports: [{port: 53, protocol: UDP}, {port: 80}]\n";

    #[test]
    fn a_service_requests_what_its_annotations_say() {
        let annotations = "{metallb.io/address-pool: p, metallb.universe.tf/loadBalancerIPs: \"10.0.0.1, fd00::1\", metallb.io/allow-shared-ip: \"\", metallb.io/LoadBalancerIPs: 10.0.0.2, other: z}";
        let (network, misreads) = network(&[resource(&SERVICE.replace("{}", annotations))]);
        assert!(misreads.is_empty(), "{misreads:?}");
        let service = &network.services[0];
        let addresses = Some(IpList::parse("10.0.0.1,fd00::1").unwrap());
        assert_eq!(service.request, Request { pool: Some("p".to_owned()), sharing_key: None, addresses });
        assert_eq!(service.unknown_keys, ["metallb.io/LoadBalancerIPs"]);
        assert_eq!(service.ports, [(53, "UDP"), (80, "TCP")]);
        assert_eq!((service.domain, service.is_deployed), (Domain::Current, true));
        let path = service.site_of(Annotation::LoadBalancerIps).path.to_string();
        assert_eq!(path, "metadata.annotations[metallb.universe.tf/loadBalancerIPs]");
        assert_eq!(service.site_of(Annotation::AllowSharedIp), service.site);
    }

    #[test]
    fn annotations_in_conflict_request_nothing() {
        let annotations = "{metallb.universe.tf/address-pool: p, metallb.io/address-pool: q, metallb.io/allow-shared-ip: k, metallb.universe.tf/allow-shared-ip: k}";
        let (network, _) = network(&[resource(&SERVICE.replace("{}", annotations))]);
        let service = &network.services[0];
        let values: Vec<(&str, &str)> =
            service.conflicts.iter().map(|c| (c.first.value.as_str(), c.second.value.as_str())).collect();
        assert_eq!(values, [("p", "q")]);
        assert_eq!(
            (service.request.pool.as_deref(), service.request.sharing_key.as_deref()),
            (None, Some("k"))
        );
        assert_eq!(service.annotations.len(), 2);
    }

    #[test]
    fn an_address_that_cannot_be_read_is_a_misread_of_its_service() {
        let annotations = "{metallb.io/loadBalancerIPs: 10.0.0.300}";
        let (network, misreads) = network(&[resource(&SERVICE.replace("{}", annotations))]);
        assert_eq!(misreads.len(), 1);
        let service = network.service_at(&misreads[0].site).unwrap();
        assert_eq!((service.request.addresses.as_ref(), service.is_for_metallb()), (None, true));
        let other = Site::new(misreads[0].site.item, FieldPath::new("spec.type"));
        assert!(network.service_at(&other).is_none());
    }

    #[test]
    fn only_load_balancers_are_services() {
        let cluster_ip = SERVICE.replace("LoadBalancer", "ClusterIP");
        let old = format!("{SERVICE}  loadBalancerIP: 10.0.0.1\n");
        let (network, _) = network(&[resource(&cluster_ip), resource(&old)]);
        assert_eq!(network.services.len(), 1);
        assert!(network.services[0].has_load_balancer_ip && !network.services[0].is_for_metallb());
    }
}
