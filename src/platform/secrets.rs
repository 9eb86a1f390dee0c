//! The secrets of an OpenStack deployment on OpenShift: their keys, the formats of their values, and the services that
//! read them.

mod needs;
pub mod paths;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::kubernetes;
use crate::krm::Object;

pub use needs::{DEFAULT_SECRET, NEEDS, Name, Need, SECRET_FIELD, When};

/// The format of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueFormat {
    /// Any text. New passwords are 16 random bytes in hex.
    Password,
    /// Exactly 32 characters, which Heat uses as the bytes of an AES key.
    HeatKey,
    /// 32 bytes in base64, for Barbican's simple crypto plug-in.
    KeyEncryptionKey,
}

impl ValueFormat {
    /// What is wrong with a value, if anything. Trailing white space of a key does not matter, because the operators
    /// write it to the end of a line of INI.
    pub fn objection(self, value: &[u8]) -> Option<&'static str> {
        let value = if self == ValueFormat::Password { value } else { value.trim_ascii_end() };
        match self {
            _ if value.is_empty() => Some("must not be empty"),
            ValueFormat::HeatKey if value.len() != 32 => Some("must have exactly 32 characters"),
            ValueFormat::KeyEncryptionKey if !is_fernet_key(value) => Some("must be 32 bytes in base64"),
            _ => None,
        }
    }
}

/// Whether Python's Fernet accepts a key. It generates keys in the alphabet for URLs, and reads both.
fn is_fernet_key(value: &[u8]) -> bool {
    let standard = |byte: &u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => *byte,
    };
    let value: Vec<u8> = value.iter().map(standard).collect();
    STANDARD.decode(value).is_ok_and(|key| key.len() == 32)
}

/// One key of a secret.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub format: ValueFormat,
}

const fn password(name: &'static str) -> Key {
    Key { name, format: ValueFormat::Password }
}

pub const OSP_SECRET: &str = "osp-secret";
pub const LIBVIRT_SECRET: &str = "libvirt-secret";
pub const LIBVIRT_KEY: &str = "LibvirtPassword";
pub const OCTAVIA_CA_PASSPHRASE: &str = "octavia-ca-passphrase";

/// A secret and its keys.
#[derive(Debug)]
pub struct Secret {
    pub name: &'static str,
    pub keys: &'static [Key],
}

impl Secret {
    /// The Secret in a namespace, without its values.
    pub fn object(&self, namespace: Option<&str>) -> Object {
        Object::new(kubernetes::SECRET, self.name).namespace(namespace).field("type", "Opaque")
    }
}

/// The secrets that `make input` of install_yamls creates.
pub static SECRETS: [Secret; 3] = [
    Secret {
        name: OSP_SECRET,
        keys: &[
            password("AdminPassword"),
            password("AodhPassword"),
            password("BarbicanPassword"),
            Key { name: "BarbicanSimpleCryptoKEK", format: ValueFormat::KeyEncryptionKey },
            password("CeilometerPassword"),
            password("CinderPassword"),
            password("CloudKittyPassword"),
            password("DatabasePassword"),
            password("DbRootPassword"),
            password("DesignatePassword"),
            password("GlancePassword"),
            Key { name: "HeatAuthEncryptionKey", format: ValueFormat::HeatKey },
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
    Secret { name: LIBVIRT_SECRET, keys: &[password(LIBVIRT_KEY)] },
    Secret { name: OCTAVIA_CA_PASSPHRASE, keys: &[password("server-ca-passphrase")] },
];

/// Default values in older releases of install_yamls and its documentation.
const PUBLISHED: [&str; 5] = [
    "12345678",
    "1234567842",
    "767c3ed056cbaa3b9dfedb8c6f825bf0",
    "sEFmdFjDUqRM2VemYslV5yGNWjokioJXsg8Nrlc3drU=",
    "COX8bmlKAWn56XCGMrKQJj7dgHNAOl6f",
];

/// Words that people use as passwords.
const WORDS: [&str; 16] = [
    "123456",
    "123456789",
    "admin",
    "changeme",
    "default",
    "devstack",
    "letmein",
    "nomoresecret",
    "openstack",
    "passw0rd",
    "password",
    "redhat",
    "rhoso",
    "secret",
    "stack",
    "test",
];

/// Whether a value is a word that an attacker tries first.
pub fn is_well_known_word(value: &[u8]) -> bool {
    let value = value.trim_ascii().to_ascii_lowercase();
    WORDS.iter().any(|word| word.as_bytes() == value)
}

/// Default values of one key.
const PUBLISHED_OF_KEY: [(&str, &str); 1] = [("KeystoneOIDCCryptoPassphrase", "openstack")];

/// Whether a value is a published default, with or without white space around it.
pub fn is_published_default(key: &str, value: &[u8]) -> bool {
    let value = value.trim_ascii();
    PUBLISHED.iter().any(|default| default.as_bytes() == value)
        || PUBLISHED_OF_KEY.iter().any(|(of, default)| *of == key && default.as_bytes() == value)
}

/// Whether operators read a password from this key.
pub fn is_password(key: &str) -> bool {
    let mut keys = SECRETS.iter().flat_map(|secret| secret.keys);
    keys.any(|known| known.name == key && known.format == ValueFormat::Password)
}

/// Whether this is the name of one of OpenStack's secrets.
pub fn is_openstack_secret(name: &str) -> bool {
    SECRETS.iter().any(|secret| secret.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree() {
        assert_eq!(SECRETS[0].keys.len(), 27);
        for need in &NEEDS {
            let key = SECRETS.iter().flat_map(|secret| secret.keys).find(|key| key.name == need.key);
            assert_eq!(key.map(|key| key.format), Some(need.format), "{}", need.key);
        }
        for secret in &SECRETS {
            assert!(secret.keys.is_sorted_by_key(|key| key.name), "{}", secret.name);
        }
    }

    #[test]
    fn well_known_words_are_recognised() {
        assert!(is_well_known_word(b"openstack") && is_well_known_word(b"ChangeMe\n"));
        assert!(!is_well_known_word(b"openstack-1") && !is_well_known_word(b""));
        assert!(
            is_password("AdminPassword") && !is_password("HeatAuthEncryptionKey") && !is_password("user")
        );
    }

    #[test]
    fn values_have_a_format() {
        assert_eq!(ValueFormat::HeatKey.objection(&[b'x'; 32]), None);
        assert!(ValueFormat::HeatKey.objection(&[b'x'; 31]).is_some());
        assert_eq!(ValueFormat::HeatKey.objection(format!("{}\n", "x".repeat(32)).as_bytes()), None);
        assert_eq!(ValueFormat::KeyEncryptionKey.objection(PUBLISHED[3].as_bytes()), None);
        assert!(ValueFormat::KeyEncryptionKey.objection(PUBLISHED[2].as_bytes()).is_some());
        assert!(ValueFormat::Password.objection(b"").is_some());
    }
}
