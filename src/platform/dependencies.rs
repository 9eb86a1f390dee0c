//! Which parts of OpenStack require which others, as openstack-operator's webhook checks them (`checkDepsEnabled` in
//! openstackcontrolplane_webhook.go).

use crate::krm::FieldPath;

/// A part of OpenStack that can be enabled.
#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
pub struct Part {
    /// What users call it.
    pub name: &'static str,
    /// Its section of the control plane.
    section: &'static str,
}

impl Part {
    pub fn section(self) -> FieldPath {
        FieldPath::new(self.section)
    }
}

const GALERA: Part = Part { name: "Galera", section: "spec.galera" };
const MEMCACHED: Part = Part { name: "Memcached", section: "spec.memcached" };
const RABBITMQ: Part = Part { name: "RabbitMQ", section: "spec.rabbitmq" };
const KEYSTONE: Part = Part { name: "Keystone", section: "spec.keystone" };
const PLACEMENT: Part = Part { name: "Placement", section: "spec.placement" };
const NEUTRON: Part = Part { name: "Neutron", section: "spec.neutron" };
const GLANCE: Part = Part { name: "Glance", section: "spec.glance" };
const NOVA: Part = Part { name: "Nova", section: "spec.nova" };
const CINDER: Part = Part { name: "Cinder", section: "spec.cinder" };
const HEAT: Part = Part { name: "Heat", section: "spec.heat" };
const HORIZON: Part = Part { name: "Horizon", section: "spec.horizon" };
const SWIFT: Part = Part { name: "Swift", section: "spec.swift" };
const BARBICAN: Part = Part { name: "Barbican", section: "spec.barbican" };
const OCTAVIA: Part = Part { name: "Octavia", section: "spec.octavia" };
const WATCHER: Part = Part { name: "Watcher", section: "spec.watcher" };
const TELEMETRY: Part = Part { name: "Telemetry", section: "spec.telemetry" };
const AUTOSCALING: Part = Part { name: "autoscaling", section: "spec.telemetry.template.autoscaling" };
const CEILOMETER: Part = Part { name: "Ceilometer", section: "spec.telemetry.template.ceilometer" };
const METRIC_STORAGE: Part =
    Part { name: "metric storage", section: "spec.telemetry.template.metricStorage" };

/// Each part with what it requires. A part is before those that are inside it. The webhook also lists RabbitMQ and Keystone
/// for CloudKitty, but never asks for them (openstack-operator 84322c77), so it rejects nothing.
pub static REQUIREMENTS: &[(Part, &[Part])] = &[
    (KEYSTONE, &[GALERA, MEMCACHED, RABBITMQ]),
    (GLANCE, &[GALERA, MEMCACHED, KEYSTONE]),
    (PLACEMENT, &[GALERA, MEMCACHED, KEYSTONE]),
    (HORIZON, &[GALERA, MEMCACHED, KEYSTONE]),
    (CINDER, &[GALERA, MEMCACHED, RABBITMQ, KEYSTONE]),
    (NEUTRON, &[GALERA, MEMCACHED, RABBITMQ, KEYSTONE]),
    (HEAT, &[GALERA, MEMCACHED, RABBITMQ, KEYSTONE]),
    (NOVA, &[GALERA, MEMCACHED, RABBITMQ, KEYSTONE, PLACEMENT, NEUTRON, GLANCE]),
    (SWIFT, &[MEMCACHED, KEYSTONE]),
    (BARBICAN, &[GALERA, KEYSTONE]),
    (OCTAVIA, &[GALERA, MEMCACHED, RABBITMQ, KEYSTONE, NEUTRON, GLANCE, NOVA]),
    (AUTOSCALING, &[GALERA, HEAT, RABBITMQ, KEYSTONE]),
    (CEILOMETER, &[RABBITMQ, KEYSTONE]),
    (WATCHER, &[GALERA, MEMCACHED, RABBITMQ, KEYSTONE, TELEMETRY, CEILOMETER, METRIC_STORAGE]),
];
