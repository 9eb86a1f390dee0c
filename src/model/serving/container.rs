//! The container that runs a model: its arguments and resources.

use serde_json::{Map, Value};

use super::arguments::Arguments;
use crate::krm::FieldPath;
use crate::model::item_reader::ItemReader;
use crate::model::{Site, Sited};
use crate::platform::serving;

/// A container, or the `model` of an InferenceService, which KServe merges into one.
#[derive(Debug, Clone)]
pub struct Container {
    pub site: Site,
    /// None if the image, or the runtime, determines the program.
    pub command: Option<Arguments>,
    /// None if it has no arguments of its own.
    pub arguments: Option<Arguments>,
    /// Whether its image or command names vLLM.
    pub names_vllm: bool,
    pub limits: Vec<Amount>,
    pub requests: Vec<Amount>,
}

/// An amount of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// `cpu`, `nvidia.com/gpu`.
    pub resource: String,
    /// As written: `4`, `12Gi`.
    pub value: Sited<String>,
}

impl Amount {
    /// The number of GPUs, if the resource is one that is counted as a whole.
    pub fn gpus(&self) -> Option<u64> {
        serving::is_whole_gpu(&self.resource).then(|| self.value.value.parse().ok()).flatten()
    }
}

impl Container {
    pub(super) fn read(path: &FieldPath, fields: &mut ItemReader<'_, '_>) -> Self {
        let own = |key: &'static str| path.clone().key(key);
        let image: String = fields.quiet(own("image")).value.unwrap_or_default();
        let command = Arguments::read(own("command"), fields);
        let words = command.iter().flat_map(|command| &command.words);
        Container {
            names_vllm: image.contains("vllm") || words.into_iter().any(|word| word.contains("vllm")),
            command,
            arguments: Arguments::read(own("args"), fields),
            limits: amounts(own("resources").key("limits"), fields),
            requests: amounts(own("resources").key("requests"), fields),
            site: fields.site(path.clone()),
        }
    }

    /// The container with this name, or the first one.
    pub(super) fn in_list(list: &FieldPath, name: &str, fields: &mut ItemReader<'_, '_>) -> Option<Self> {
        let containers: Vec<Map<String, Value>> = fields.get(list)?;
        let named =
            containers.iter().position(|container| container.get("name").is_some_and(|own| own == name));
        let index = named.or((!containers.is_empty()).then_some(0))?;
        Some(Self::read(&list.clone().index(index), fields))
    }

    /// The GPUs that it requests: the limit, because Kubernetes requires the request to be equal.
    pub fn gpus(&self) -> Option<&Amount> {
        self.limits.iter().chain(&self.requests).find(|amount| amount.gpus().is_some())
    }
}

fn amounts(path: FieldPath, fields: &mut ItemReader<'_, '_>) -> Vec<Amount> {
    let amounts: Map<String, Value> = fields.get(&path).unwrap_or_default();
    let read = |(resource, value): (&String, &Value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let site = fields.site(path.clone()).key(resource.clone());
        Some(Amount { resource: resource.clone(), value: Sited { value: text, site } })
    };
    amounts.iter().filter_map(read).collect()
}
