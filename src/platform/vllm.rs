//! The flags of vLLM's server.

use super::tables;

/// The number of GPUs that share a model.
pub const TENSOR_PARALLEL_SIZE: &str = "tensor-parallel-size";

/// The flags whose product is the number of GPUs that vLLM uses.
pub const PARALLEL_SIZES: [&str; 3] = [TENSOR_PARALLEL_SIZE, "pipeline-parallel-size", "data-parallel-size"];

/// Chooses how vLLM starts its workers. With Ray, they may run on other nodes.
pub const DISTRIBUTED_EXECUTOR: &str = "distributed-executor-backend";

/// The values of that flag that use one node.
pub const SAME_NODE: [&str; 2] = ["mp", "uni"];

/// Names a file with more flags.
pub const CONFIG: &str = "config";

/// The name that vLLM's own ServingRuntimes use for the format of models.
pub const MODEL_FORMAT: &str = "vLLM";

/// A flag, by its name without dashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagFacts {
    pub name: &'static str,
    pub kind: FlagKind,
    /// The allowed values, separated by commas. Empty if any value is allowed, or if releases differ.
    choices: &'static str,
    /// Other spellings, separated by commas: `-tp`, `no-`.
    spellings: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagKind {
    /// Has no value. `--no-…` is its negation, if [`FlagFacts::has_negation`].
    Bool,
    Int,
    Float,
    Text,
    Json,
    /// Has several values, each a word of its own.
    List,
}

impl FlagFacts {
    fn parse(line: &'static str) -> Option<Self> {
        let mut columns = line.split('\t');
        let name = columns.next().filter(|name| !name.is_empty() && !name.starts_with('#'))?;
        let kind = match columns.next()? {
            "bool" => FlagKind::Bool,
            "int" => FlagKind::Int,
            "float" => FlagKind::Float,
            "json" => FlagKind::Json,
            "list" => FlagKind::List,
            _ => FlagKind::Text,
        };
        let choices = columns.next().unwrap_or_default();
        Some(FlagFacts { name, kind, choices, spellings: columns.next().unwrap_or_default() })
    }

    pub fn choices(self) -> impl Iterator<Item = &'static str> {
        self.choices.split(',').filter(|choice| !choice.is_empty())
    }

    fn spellings(self) -> impl Iterator<Item = &'static str> {
        self.spellings.split(',')
    }

    /// Whether `--no-…` turns the flag off.
    pub fn has_negation(self) -> bool {
        self.spellings().any(|spelling| spelling == "no-")
    }

    /// The release that removed the flag.
    pub fn removed_in(self) -> Option<&'static str> {
        self.spellings().find_map(|spelling| spelling.strip_prefix('<'))
    }

    fn is_spelt(self, word: &str) -> bool {
        !["", "no-"].contains(&word) && self.spellings().any(|spelling| spelling == word)
    }
}

/// Every flag, by name.
pub fn flags() -> impl Iterator<Item = FlagFacts> {
    tables::vllm_flags().lines().filter_map(FlagFacts::parse)
}

/// The flag with this name, without dashes: `max-model-len`. Also accepts other spellings: `max_model_len`, `-tp`.
pub fn flag(name: &str) -> Option<FlagFacts> {
    let name = name.replace('_', "-");
    flags().find(|flag| flag.name == name).or_else(|| flags().find(|flag| flag.is_spelt(&name)))
}

/// The flag of a negation without dashes: `enable-prefix-caching` for `no-enable-prefix-caching`.
pub fn negated(name: &str) -> Option<FlagFacts> {
    let positive = name.replace('_', "-").strip_prefix("no-").and_then(flag);
    positive.filter(|flag| flag.has_negation())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_found_by_each_spelling() {
        for name in ["tensor-parallel-size", "tensor_parallel_size", "-tp"] {
            let found = flag(name).unwrap();
            assert_eq!((found.name, found.kind), (TENSOR_PARALLEL_SIZE, FlagKind::Int), "{name}");
        }
        assert_eq!(negated("no-enable-prefix-caching").unwrap().name, "enable-prefix-caching");
        assert_eq!(negated("no-max-model-len"), None);
        assert_eq!((flag("no-"), flag(""), flag("max-model-length")), (None, None, None));
        assert_eq!(flag("device").unwrap().removed_in(), Some("0.10.0"));
        assert!(flag("dtype").unwrap().choices().any(|choice| choice == "bfloat16"));
    }
}
