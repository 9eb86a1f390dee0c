//! NetworkAttachmentDefinitions: how pods get interfaces and addresses in additional networks.

use super::cni::{self, Config};
use crate::model::fields::{Reading, STRICT};
use crate::model::{ItemId, Misread, World};
use crate::platform::network::ATTACHMENT;
use crate::platform::network::attachment::CONFIG;

#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    pub item: ItemId,
    pub namespace: Option<String>,
    pub name: String,
    /// Empty if Multus looks for it on the node.
    pub config: Config,
}

pub fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Attachment> {
    let mut found = Vec::new();
    for (item, resource) in world.of_kind(ATTACHMENT) {
        let reading = Reading::new(item, resource, STRICT);
        let config =
            reading.section("spec", |spec| spec.get(CONFIG).and_then(cni::config)).unwrap_or_default();
        misreads.extend(reading.finish().0);
        let id = resource.id();
        found.push(Attachment { item, namespace: id.namespace.clone(), name: id.name.clone(), config });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing;

    fn attachment(spec: &str) -> (Config, Vec<String>) {
        let head = "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: octavia, namespace: openstack}\n";
        let (mut found, misreads) = testing::read(&format!("{head}{spec}"), read);
        let found = found.remove(0);
        assert_eq!((found.namespace.as_deref(), found.name.as_str()), (Some("openstack"), "octavia"));
        (found.config, misreads)
    }

    #[test]
    fn the_configuration_may_be_on_the_node() {
        for spec in ["", "spec: {}\n", "spec: {config: null}\n"] {
            assert_eq!(attachment(spec), (Config::default(), Vec::new()));
        }
    }

    #[test]
    fn a_config_that_is_not_json_is_a_misread_of_the_field() {
        for (spec, misread) in [
            ("{config: _replaced_}", "spec.config: it is not JSON: expected value at line 1 column 1"),
            ("{config: {type: macvlan}}", "spec.config: must be a string, but is a mapping"),
            ("text", "spec: must be a mapping, but is a string"),
        ] {
            assert_eq!(attachment(&format!("spec: {spec}\n")), (Config::default(), vec![misread.to_owned()]));
        }
    }
}
