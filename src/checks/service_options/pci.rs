//! The JSON in Nova's `alias` and `device_spec`.

use std::ops::Range;

use serde_json::{Map, Value};

use super::Remark;
use super::unknown::written;
use crate::checks::{nova_config, rules, typo};
use crate::formats::ini::IniOption;
use crate::formats::json::{self, Step};
use crate::krm::{Hint, Severity, quoted};
use crate::platform::nova_pci::{self, ALIAS_NAME, PciKey, PciSchema, PciValue};

/// Remarks on the value of an option. `current` is its section and name, of which the option may have former ones.
pub fn remarks(current: (&str, &str), text: &str, option: &IniOption, remarks: &mut Vec<Remark>) {
    let Some(schema) = nova_pci::schema(current) else { return };
    let value = Json { text, option, schema };
    match serde_json::from_str::<Value>(&option.value) {
        Ok(Value::Object(object)) => value.object(&object, &[], remarks),
        Ok(Value::Array(list)) if schema.may_be_list && list.iter().all(Value::is_object) => {
            for (index, object) in list.iter().enumerate() {
                let object = object.as_object();
                object.iter().for_each(|object| value.object(object, &[Step::Index(index)], remarks));
            }
        }
        _ if !schema.may_be_list => {
            let message = nova_config::not_an_alias(option);
            remarks.push(Remark::error(&rules::ALIAS_SYNTAX, message, option.key_range()));
        }
        _ => {
            let what = format!("{} must be a JSON object or a list of objects", written(option));
            remarks.push(value.wrong(&[], what));
        }
    }
}

/// The JSON of an option.
struct Json<'j> {
    text: &'j str,
    option: &'j IniOption,
    schema: &'static PciSchema,
}

impl Json<'_> {
    fn object(&self, object: &Map<String, Value>, path: &[Step<'_>], remarks: &mut Vec<Remark>) {
        for (name, value) in object {
            let path = [path, &[Step::Key(name)]].concat();
            match self.schema.keys.iter().find(|key| key.name == name) {
                Some(key) => remarks.extend(self.known(key, value, &path)),
                None => remarks.push(self.unknown(name, &path)),
            }
        }
        if self.schema.is_complete && !object.contains_key(ALIAS_NAME) {
            remarks.push(self.wrong(path, format!("{} needs a `{ALIAS_NAME}`", written(self.option))));
        }
    }

    fn known(&self, key: &PciKey, value: &Value, path: &[Step<'_>]) -> Option<Remark> {
        let name = key.name;
        if let Some(must_be) = expected(key.value, value) {
            let value = value.as_str().map_or_else(|| value.to_string(), quoted);
            let what = format!("`{name}` of {} must be {must_be}, not {value}", written(self.option));
            return Some(self.wrong(path, what));
        }
        key.is_newer.then(|| {
            let effect = if self.schema.is_complete { "Nova refuses to start" } else { "it has no effect" };
            let message = format!(
                "`{name}` of {} is a key of later releases than that of RHOSO 18 (2023.1 Antelope); {effect} unless your \
                 images have it too",
                written(self.option)
            );
            Remark::info(&rules::UNKNOWN_OPTION, message, self.range(path))
        })
    }

    fn unknown(&self, name: &str, path: &[Step<'_>]) -> Remark {
        let (what, rule) = (format!("{} has no key `{name}`", written(self.option)), &rules::UNKNOWN_OPTION);
        let names = || self.schema.keys.iter().map(|key| key.name);
        let (severity, message) = if self.schema.is_complete {
            let hint = Hint::among(name, names()).suffix();
            (Severity::Error, format!("{what}, so Nova refuses to start{hint}"))
        } else if let Some(meant) = typo::meant(name, names()) {
            (Severity::Error, format!("{what}, so it has no effect{}", Hint::of(Some(meant)).suffix()))
        } else {
            let advice = "Nova keeps it as a tag of the device without using it";
            (Severity::Info, format!("{what}; {}", Hint::among(name, names()).and(advice)))
        };
        Remark { severity, rule, message, range: self.range(path) }
    }

    fn wrong(&self, path: &[Step<'_>], what: String) -> Remark {
        let message = format!("{what}; Nova refuses to start otherwise");
        Remark::error(&rules::WRONG_OPTION_VALUE, message, self.range(path))
    }

    /// The bytes of an entry, or of the whole value if it is written in another way than it is read.
    fn range(&self, path: &[Step<'_>]) -> Range<usize> {
        let value = self.option.value_range();
        match json::locate(&self.text[value.clone()], path) {
            Some(part) => value.start + part.start..value.start + part.end,
            None => value,
        }
    }
}

/// What a value must be, if it is not.
fn expected(kind: PciValue, value: &Value) -> Option<String> {
    let text = value.as_str();
    let (fits, must_be) = match kind {
        PciValue::Address => (
            value.is_string() || value.is_object(),
            "text or an object with `domain`, `bus`, `slot`, `function`",
        ),
        PciValue::AnyId => (text.is_some_and(is_any_id), "text with at most four hexadecimal digits"),
        PciValue::Id => (text.is_some_and(is_id), "text with four hexadecimal digits"),
        PciValue::OneOf(choices) => {
            let fits = text.is_some_and(|text| choices.contains(&text));
            let one_of = if choices.len() > 1 { "one of " } else { "" };
            return (!fits).then(|| format!("{one_of}{}", choices.join(", ")));
        }
        PciValue::Name => (text.is_some_and(|text| !text.is_empty()), "text"),
        PciValue::Text => (value.is_string(), "text"),
        PciValue::TextOrNull => (value.is_string() || value.is_null(), "text or null"),
        PciValue::Switch => (value.is_string() || value.is_boolean(), "true or false"),
    };
    (!fits).then(|| must_be.to_owned())
}

fn is_id(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn is_any_id(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix("0x").unwrap_or(text);
    text.is_empty() || text == "*" || u16::from_str_radix(digits, 16).is_ok()
}
