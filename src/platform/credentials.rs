//! Where node sets, ConfigMaps and control planes contain credentials.

use crate::formats::pem;

/// A credential that belongs in a Secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    RegistryLogin,
    SubscriptionPassword,
    ActivationKey,
    LoginPassword,
    PrivateKey,
}

/// The variable with the logins of container registries: registry, then user, then password.
const REGISTRY_LOGINS: &str = "edpm_container_registry_logins";

/// Variables with the password of a Red Hat account: those of the documentation, and of older roles.
const SUBSCRIPTION_PASSWORDS: [&str; 2] = ["subscription_manager_password", "rhsm_password"];

/// The variable with an activation key in older roles.
const ACTIVATION_KEY: &str = "rhsm_activation_key";

/// Variables of the role `rhc`, which contain a password or activation keys.
const RHC: [&str; 2] = ["rhc_auth", "rhc_proxy"];

/// Variables with which Ansible logs in to a host.
const LOGIN_PASSWORDS: [&str; 4] =
    ["ansible_password", "ansible_ssh_pass", "ansible_become_password", "ansible_become_pass"];

/// Options of `subscription-manager register`, `rhc connect` and `podman login`.
const OPTIONS: [(&str, Credential); 3] = [
    ("--password", Credential::SubscriptionPassword),
    ("--activationkey", Credential::ActivationKey),
    ("--activation-key", Credential::ActivationKey),
];

/// The programs whose options are credentials.
const PROGRAMS: [(&str, Option<Credential>); 3] = [
    ("subscription-manager", None),
    ("rhc connect", None),
    ("podman login", Some(Credential::RegistryLogin)),
];

/// Whether a text may contain a credential. It may be a whole document, which need not be searched otherwise.
pub fn may_occur_in(text: &str) -> bool {
    pem::may_occur_in(text)
        || [REGISTRY_LOGINS, "rhc_", "rhsm_", "subscription", "ansible_", "podman login", "rhc connect"]
            .iter()
            .any(|word| text.contains(word))
}

/// The credential in a string, with its value, which may be a reference to a variable. `keys` are the keys of its
/// field, from the root.
pub fn find<'t>(keys: &[&str], text: &'t str) -> Option<(Credential, &'t str)> {
    if pem::has_private_key(text) {
        return Some((Credential::PrivateKey, "a key"));
    }
    let name = keys.last()?;
    let of_field = if keys.contains(&REGISTRY_LOGINS) {
        Some(Credential::RegistryLogin)
    } else if SUBSCRIPTION_PASSWORDS.contains(name) {
        Some(Credential::SubscriptionPassword)
    } else if *name == ACTIVATION_KEY {
        Some(Credential::ActivationKey)
    } else if LOGIN_PASSWORDS.contains(name) {
        Some(Credential::LoginPassword)
    } else if keys.iter().any(|key| RHC.contains(key)) {
        match *name {
            "password" => Some(Credential::SubscriptionPassword),
            "keys" => Some(Credential::ActivationKey),
            _ => None,
        }
    } else {
        None
    };
    of_field.map(|credential| (credential, text)).or_else(|| in_command(text))
}

/// The first credential among the arguments of a command.
fn in_command(text: &str) -> Option<(Credential, &str)> {
    let (_, of_program) = PROGRAMS.iter().find(|(program, _)| text.contains(program))?;
    for (option, credential) in OPTIONS {
        let arguments = text.match_indices(option).map(|(at, _)| &text[at + option.len()..]);
        if let Some(value) = arguments.filter_map(|rest| rest.strip_prefix(['=', ' '])).next() {
            let value = value.trim_start_matches([' ', '"', '\'']);
            let value = value.split(['\n', '"', '\'']).next().unwrap_or_default();
            // A reference to a variable contains spaces.
            let end =
                if value.starts_with("{{") { value.len() } else { value.find(' ').unwrap_or(value.len()) };
            return Some((of_program.unwrap_or(credential), &value[..end]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_found_by_their_field() {
        let kind = |keys: &[&str]| find(keys, "x").map(|(credential, _)| credential);
        assert_eq!(
            kind(&["edpm_container_registry_logins", "quay.io", "me"]),
            Some(Credential::RegistryLogin)
        );
        assert_eq!(kind(&["data", "rhsm_password"]), Some(Credential::SubscriptionPassword));
        assert_eq!(kind(&["rhc_auth", "login", "password"]), Some(Credential::SubscriptionPassword));
        assert_eq!(kind(&["rhc_auth", "login", "username"]), None);
        assert_eq!(kind(&["rhc_auth", "activation_keys", "keys"]), Some(Credential::ActivationKey));
        assert_eq!(kind(&["ansible_become_pass"]), Some(Credential::LoginPassword));
        assert_eq!(kind(&["edpm_sshd_password_authentication"]), None);
        assert_eq!(kind(&["template", "password"]), None);
    }

    #[test]
    fn credentials_are_found_in_commands() {
        let found =
            |command: &str| find(&["edpm_bootstrap_command"], command).map(|(_, value)| value.to_owned());
        let register =
            |options: &str| found(&format!("set -e\nsubscription-manager register {options}\ndnf update\n"));
        assert_eq!(register("--username me --password hunter2"), Some("hunter2".to_owned()));
        assert_eq!(register("--password='hunter2' --force"), Some("hunter2".to_owned()));
        assert_eq!(register("--password \"{{ p }}\" --force"), Some("{{ p }}".to_owned()));
        assert_eq!(register("--org 1 --activationkey key"), Some("key".to_owned()));
        assert_eq!(register("--password-file x"), None);
        assert_eq!(found("podman login quay.io -u me --password hunter2"), Some("hunter2".to_owned()));
        assert_eq!(found("mysql --password hunter2"), None);
    }
}
