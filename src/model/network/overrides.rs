//! The service overrides of a control plane: those that it has, and those that it could have.

use super::request::Request;
use super::services::{Origin, Service};
use crate::formats::ip::IpList;
use crate::krm::FieldPath;
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, World};
use crate::platform::service_overrides::{
    self, INTERNAL_POOL, Part, Port, SERVICE_OVERRIDES, ServiceOverride,
};
use crate::platform::{metallb, openstack};

/// An OpenStackControlPlane.
#[derive(Debug)]
pub struct ControlPlane {
    pub item: ItemId,
    pub namespace: Option<String>,
    /// The internal endpoints that it can have.
    pub endpoints: Vec<Endpoint>,
    /// Logging, if it is enabled and gets the annotations that are the CRD's default, with what these request.
    pub default_logging: Option<Service>,
}

/// An internal endpoint of a part of OpenStack.
#[derive(Debug)]
pub struct Endpoint {
    pub service_override: &'static ServiceOverride,
    pub part: Part,
    /// Whether the control plane has the section of the part.
    pub has_section: bool,
    /// The fields that can have the override, such as the APIs of Glance, sorted.
    pub owners: Vec<Owner>,
}

/// A field that can have a service override.
#[derive(Debug)]
pub struct Owner {
    pub path: FieldPath,
    pub is_enabled: bool,
    /// The type of the Service, if the override sets it.
    pub service_type: Option<String>,
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<ControlPlane> {
    let planes = world.of_kind(openstack::CONTROL_PLANE);
    planes
        .map(|(item, _)| read_control_plane(&mut ItemReader::new(item, world.get(item), misreads)))
        .collect()
}

fn read_control_plane(reader: &mut ItemReader<'_, '_>) -> ControlPlane {
    let known = SERVICE_OVERRIDES.iter().filter_map(|known| Some((known, known.part?)));
    ControlPlane {
        item: reader.item,
        namespace: reader.namespace(),
        endpoints: known.map(|(known, part)| read_endpoint(reader, known, part)).collect(),
        default_logging: default_logging(reader),
    }
}

fn read_endpoint(
    reader: &mut ItemReader<'_, '_>,
    service_override: &'static ServiceOverride,
    part: Part,
) -> Endpoint {
    let mut paths = match service_override.only_owner() {
        Some(owner) => vec![owner],
        None => reader.fields(&service_override.owners()),
    };
    // The order must not depend on the order of the keys, because kustomize sorts them.
    paths.sort();
    let owners = paths.into_iter().map(|path| Owner {
        is_enabled: is_enabled(reader, &path),
        service_type: reader.get(&service_override.type_of(&path)),
        path,
    });
    let owners = owners.collect();
    Endpoint {
        service_override,
        part,
        has_section: reader.non_null(&service_override.section()).is_some(),
        owners,
    }
}

fn default_logging(reader: &mut ItemReader<'_, '_>) -> Option<Service> {
    let logging = service_overrides::logging();
    let path = logging.clone().key("annotations");
    if !reader.non_null(&logging)?.is_object()
        || reader.non_null(&path).is_some()
        || !is_enabled(reader, &logging)
    {
        return None;
    }
    let known = SERVICE_OVERRIDES.iter().find(|known| known.only_owner().as_ref() == Some(&logging))?;
    let site = reader.site(path);
    let mut service = Service::without_annotations(site, reader.namespace(), Origin::Override(known));
    service.ports = ports(reader, &service.site.path, Some(known));
    service.request = Request {
        pool: Some(INTERNAL_POOL.to_owned()),
        sharing_key: Some(INTERNAL_POOL.to_owned()),
        addresses: service_overrides::usual_vips(INTERNAL_POOL).first().copied().map(IpList::one),
    };
    Some(service)
}

/// The annotations of all overrides that the control plane has.
pub(super) fn annotations(reader: &mut ItemReader<'_, '_>) -> Vec<(FieldPath, &'static ServiceOverride)> {
    let fields = |known: &'static ServiceOverride| {
        let paths = reader.fields(&known.annotations());
        paths.into_iter().map(move |path| (path, known))
    };
    SERVICE_OVERRIDES.iter().flat_map(fields).collect()
}

