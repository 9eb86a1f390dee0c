//! The secrets of an OpenStack on OpenShift: which keys there are, what form their values have, and which
//! services of a control plane need them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Any text; new ones are 16 random bytes in hex.
    Password,
    /// Exactly 32 characters: Heat takes them for the bytes of an AES key.
    HeatKey,
    /// 32 bytes in base64, for Barbican's simple crypto plug-in.
    KeyEncryptionKey,
}

impl Form {
    /// What is wrong with a value, if anything.
    pub fn objection(self, value: &[u8]) -> Option<&'static str> {
        match self {
            _ if value.is_empty() => Some("must not be empty"),
            Form::HeatKey if value.len() != 32 => Some("must have exactly 32 characters"),
            Form::KeyEncryptionKey if !STANDARD.decode(value).is_ok_and(|key| key.len() == 32) => {
                Some("must be 32 bytes in base64")
            }
            _ => None,
        }
    }
}

/// One key of a secret.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub form: Form,
}

const fn password(name: &'static str) -> Key {
    Key { name, form: Form::Password }
}

pub const OSP_SECRET: &str = "osp-secret";
pub const LIBVIRT_SECRET: &str = "libvirt-secret";
pub const OCTAVIA_CA_PASSPHRASE: &str = "octavia-ca-passphrase";

/// A secret and its keys.
#[derive(Debug)]
pub struct Secret {
    pub name: &'static str,
    pub keys: &'static [Key],
}

/// The secrets that `make input` of install_yamls makes.
pub const SECRETS: [Secret; 3] = [
    Secret {
        name: OSP_SECRET,
        keys: &[
            password("AdminPassword"),
            password("AodhPassword"),
            password("BarbicanPassword"),
            Key { name: "BarbicanSimpleCryptoKEK", form: Form::KeyEncryptionKey },
            password("CeilometerPassword"),
            password("CinderPassword"),
            password("CloudKittyPassword"),
            password("DatabasePassword"),
            password("DbRootPassword"),
            password("DesignatePassword"),
            password("GlancePassword"),
            Key { name: "HeatAuthEncryptionKey", form: Form::HeatKey },
            password("HeatPassword"),
            password("HeatStackDomainAdminPassword"),
            password("IronicInspectorPassword"),
            password("IronicPassword"),
            password("KeystoneOIDCClientSecret"),
            password("KeystoneOIDCCryptoPassphrase"),
            password("ManilaPassword"),
            password("MetadataSecret"),
            password("NeutronPassword"),
            password("NovaPassword"),
            password("OctaviaHeartbeatKey"),
            password("OctaviaPassword"),
            password("PlacementPassword"),
            password("SwiftPassword"),
            password("WatcherPassword"),
        ],
    },
    Secret { name: LIBVIRT_SECRET, keys: &[password("LibvirtPassword")] },
    Secret { name: OCTAVIA_CA_PASSPHRASE, keys: &[password("server-ca-passphrase")] },
];

/// Values that older releases of install_yamls and its documents have; everybody knows them.
pub const KNOWN: [&str; 5] = [
    "12345678",
    "1234567842",
    "767c3ed056cbaa3b9dfedb8c6f825bf0",
    "sEFmdFjDUqRM2VemYslV5yGNWjokioJXsg8Nrlc3drU=",
    "COX8bmlKAWn56XCGMrKQJj7dgHNAOl6f",
];

/// Values that are defaults of one key only.
pub const KNOWN_OF_KEY: [(&str, &str); 1] = [("KeystoneOIDCCryptoPassphrase", "openstack")];

/// Whether a value is a default that everybody knows. With a line break behind it, it is no less known.
pub fn is_known(key: &str, value: &[u8]) -> bool {
    let value = value.trim_ascii();
    KNOWN.iter().any(|known| known.as_bytes() == value)
        || KNOWN_OF_KEY.iter().any(|(of, known)| *of == key && known.as_bytes() == value)
}

/// Whether a secret has one of the names that OpenStack's secrets have.
pub fn is_ours(name: &str) -> bool {
    SECRETS.iter().any(|secret| secret.name == name)
}

