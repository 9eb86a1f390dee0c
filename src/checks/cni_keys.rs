//! Misspelt keys in the CNI configuration of network attachments. All others may be those of another version.

use super::{rules, typo};
use crate::krm::{Hint, Resource, Results};
use crate::model::network::Network;

/// Reports keys that plugins ignore, and that are almost those that they know.
pub fn cni_keys(network: &Network, items: &[Resource], results: &mut Results) {
    for unknown in network.attachments.iter().flat_map(|attachment| &attachment.config.unknown_keys) {
        let name = &unknown.key.value;
        if let Some(meant) = typo::meant(name, unknown.missing.iter().copied()) {
            let hint = Hint::of(Some(meant)).suffix();
            let message = format!("there is no key `{name}`, so the plugin ignores it{hint}");
            results.error(&rules::UNKNOWN_OPTION, message).at(unknown.key.site.location(items));
        }
    }
}
