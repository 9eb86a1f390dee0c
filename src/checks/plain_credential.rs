//! Credentials outside Secrets. No message and no report shows one.

use super::rules;
use crate::formats::placeholder;
use crate::krm::{FieldPath, Kind, Resource, Results};
use crate::platform::credentials::{self, Credential};
use crate::platform::dataplane::DEPLOYMENT;
use crate::platform::kubernetes::CONFIG_MAP;
use crate::platform::openstack::{CONTROL_PLANE, NODE_SET};

/// The kinds that are stored and shown like any other object, unlike Secrets.
const KINDS: [Kind; 4] = [CONFIG_MAP, CONTROL_PLANE, DEPLOYMENT, NODE_SET];

/// Reports credentials in clear text.
pub fn plain_credential(items: &[Resource], results: &mut Results) {
    for item in items.iter().filter(|item| KINDS.iter().any(|kind| item.is(*kind))) {
        if !credentials::may_occur_in(item.text()) {
            continue;
        }
        let mut found: Vec<(FieldPath, Credential)> = Vec::new();
        item.visit_leaves(&mut |leaf| {
            let keys: Vec<&str> = leaf.keys().collect();
            let credential = credentials::find(&keys, leaf.text).filter(|_| !leaf.is_key);
            if let Some((credential, _)) = credential.filter(|(_, value)| is_literal(value)) {
                found.push((FieldPath::from_steps(leaf.steps()), credential));
            }
        });
        for (field, credential) in found {
            let advice = if item.is(NODE_SET) {
                "put it into a Secret and list that in `ansibleVarsFrom`"
            } else {
                "put it into a Secret"
            };
            let message = format!("{} is in clear text here; {advice}", name(credential));
            results.warning(&rules::PLAIN_CREDENTIAL, message).field(item, &field).hide_source();
        }
    }
}

/// Whether a string is a value, and not a reference to one, a placeholder, or an encrypted value.
fn is_literal(value: &str) -> bool {
    let value = value.trim();
    let is_reference = value.contains("{{") || value.starts_with(['$', '<']);
    !value.is_empty() && !is_reference && !placeholder::is_in(value)
}

fn name(credential: Credential) -> &'static str {
    match credential {
        Credential::RegistryLogin => "the password of a container registry",
        Credential::SubscriptionPassword => "the password of a Red Hat account",
        Credential::ActivationKey => "an activation key",
        Credential::LoginPassword => "the password with which Ansible logs in",
        Credential::PrivateKey => "a private key",
    }
}
