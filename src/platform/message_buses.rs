//! The fields of a control plane that name a RabbitMQ cluster. Since Feature Release 5 of RHOSO 18.0, each part has
//! `messagingBus` and `notificationsBus`; the webhook of openstack-operator moves the values of the former fields there
//! (`migrateDeprecatedFields`). The CRDs before that release have only the former fields.

use crate::krm::{FieldPath, FieldPattern};

/// The first release with the current fields.
pub const FIRST_RELEASE: &str = "RHOSO 18.0 Feature Release 5";

const MESSAGING: &str = "messagingBus";
const NOTIFICATIONS: &str = "notificationsBus";

/// The fields for the whole control plane.
pub fn top_level() -> [FieldPath; 2] {
    [MESSAGING, NOTIFICATIONS].map(|bus| FieldPath::new("spec").key(bus))
}

/// The RabbitMQ cluster of a bus.
pub fn cluster(bus: FieldPath) -> FieldPath {
    bus.key("cluster")
}

/// The user of a bus.
pub fn user(bus: FieldPath) -> FieldPath {
    bus.key("user")
}

/// The bus of a Nova cell.
pub fn of_cell(cell: FieldPath) -> FieldPath {
    cell.key(MESSAGING)
}

/// The former field with the RabbitMQ cluster of a Nova cell.
pub fn former_of_cell(cell: FieldPath) -> FieldPath {
    cell.key("cellMessageBusInstance")
}

/// The RabbitMQ cluster of a Nova cell that names none. cell0 shares the one of the API.
pub fn default_of_cell(cell: &str) -> String {
    format!("rabbitmq-{cell}")
}

/// The same for the CRDs before [`FIRST_RELEASE`], which have one default for all cells.
pub const FORMER_DEFAULT_OF_CELL: &str = "rabbitmq";

/// A deprecated field.
#[derive(Debug, PartialEq, Eq)]
pub struct DeprecatedField {
    /// The owner of the field. `*` is one of several, by name.
    owner: &'static str,
    pub name: &'static str,
    /// The bus of the same owner that replaces it.
    bus: &'static str,
}

impl DeprecatedField {
    pub fn owners(&self) -> FieldPattern {
        FieldPattern::new(self.owner)
    }

    /// The bus that replaces the field of an owner.
    pub fn bus(&self, owner: FieldPath) -> FieldPath {
        owner.key(self.bus)
    }

    /// The field that replaces this one, from their common owner.
    pub fn successor(&self) -> FieldPath {
        cluster(FieldPath::new(self.bus))
    }
}

const fn rabbitmq(owner: &'static str, bus: &'static str) -> DeprecatedField {
    DeprecatedField { owner, name: "rabbitMqClusterName", bus }
}

const fn notifications(owner: &'static str) -> DeprecatedField {
    DeprecatedField { owner, name: "notificationsBusInstance", bus: NOTIFICATIONS }
}

pub static DEPRECATED: &[DeprecatedField] = &[
    notifications("spec"),
    rabbitmq("spec.barbican.template", MESSAGING),
    rabbitmq("spec.cinder.template", MESSAGING),
    notifications("spec.cinder.template"),
    rabbitmq("spec.designate.template", MESSAGING),
    rabbitmq("spec.heat.template", MESSAGING),
    rabbitmq("spec.ironic.template", MESSAGING),
    rabbitmq("spec.ironic.template.ironicNeutronAgent", MESSAGING),
    rabbitmq("spec.keystone.template", NOTIFICATIONS),
    rabbitmq("spec.manila.template", MESSAGING),
    notifications("spec.manila.template"),
    rabbitmq("spec.neutron.template", MESSAGING),
    notifications("spec.neutron.template"),
    DeprecatedField { owner: "spec.nova.template", name: "apiMessageBusInstance", bus: MESSAGING },
    notifications("spec.nova.template"),
    DeprecatedField {
        owner: "spec.nova.template.cellTemplates.*",
        name: "cellMessageBusInstance",
        bus: MESSAGING,
    },
    rabbitmq("spec.octavia.template", MESSAGING),
    rabbitmq("spec.swift.template.swiftProxy", NOTIFICATIONS),
    rabbitmq("spec.telemetry.template.autoscaling.aodh", NOTIFICATIONS),
    rabbitmq("spec.telemetry.template.ceilometer", NOTIFICATIONS),
    rabbitmq("spec.telemetry.template.cloudkitty", MESSAGING),
    rabbitmq("spec.watcher.template", MESSAGING),
    notifications("spec.watcher.template"),
];
