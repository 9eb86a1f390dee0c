//! The control planes of the instances: copies of a template, the addresses of their services, and the bridge of
//! provider networks.

use std::collections::HashSet;

use super::instance_spec::ControlPlaneSpec;
use super::plan::{Instance, instance_path};
use super::templates::{self, TemplateField};
use super::{Fleet, Only};
use crate::checks::rules;
use crate::functions::copies;
use crate::functions::prefix_address_pools::services::{self, GeneratedPool, InstanceServices};
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::model::network::{self, Network};
use crate::model::{Misread, World};
use crate::platform::metallb::Annotation;
use crate::platform::network_plan::NetworkName;
use crate::platform::openstack::{self, CONTROL_PLANE};

impl Fleet {
    /// Copies of the template for instances without a control plane.
    pub fn copied_control_planes(&self, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        let name = self.control_plane.template.as_deref().filter(|_| self.only != Only::Nodes);
        let Some(name) = name else { return Ok(Vec::new()) };
        let field = TemplateField { kind: CONTROL_PLANE, name, path: "spec.controlPlane.template" };
        let template = self.find_template(field, given)?;
        let without = self.without(CONTROL_PLANE, given);
        if without.is_empty() {
            return Ok(Vec::new());
        }
        let mut base = copies::copy(template)?;
        if let Some(namespace) = &template.id().namespace {
            remove_prefix(&mut base, namespace)?;
        }
        without.into_iter().map(|instance| templates::copy_to(&base, instance)).collect()
    }

    /// Gives the services of the control planes addresses in the pools of their instance, and adds the bridge.
    pub fn update_control_planes(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let rendered: HashSet<&str> = self.rendered().map(|instance| instance.namespace.as_str()).collect();
        let is_rendered = |item: &Resource| {
            item.id().namespace.as_deref().is_some_and(|namespace| rendered.contains(namespace))
        };
        let any_plane = items.iter().any(|item| item.is(CONTROL_PLANE) && is_rendered(item));
        self.check_ensure(any_plane, results);
        let (network, misreads) = network::read_services(&World::new(items));
        self.update_services(&network, &misreads, items, results)?;
        if results.has_errors() {
            return Ok(());
        }
        for plane in &network.control_planes {
            let owner =
                self.rendered().find(|instance| Some(&instance.namespace) == plane.namespace.as_ref());
            if owner.is_some_and(|instance| instance.has_datacentre) {
                add_bridge(&self.bridge, plane.item.get_mut(items))?;
            }
        }
        Ok(())
    }

    fn update_services(
        &self,
        network: &Network,
        misreads: &[Misread],
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let with_services: HashSet<&str> = network
            .services
            .iter()
            .filter_map(|service| service.namespace.as_deref())
            .chain(network.control_planes.iter().filter_map(|plane| plane.namespace.as_deref()))
            .collect();
        let own = self.rendered().filter(|instance| with_services.contains(instance.namespace.as_str()));
        let services: Vec<InstanceServices> = own.map(|instance| self.services_of(instance)).collect();
        services::update(&services, network, misreads, items, results)
    }

    fn services_of(&self, instance: &Instance) -> InstanceServices {
        let networks = instance_path(instance.position).key("networks");
        let pools = instance.pooled().map(|(network, range)| {
            let name = network.name.to_string();
            GeneratedPool { range, field: networks.clone().key(name.clone()).key("pool"), name }
        });
        let ControlPlaneSpec { template, ensure } = &self.control_plane;
        InstanceServices::new(&instance.namespace, pools.collect(), ensure.clone(), template.clone())
    }

    fn check_ensure(&self, any_plane: bool, results: &mut Results) {
        if !self.control_plane.ensure.is_empty() && !any_plane && self.only != Only::Nodes {
            let message =
                "no instance has an OpenStackControlPlane among the resources, so `ensure` has no effect";
            let path = FieldPath::new("spec.controlPlane.ensure");
            results.error(&rules::NO_MATCH, message).in_config(path);
        }
    }
}

/// Removes the prefix of the template's instance from the pools and sharing keys of a copy, so that they get their own.
fn remove_prefix(copy: &mut Resource, namespace: &str) -> Result<(), Fault> {
    let (network, _) = network::read_services(&World::new(std::slice::from_ref(copy)));
    for service in &network.services {
        let names = [Annotation::AddressPool, Annotation::AllowSharedIp];
        for line in service.annotations.iter().filter(|line| names.contains(&line.annotation)) {
            let base = line.value.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('-'));
            let is_network = |base: &&str| NetworkName::ALL.iter().any(|name| name.as_str() == *base);
            if let Some(base) = base.filter(is_network) {
                let key = line.annotation.key(line.domain);
                copy.set(&service.site.path.clone().key(key), base)?;
            }
        }
    }
    Ok(())
}

/// Maps the physical network of provider networks to the bridge, unless the control plane maps it itself.
fn add_bridge(bridge: &str, plane: &mut Resource) -> Result<(), Fault> {
    let template = plane.value(&openstack::ovn_template())?;
    if !template.is_some_and(|template| template.is_object()) {
        return Ok(());
    }
    let path = openstack::nic_mappings().key(NetworkName::Datacentre.as_str());
    match plane.value(&path)?.filter(|there| !there.is_null()) {
        Some(_) => Ok(()),
        None => plane.set(&path, bridge),
    }
}
