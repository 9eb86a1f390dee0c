//! The arguments of a container as flags: `--a=b`, `--a b`, `--a`, `--no-a`, `-tp 2`.

use crate::krm::FieldPath;
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Site};
use crate::platform::vllm::{self, FlagFacts, FlagKind};

/// The `args` of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// The list.
    pub site: Site,
    /// The elements of the list.
    pub words: Vec<String>,
    /// Its flags, in order.
    pub flags: Vec<Flag>,
}

/// A flag in a list of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// The name without dashes, as vLLM spells it: `max-model-len` for `--max_model_len`, `tensor-parallel-size` for
    /// `-tp`, and `enable-prefix-caching` for `--no-enable-prefix-caching`.
    pub name: String,
    /// As written, without the value: `--max_model_len`.
    pub spelt: String,
    pub value: FlagValue,
    /// The position of the flag in the list.
    pub index: usize,
    /// How many elements of the list the flag has, with its values.
    pub length: usize,
    /// What vLLM knows about it.
    pub facts: Option<FlagFacts>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlagValue {
    /// `--a`
    On,
    /// `--no-a`
    Off,
    /// `--a=b`
    Joined(String),
    /// `--a b`. A list has several.
    Separate(Vec<String>),
}

impl FlagValue {
    /// The value as text: `true` and `false` for boolean flags.
    pub fn text(&self) -> String {
        match self {
            FlagValue::On => "true".to_owned(),
            FlagValue::Off => "false".to_owned(),
            FlagValue::Joined(value) => value.clone(),
            FlagValue::Separate(values) => values.join(" "),
        }
    }
}

impl Arguments {
    pub(super) fn read(path: FieldPath, fields: &mut ItemReader<'_, '_>) -> Option<Self> {
        let words = fields.names(&path).ok().flatten()?.into_iter().map(|word| word.value).collect();
        Some(Self::new(fields.item, path, words))
    }

    fn new(item: ItemId, path: FieldPath, words: Vec<String>) -> Self {
        let flags = parse(&words);
        Arguments { site: Site::new(item, path), words, flags }
    }

    /// Where a flag is.
    pub fn site_of(&self, flag: &Flag) -> Site {
        self.site.clone().index(flag.index)
    }

    /// The last flag with this name, which is the one that counts.
    pub fn last(&self, name: &str) -> Option<&Flag> {
        self.flags.iter().rfind(|flag| flag.name == name)
    }
}

/// The flags in a list of arguments. Other words, such as `serve` and the name of the model, are skipped.
pub fn parse(words: &[String]) -> Vec<Flag> {
    let mut flags = Vec::new();
    let mut index = 0;
    while let Some(word) = words.get(index) {
        let length = match flag_at(words, index, word) {
            Some(flag) => {
                let length = flag.length;
                flags.push(flag);
                length
            }
            None => 1,
        };
        index += length;
    }
    flags
}

fn flag_at(words: &[String], index: usize, word: &str) -> Option<Flag> {
    if !is_flag(word) {
        return None;
    }
    let (spelt, joined) = match word.split_once('=') {
        Some((spelt, value)) => (spelt, Some(value.to_owned())),
        None => (word, None),
    };
    let Named { name, facts, is_negated } = named(spelt);
    let value = match joined {
        Some(value) => FlagValue::Joined(value),
        None if is_negated => FlagValue::Off,
        None => following(&words[index + 1..], facts),
    };
    let length = 1 + if let FlagValue::Separate(values) = &value { values.len() } else { 0 };
    Some(Flag { name, spelt: spelt.to_owned(), value, index, length, facts })
}

/// The values in the next words.
fn following(words: &[String], facts: Option<FlagFacts>) -> FlagValue {
    let most = match facts.map(|facts| facts.kind) {
        Some(FlagKind::Bool) => 0,
        Some(FlagKind::List) => usize::MAX,
        _ => 1,
    };
    let values: Vec<String> = words.iter().take(most).take_while(|word| !is_flag(word)).cloned().collect();
    if values.is_empty() { FlagValue::On } else { FlagValue::Separate(values) }
}

/// Negative numbers are values.
fn is_flag(word: &str) -> bool {
    let rest = word.strip_prefix('-').unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_alphabetic())
        || rest.strip_prefix('-').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

struct Named {
    name: String,
    facts: Option<FlagFacts>,
    is_negated: bool,
}

fn named(spelt: &str) -> Named {
    let long = spelt.strip_prefix("--");
    if let Some(facts) = vllm::flag(long.unwrap_or(spelt)) {
        return Named { name: facts.name.to_owned(), facts: Some(facts), is_negated: false };
    }
    if let Some(facts) = long.and_then(vllm::negated) {
        return Named { name: facts.name.to_owned(), facts: Some(facts), is_negated: true };
    }
    let name = long.unwrap_or(spelt).replace('_', "-");
    // `--compilation-config.mode 3` sets one key of the JSON.
    let facts = name.split_once('.').and_then(|(name, _)| vllm::flag(name));
    Named { name, facts, is_negated: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Vec<(String, String, usize, usize)> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let flags = parse(&words).into_iter();
        flags.map(|flag| (flag.name.clone(), flag.value.text(), flag.index, flag.length)).collect()
    }

    fn flag(name: &str, value: &str, index: usize, length: usize) -> (String, String, usize, usize) {
        (name.to_owned(), value.to_owned(), index, length)
    }

    #[test]
    fn both_forms_are_read() {
        let words = ["--port=8080", "--max-model-len", "32768", "--dtype=half"];
        let expected =
            [flag("port", "8080", 0, 1), flag("max-model-len", "32768", 1, 2), flag("dtype", "half", 3, 1)];
        assert_eq!(read(&words), expected);
    }

    #[test]
    fn spellings_are_recognised() {
        let words = [
            "serve",
            "-tp",
            "2",
            "--max_model_len=8000",
            "--no-enable-prefix-caching",
            "--trust-remote-code",
        ];
        let expected = [
            flag("tensor-parallel-size", "2", 1, 2),
            flag("max-model-len", "8000", 3, 1),
            flag("enable-prefix-caching", "false", 4, 1),
            flag("trust-remote-code", "true", 5, 1),
        ];
        assert_eq!(read(&words), expected);
    }

    #[test]
    fn values_end_at_the_next_flag() {
        let words = [
            "--served-model-name",
            "a",
            "b",
            "--seed",
            "-1",
            "--enable-lora",
            "x",
            "--own",
            "y",
            "z",
            "--",
            "-",
        ];
        let expected = [
            flag("served-model-name", "a b", 0, 3),
            flag("seed", "-1", 3, 2),
            flag("enable-lora", "true", 5, 1),
            flag("own", "y", 7, 2),
        ];
        assert_eq!(read(&words), expected);
        assert_eq!(read(&["--seed"]), [flag("seed", "true", 0, 1)]);
    }
}