pub(super) fn is_enabled(reader: &mut ItemReader<'_, '_>, path: &FieldPath) -> bool {
    let read = service_overrides::is_enabled(reader.resource, path);
    reader.read(path, read).unwrap_or_default()
}

/// Whether the Service with these annotations is of type LoadBalancer.
pub(super) fn is_load_balancer(reader: &mut ItemReader<'_, '_>, annotations: &FieldPath) -> bool {
    let path = service_overrides::type_beside(annotations);
    path.is_none_or(|path| reader.get(&path).is_some_and(|kind: String| kind == metallb::LOAD_BALANCER))
}

/// The ports of the Service of an override. The port of logging can be configured.
pub(super) fn ports(
    reader: &mut ItemReader<'_, '_>,
    annotations: &FieldPath,
    known: Option<&ServiceOverride>,
) -> Vec<Port> {
    let configured = annotations.starts_with(&service_overrides::logging());
    let port: Option<u16> = configured.then(|| reader.get(&service_overrides::logging_port())).flatten();
    match port {
        Some(port) => vec![(port, "TCP")],
        None => known.map(ServiceOverride::ports).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::tests::{network, resource};

    const PLANE: &str = r"
apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: openstack, namespace: openstack}
spec:
  glance:
    template:
      glanceAPIs:
        edge: {}
        default:
          override: {service: {internal: {spec: {type: ClusterIP}}}}
  heat:
    template:
      heatAPI:
        override: {service: {internal: {metadata: {annotations: {metallb.io/address-pool: internalapi}}}}}
      heatEngine:
        override: {service: {internal: {metadata: {annotations: {metallb.io/address-pool: internalapi}}}}}
  telemetry:
    template:
      logging: {enabled: true, port: 601}
";

    #[test]
    fn a_control_plane_has_endpoints_whether_it_configures_them_or_not() {
        let (network, misreads) = network(&[resource(PLANE)]);
        assert!(misreads.is_empty(), "{misreads:?}");
        let endpoint = |part| network.control_planes[0].endpoints.iter().find(|e| e.part == part).unwrap();
        let glance: Vec<(String, Option<&str>)> = endpoint(Part::Glance)
            .owners
            .iter()
            .map(|owner| (owner.path.to_string(), owner.service_type.as_deref()))
            .collect();
        let path = |api: &str| format!("spec.glance.template.glanceAPIs.{api}");
        assert_eq!(glance, [(path("default"), Some("ClusterIP")), (path("edge"), None)]);
        assert!(endpoint(Part::Glance).owners[0].is_enabled);
        let keystone = endpoint(Part::Keystone);
        assert!(!keystone.has_section && keystone.owners.len() == 1 && !keystone.owners[0].is_enabled);
    }

    #[test]
    fn services_of_a_control_plane_come_from_overrides_of_the_crd() {
        let (network, _) = network(&[resource(PLANE)]);
        let found: Vec<(bool, bool)> = network
            .services
            .iter()
            .map(|service| (matches!(service.origin, Origin::Override(_)), service.is_deployed))
            .collect();
        // Heat is disabled by default, its engine has no Service, and neither sets the type LoadBalancer.
        assert_eq!(found, [(true, false), (false, false)]);
        assert_eq!(network.services[0].ports, [(8004, "TCP")]);
        assert!(!network.services[0].is_load_balancer);
    }

    #[test]
    fn logging_without_annotations_gets_the_default_of_the_crd() {
        let default = |text: &str| network(&[resource(text)]).0.control_planes.remove(0).default_logging;
        let logging = default(PLANE).unwrap();
        assert_eq!(logging.site.path.to_string(), "spec.telemetry.template.logging.annotations");
        assert_eq!(logging.ports, [(601, "TCP")]);
        let addresses = logging.request.addresses.as_ref().map(ToString::to_string);
        assert_eq!(
            (logging.request.pool.as_deref(), addresses.as_deref()),
            (Some("internalapi"), Some("172.17.0.80"))
        );
        assert!(logging.has_default_request() && logging.is_load_balancer);
        assert!(default(&PLANE.replace("port: 601", "annotations: {a: b}")).is_none());
        assert!(default(&PLANE.replace("enabled: true, port", "port")).is_none());
    }
}
