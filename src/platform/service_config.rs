//! The fields of an OpenStackControlPlane with oslo.config text, `customServiceConfig`, and what users call the services
//! that read them.

use crate::krm::{FieldPath, FieldPattern};

/// The field of a service, or of a part of one, with its configuration.
pub const FIELD: &str = "customServiceConfig";

/// A service whose configuration users can write.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigPlace {
    /// What users call the service. Two places share a name if the service can be configured at either.
    pub name: &'static str,
    /// The owner of the field. `*` is one of several, by name.
    owner: &'static str,
    /// The name of the project in the table of options.
    pub project: &'static str,
}

impl ConfigPlace {
    /// The owner, if there can be only one.
    pub fn only_owner(&self) -> Option<FieldPath> {
        (!self.owner.contains('*')).then(|| FieldPath::new(self.owner))
    }

    /// The texts of all owners.
    pub fn texts(&self) -> FieldPattern {
        FieldPattern::new(self.owner).join(&FieldPath::new(FIELD))
    }

    /// The section of the control plane that contains the place, such as `spec.glance`.
    pub fn section(&self) -> FieldPath {
        let end = self.owner.match_indices('.').nth(1).map_or(self.owner.len(), |(at, _)| at);
        FieldPath::new(&self.owner[..end])
    }

    /// The field as the manual shows it, with `*` for any name.
    pub fn written(&self) -> String {
        format!("{}.{FIELD}", self.owner)
    }

    /// Whether each of Nova's cells has one.
    pub fn is_in_cells(&self) -> bool {
        self.owner.starts_with(CELL)
    }

    /// The path from a cell, or from the control plane for other places.
    fn below_base(&self) -> &'static str {
        self.owner.strip_prefix(CELL).map_or(self.owner, |below| below.trim_start_matches('.'))
    }

    /// The mapping or list of the owners, from a cell or from the control plane. None if there is only one owner.
    pub fn collection(&self) -> Option<FieldPath> {
        let (collection, _) = self.below_base().split_once(['*'])?;
        Some(FieldPath::new(collection.trim_end_matches(['.', '['])))
    }

    /// The owner in a cell, if a cell has only one.
    pub fn owner_in(&self, cell: FieldPath) -> FieldPath {
        cell.join(&FieldPath::new(self.below_base()))
    }

    /// Whether the webhook allows it in cell0, which has no compute nodes.
    pub fn is_in_first_cell(&self) -> bool {
        self.owner.ends_with(".conductorServiceTemplate")
    }
}

/// A cell of Nova.
const CELL: &str = "spec.nova.template.cellTemplates.*";

const fn place(name: &'static str, owner: &'static str, project: &'static str) -> ConfigPlace {
    ConfigPlace { name, owner, project }
}

