//! The keys that the services of a control plane read, and what happens without them.
//!
//! From the defaults of the CRDs (`passwordSelectors`) and the operators' controllers, 18.0 FR1 to main of August 2026.
//! Each controller calls VerifySecret with the key of its service user, and stops if it is missing. Comments name the
//! source of each exception.

use super::{OCTAVIA_CA_PASSPHRASE, ValueFormat};

/// Where the name of a secret comes from.
#[derive(Debug, Clone, Copy)]
pub enum Name {
    /// A field of the control plane that defaults to `spec.secret`.
    Field(&'static str),
    /// A field that defaults to `osp-secret`, whatever the value of `spec.secret` is.
    OwnField(&'static str),
    Fixed(&'static str),
    /// The field `secret` of each owner. If it is missing, older releases read `spec.secret`.
    Each {
        owners: &'static str,
        unnamed: &'static str,
    },
}

/// When an enabled service reads a key.
#[derive(Debug, Clone, Copy)]
pub enum When {
    Always,
    /// Unless this number is 0.
    NotZero(&'static str),
    /// If this list has the value, or is missing.
    Lists(&'static str, &'static str),
}

/// A key that a service of a control plane reads.
#[derive(Debug)]
pub struct Need {
    /// The part of the control plane that reads it.
    pub part: &'static str,
    pub secret: Name,
    /// The field that names the key.
    pub selector: Option<&'static str>,
    /// The key if no field names it.
    pub key: &'static str,
    /// The key if `passwordSelectors` exists but does not name it, for an operator with two defaults.
    pub other_key: Option<&'static str>,
    pub format: ValueFormat,
    pub when: When,
    /// What happens without the key, if the service starts without it.
    pub without: Option<&'static str>,
}

macro_rules! need {
    ($service:literal, $selector:literal, $key:literal, $format:expr) => {
        Need {
            part: concat!("spec.", $service),
            secret: Name::Field(concat!("spec.", $service, ".template.secret")),
            selector: Some(concat!("spec.", $service, ".template.passwordSelectors.", $selector)),
            key: $key,
            other_key: None,
            format: $format,
            when: When::Always,
            without: None,
        }
    };
    ($service:literal, $key:literal) => {
        need!($service, "service", $key, ValueFormat::Password)
    };
}

/// A service whose secret does not default to `spec.secret`.
macro_rules! own {
    ($service:literal, $key:literal) => {
        Need {
            secret: Name::OwnField(concat!("spec.", $service, ".template.secret")),
            ..need!($service, $key)
        }
    };
}

macro_rules! telemetry {
    ($part:literal, $below:literal, $selector:literal, $key:literal) => {
        Need {
            part: concat!("spec.telemetry.template.", $part),
            secret: Name::OwnField(concat!("spec.telemetry.template.", $part, $below, ".secret")),
            selector: Some(concat!(
                "spec.telemetry.template.",
                $part,
                $below,
                ".passwordSelector.",
                $selector
            )),
            ..need!("telemetry", $key)
        }
    };
}

/// What the services of a control plane need.
pub static NEEDS: [Need; 26] = [
    need!("keystone", "admin", "AdminPassword", ValueFormat::Password),
    // keystone-operator internal/keystone/bootstrap.go and keystoneapi_controller.go read this key and ignore the
    // selector.
    Need { selector: None, ..need!("keystone", "AdminPassword") },
    own!("barbican", "BarbicanPassword"),
    // barbican-operator internal/controller/barbican_controller.go: only for the simple crypto back end.
    Need {
        secret: Name::OwnField("spec.barbican.template.simpleCryptoBackendSecret"),
        other_key: Some("SimpleCryptoKEK"),
        when: When::Lists("spec.barbican.template.enabledSecretStores", "simple_crypto"),
        ..need!("barbican", "simplecryptokek", "BarbicanSimpleCryptoKEK", ValueFormat::KeyEncryptionKey)
    },
    need!("cinder", "CinderPassword"),
    need!("designate", "DesignatePassword"),
    need!("glance", "GlancePassword"),
    need!("heat", "HeatPassword"),
    // heat-operator refuses fewer than 32 characters, Heat itself (heat/common/config.py) more.
    need!("heat", "authEncryptionKey", "HeatAuthEncryptionKey", ValueFormat::HeatKey),
    // heat-operator internal/controller/heat_controller.go, ensureStackDomain.
    Need {
        without: Some("heat-operator gives the administrator of stack domains the password of the service"),
        ..need!("heat", "stackDomainAdminPassword", "HeatStackDomainAdminPassword", ValueFormat::Password)
    },
    need!("ironic", "IronicPassword"),
    // ironic-operator internal/controller/ironic_controller.go: no inspector without replicas.
    Need {
        selector: Some("spec.ironic.template.ironicInspector.passwordSelectors.service"),
        when: When::NotZero("spec.ironic.template.ironicInspector.replicas"),
        ..need!("ironic", "IronicInspectorPassword")
    },
    need!("manila", "ManilaPassword"),
    need!("neutron", "NeutronPassword"),
    need!("nova", "NovaPassword"),
    need!("nova", "metadataSecret", "MetadataSecret", ValueFormat::Password),
    need!("octavia", "OctaviaPassword"),
    // octavia-operator internal/controller/amphoracontroller_controller.go writes the value to octavia.conf without a
    // check.
    Need {
        selector: None,
        without: Some("Octavia signs the heartbeats of its amphorae with an empty key"),
        ..need!("octavia", "OctaviaHeartbeatKey")
    },
    need!("placement", "PlacementPassword"),
    Need {
        secret: Name::OwnField("spec.swift.template.swiftProxy.secret"),
        selector: Some("spec.swift.template.swiftProxy.passwordSelectors.service"),
        ..need!("swift", "SwiftPassword")
    },
    own!("watcher", "WatcherPassword"),
    telemetry!("ceilometer", "", "ceilometerService", "CeilometerPassword"),
    telemetry!("autoscaling", ".aodh", "aodhService", "AodhPassword"),
    telemetry!("cloudkitty", "", "cloudKittyService", "CloudKittyPassword"),
    // openstack-operator d1867946 (FR6) no longer copies `spec.secret` to the databases, and mariadb-operator
    // internal/controller/galera_controller.go then generates the password.
    Need {
        secret: Name::Each {
            owners: "spec.galera.templates.*",
            unnamed: "operators older than 18.0 FR6 wait, and later ones generate the password",
        },
        selector: None,
        ..need!("galera", "DbRootPassword")
    },
    // octavia-operator internal/octavia/amphora_certs.go: the secret must exist, the key need not.
    Need {
        secret: Name::Fixed(OCTAVIA_CA_PASSPHRASE),
        selector: None,
        without: Some("octavia-operator does not encrypt the private key of its certificate authority"),
        ..need!("octavia", "server-ca-passphrase")
    },
];

/// The field with the name of the secret that the services share.
pub const DEFAULT_SECRET: &str = "spec.secret";

/// The field of an owner with the name of its secret.
pub const SECRET_FIELD: &str = "secret";
