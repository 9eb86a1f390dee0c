//! The secrets of an OpenStack on OpenShift: which keys there are, what form their values have, and which
//! services of a control plane need them.

mod needs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::kubernetes;
use crate::krm::Object;

pub use needs::{DEFAULT_SECRET, NEEDS, Name, Need, When};

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
    /// What is wrong with a value, if anything. White space at the end does not count: the operators write
    /// these keys to the end of a line of INI.
    pub fn objection(self, value: &[u8]) -> Option<&'static str> {
        let value = if self == Form::Password { value } else { value.trim_ascii_end() };
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

impl Secret {
    /// The Secret in a namespace, without its values.
    pub fn object(&self, namespace: Option<&str>) -> Object {
        Object::new(kubernetes::SECRET, self.name).namespace(namespace).field("type", "Opaque")
    }
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

/// Words that people put where a password belongs.
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
pub fn is_word(value: &[u8]) -> bool {
    let value = value.trim_ascii().to_ascii_lowercase();
    WORDS.iter().any(|word| word.as_bytes() == value)
}

/// Values that are defaults of one key only.
pub const KNOWN_OF_KEY: [(&str, &str); 1] = [("KeystoneOIDCCryptoPassphrase", "openstack")];

/// Whether a value is a default that everybody knows. With a line break behind it, it is no less known.
pub fn is_known(key: &str, value: &[u8]) -> bool {
    let value = value.trim_ascii();
    KNOWN.iter().any(|known| known.as_bytes() == value)
        || KNOWN_OF_KEY.iter().any(|(of, known)| *of == key && known.as_bytes() == value)
}

/// Whether a key is one of those that operators read, and its value is a password.
pub fn is_password(key: &str) -> bool {
    let mut keys = SECRETS.iter().flat_map(|secret| secret.keys);
    keys.any(|known| known.name == key && known.form == Form::Password)
}

/// Whether a secret has one of the names that OpenStack's secrets have.
pub fn is_ours(name: &str) -> bool {
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
            assert_eq!(key.map(|key| key.form), Some(need.form), "{}", need.key);
        }
        for secret in &SECRETS {
            assert!(secret.keys.is_sorted_by_key(|key| key.name), "{}", secret.name);
        }
    }

    #[test]
    fn words_are_no_passwords() {
        assert!(is_word(b"openstack") && is_word(b"ChangeMe\n"));
        assert!(!is_word(b"openstack-1") && !is_word(b""));
        assert!(
            is_password("AdminPassword") && !is_password("HeatAuthEncryptionKey") && !is_password("user")
        );
    }

    #[test]
    fn values_have_a_form() {
        assert_eq!(Form::HeatKey.objection(&[b'x'; 32]), None);
        assert!(Form::HeatKey.objection(&[b'x'; 31]).is_some());
        assert_eq!(Form::HeatKey.objection(format!("{}\n", "x".repeat(32)).as_bytes()), None);
        assert_eq!(Form::KeyEncryptionKey.objection(KNOWN[3].as_bytes()), None);
        assert!(Form::KeyEncryptionKey.objection(KNOWN[2].as_bytes()).is_some());
        assert!(Form::Password.objection(b"").is_some());
    }
}