/// Every place, by name (CRD of openstack-operator 84322c77). Galera and Horizon have a field of the same name whose text
/// is not oslo.config.
pub static PLACES: [ConfigPlace; 57] = [
    place("aodh", "spec.telemetry.template.autoscaling.aodh", "aodh"),
    place("barbican", "spec.barbican.template", "barbican"),
    place("barbican-api", "spec.barbican.template.barbicanAPI", "barbican"),
    place("barbican-keystone-listener", "spec.barbican.template.barbicanKeystoneListener", "barbican"),
    place("barbican-worker", "spec.barbican.template.barbicanWorker", "barbican"),
    place("ceilometer", "spec.telemetry.template.ceilometer", "ceilometer"),
    place("cinder", "spec.cinder.template", "cinder"),
    place("cinder-api", "spec.cinder.template.cinderAPI", "cinder"),
    place("cinder-backup", "spec.cinder.template.cinderBackup", "cinder"),
    place("cinder-backup", "spec.cinder.template.cinderBackups.*", "cinder"),
    place("cinder-scheduler", "spec.cinder.template.cinderScheduler", "cinder"),
    place("cinder-volume", "spec.cinder.template.cinderVolumes.*", "cinder"),
    place("cloudkitty", "spec.telemetry.template.cloudkitty", "cloudkitty"),
    place("cloudkitty-api", "spec.telemetry.template.cloudkitty.cloudKittyAPI", "cloudkitty"),
    place("cloudkitty-proc", "spec.telemetry.template.cloudkitty.cloudKittyProc", "cloudkitty"),
    place("designate", "spec.designate.template", "designate"),
    place("designate-api", "spec.designate.template.designateAPI", "designate"),
    place("designate-backendbind9", "spec.designate.template.designateBackendbind9", "designate"),
    place("designate-central", "spec.designate.template.designateCentral", "designate"),
    place("designate-mdns", "spec.designate.template.designateMdns", "designate"),
    place("designate-producer", "spec.designate.template.designateProducer", "designate"),
    place("designate-unbound", "spec.designate.template.designateUnbound", "designate"),
    place("designate-worker", "spec.designate.template.designateWorker", "designate"),
    place("glance", "spec.glance.template", "glance"),
    place("glance-api", "spec.glance.template.glanceAPIs.*", "glance"),
    place("heat", "spec.heat.template", "heat"),
    place("heat-api", "spec.heat.template.heatAPI", "heat"),
    place("heat-cfn-api", "spec.heat.template.heatCfnAPI", "heat"),
    place("heat-engine", "spec.heat.template.heatEngine", "heat"),
    place("ironic", "spec.ironic.template", "ironic"),
    place("ironic-api", "spec.ironic.template.ironicAPI", "ironic"),
    place("ironic-conductor", "spec.ironic.template.ironicConductors[*]", "ironic"),
    place("ironic-inspector", "spec.ironic.template.ironicInspector", "ironic-inspector"),
    place("ironic-neutron-agent", "spec.ironic.template.ironicNeutronAgent", "ironic-neutron-agent"),
    place("keystone", "spec.keystone.template", "keystone"),
    place("manila", "spec.manila.template", "manila"),
    place("manila-api", "spec.manila.template.manilaAPI", "manila"),
    place("manila-scheduler", "spec.manila.template.manilaScheduler", "manila"),
    place("manila-share", "spec.manila.template.manilaShares.*", "manila"),
    place("neutron", "spec.neutron.template", "neutron"),
    place("nova-api", "spec.nova.template.apiServiceTemplate", "nova"),
    place("nova-compute-ironic", "spec.nova.template.cellTemplates.*.novaComputeTemplates.*", "nova"),
    place("nova-conductor", "spec.nova.template.cellTemplates.*.conductorServiceTemplate", "nova"),
    place("nova-metadata", "spec.nova.template.metadataServiceTemplate", "nova"),
    place("nova-metadata", "spec.nova.template.cellTemplates.*.metadataServiceTemplate", "nova"),
    place("nova-no-vnc-proxy", "spec.nova.template.cellTemplates.*.noVNCProxyServiceTemplate", "nova"),
    place("nova-scheduler", "spec.nova.template.schedulerServiceTemplate", "nova"),
    place("octavia", "spec.octavia.template", "octavia"),
    place("octavia-api", "spec.octavia.template.octaviaAPI", "octavia"),
    place("octavia-health-manager", "spec.octavia.template.octaviaHealthManager", "octavia"),
    place("octavia-housekeeping", "spec.octavia.template.octaviaHousekeeping", "octavia"),
    place("octavia-worker", "spec.octavia.template.octaviaWorker", "octavia"),
    place("placement", "spec.placement.template", "placement"),
    place("watcher", "spec.watcher.template", "watcher"),
    place("watcher-api", "spec.watcher.template.apiServiceTemplate", "watcher"),
    place("watcher-applier", "spec.watcher.template.applierServiceTemplate", "watcher"),
    place("watcher-decisionengine", "spec.watcher.template.decisionengineServiceTemplate", "watcher"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_alphabetical_order_and_differ() {
        assert!(PLACES.is_sorted_by_key(|place| place.name));
        let mut owners: Vec<&str> = PLACES.iter().map(|place| place.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        assert_eq!(owners.len(), PLACES.len());
    }

    #[test]
    fn a_section_is_the_service_in_the_control_plane() {
        let section = |name: &str| {
            PLACES.iter().find(|place| place.name == name).map(|place| place.section().to_string())
        };
        assert_eq!(section("placement").as_deref(), Some("spec.placement"));
        assert_eq!(section("cloudkitty-api").as_deref(), Some("spec.telemetry"));
    }
}
