//! Where the pods of a model may run.

use serde_json::{Map, Value};

use crate::krm::FieldPath;
use crate::model::item_reader::ItemReader;
use crate::model::machines::Toleration;
use crate::model::{Site, Sited};

/// The tolerations and node labels of a pod.
#[derive(Debug, Clone)]
pub struct Pod {
    /// The part of the resource that has the fields of a pod.
    pub site: Site,
    pub tolerations: Vec<Sited<Toleration>>,
    /// Labels that a node must have.
    pub node_selector: Vec<Sited<(String, String)>>,
}

impl Pod {
    pub(super) fn read(path: FieldPath, fields: &mut ItemReader<'_, '_>) -> Self {
        let list = path.clone().key("tolerations");
        let tolerations: Vec<Map<String, Value>> = fields.get(&list).unwrap_or_default();
        let labels = path.clone().key("nodeSelector");
        let selector: Map<String, Value> = fields.get(&labels).unwrap_or_default();
        let sited = |(index, map): (usize, &Map<String, Value>)| {
            let site = fields.site(list.clone().index(index));
            Sited { value: Toleration::read(map), site }
        };
        let label = |(key, value): (&String, &Value)| {
            let pair = (key.clone(), value.as_str()?.to_owned());
            Some(Sited { value: pair, site: fields.site(labels.clone().key(key.clone())) })
        };
        Pod {
            tolerations: tolerations.iter().enumerate().map(sited).collect(),
            node_selector: selector.iter().filter_map(label).collect(),
            site: fields.site(path),
        }
    }
}