/// Where the name of a secret comes from.
#[derive(Debug, Clone, Copy)]
pub enum Name {
    /// A field of the control plane; a `*` in it stands for each of several. Without it, `spec.secret`.
    Field(&'static str),
    /// A field whose default is `osp-secret`, whatever `spec.secret` says.
    OwnField(&'static str),
    Fixed(&'static str),
}

/// A key that a service of a control plane reads.
#[derive(Debug)]
pub struct Need {
    /// The part of the control plane that reads it.
    pub part: &'static str,
    pub secret: Name,
    /// The field that names the key.
    pub selector: Option<&'static str>,
    /// The key, when no field names it.
    pub key: &'static str,
    /// The key, when `passwordSelectors` is there but does not name it: the operator has two defaults.
    pub other_key: Option<&'static str>,
    pub form: Form,
}

macro_rules! need {
    ($service:literal, $selector:literal, $key:literal, $form:expr) => {
        Need {
            part: concat!("spec.", $service),
            secret: Name::Field(concat!("spec.", $service, ".template.secret")),
            selector: Some(concat!("spec.", $service, ".template.passwordSelectors.", $selector)),
            key: $key,
            other_key: None,
            form: $form,
        }
    };
    ($service:literal, $key:literal) => {
        need!($service, "service", $key, Form::Password)
    };
}

/// A service whose secret has a default of its own.
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
            key: $key,
            other_key: None,
            form: Form::Password,
        }
    };
}

/// What a control plane needs.
pub const NEEDS: [Need; 25] = [
    need!("keystone", "admin", "AdminPassword", Form::Password),
    own!("barbican", "BarbicanPassword"),
    Need {
        part: "spec.barbican",
        secret: Name::OwnField("spec.barbican.template.simpleCryptoBackendSecret"),
        selector: Some("spec.barbican.template.passwordSelectors.simplecryptokek"),
        key: "BarbicanSimpleCryptoKEK",
        other_key: Some("SimpleCryptoKEK"),
        form: Form::KeyEncryptionKey,
    },
    need!("cinder", "CinderPassword"),
    need!("designate", "DesignatePassword"),
    need!("glance", "GlancePassword"),
    need!("heat", "HeatPassword"),
    need!("heat", "authEncryptionKey", "HeatAuthEncryptionKey", Form::HeatKey),
    need!("heat", "stackDomainAdminPassword", "HeatStackDomainAdminPassword", Form::Password),
    need!("ironic", "IronicPassword"),
    Need {
        part: "spec.ironic",
        secret: Name::Field("spec.ironic.template.secret"),
        selector: Some("spec.ironic.template.ironicInspector.passwordSelectors.service"),
        key: "IronicInspectorPassword",
        other_key: None,
        form: Form::Password,
    },
    need!("manila", "ManilaPassword"),
    need!("neutron", "NeutronPassword"),
    need!("nova", "NovaPassword"),
    need!("nova", "metadataSecret", "MetadataSecret", Form::Password),
    need!("octavia", "OctaviaPassword"),
    Need {
        part: "spec.octavia",
        secret: Name::Field("spec.octavia.template.secret"),
        selector: None,
        key: "OctaviaHeartbeatKey",
        other_key: None,
        form: Form::Password,
    },
    need!("placement", "PlacementPassword"),
    Need {
        part: "spec.swift",
        secret: Name::OwnField("spec.swift.template.swiftProxy.secret"),
        selector: Some("spec.swift.template.swiftProxy.passwordSelectors.service"),
        key: "SwiftPassword",
        other_key: None,
        form: Form::Password,
    },
    own!("watcher", "WatcherPassword"),
    telemetry!("ceilometer", "", "ceilometerService", "CeilometerPassword"),
    telemetry!("autoscaling", ".aodh", "aodhService", "AodhPassword"),
    telemetry!("cloudkitty", "", "cloudKittyService", "CloudKittyPassword"),
    Need {
        part: "spec.galera",
        secret: Name::Field("spec.galera.templates.*.secret"),
        selector: None,
        key: "DbRootPassword",
        other_key: None,
        form: Form::Password,
    },
    Need {
        part: "spec.octavia",
        secret: Name::Fixed(OCTAVIA_CA_PASSPHRASE),
        selector: None,
        key: "server-ca-passphrase",
        other_key: None,
        form: Form::Password,
    },
];

/// The secret that a control plane reads unless a service says otherwise.
pub const DEFAULT_SECRET: &str = "spec.secret";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree() {
        assert_eq!(SECRETS[0].keys.len(), 27);
        for need in &NEEDS {
            let key = SECRETS.iter().flat_map(|secret| secret.keys).find(|key| key.name == need.key);
            assert_eq!(key.map(|key| key.form), Some(need.form), "{}", need.key);
        }
        for secret in &SECRETS {
            assert!(secret.keys.is_sorted_by_key(|key| key.name), "{}", secret.name);
        }
    }

    #[test]
    fn values_have_a_form() {
        assert_eq!(Form::HeatKey.objection(&[b'x'; 32]), None);
        assert!(Form::HeatKey.objection(&[b'x'; 31]).is_some());
        assert_eq!(Form::KeyEncryptionKey.objection(KNOWN[3].as_bytes()), None);
        assert!(Form::KeyEncryptionKey.objection(KNOWN[2].as_bytes()).is_some());
        assert!(Form::Password.objection(b"").is_some());
    }
}
