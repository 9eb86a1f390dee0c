//! Changes of the text of a configuration.

use super::changes::{Change, OptionChange, Value};
use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption, Merged};
use crate::krm::{Fault, Resource, Results};
use crate::model::Site;

/// Changes the text at a site. A text without changes is not written, and one without options is not created.
pub(super) fn apply(
    changes: &[(OptionChange, bool)],
    site: &Site,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    match changed(changes, site, items, results) {
        Some(text) => site.item.get_mut(items).set(&site.path, text),
        None => Ok(()),
    }
}

/// The text at a site after the changes. None if it stays the same.
pub(super) fn changed(
    changes: &[(OptionChange, bool)],
    site: &Site,
    items: &[Resource],
    results: &mut Results,
) -> Option<String> {
    let before: String = match site.item.get(items).get(&site.path) {
        Ok(text) => text.unwrap_or_default(),
        Err(fault) => {
            results.add(fault.into_finding());
            return None;
        }
    };
    let mut text = before.clone();
    for (change, replace) in changes {
        match merged(&text, change, *replace) {
            Ok(new) => text = new,
            Err(kept) => {
                let message = format!("`{} = {kept}` is kept, because `replace` is false", change.name());
                let find = |original: &str| {
                    Ini::parse(original).all(&change.section, &change.key).last().map(IniOption::range)
                };
                let location = site.item.get(items).location_inside(&site.path, find);
                results.info(&rules::KEPT_OPTION, message).at(location).current(kept);
            }
        }
    }
    (text != before).then_some(text)
}

/// The text after one change, or the value that is kept instead.
fn merged(text: &str, change: &OptionChange, replace: bool) -> Result<String, String> {
    let (section, key) = (change.section.as_str(), change.key.as_str());
    match &change.change {
        Change::Set(value) => set(text, section, value, replace),
        Change::Add(values) => {
            Ok(values.iter().fold(text.to_owned(), |text, value| add(text, section, value)))
        }
        Change::Exactly(values) => {
            let ini = Ini::parse(text);
            let existing: Vec<&IniOption> = ini.all(section, key).collect();
            let is_done = existing.len() == values.len()
                && existing.iter().zip(values).all(|(option, value)| value.is_value_of(option));
            match (values.as_slice(), existing.as_slice()) {
                _ if is_done => Ok(text.to_owned()),
                // The value keeps its place.
                ([value], [others @ .., _]) => set(&ini.without(others), section, value, true),
                _ => Ok(values.iter().fold(ini.without(&existing), |text, value| add(text, section, value))),
            }
        }
    }
}

fn set(text: &str, section: &str, value: &Value, replace: bool) -> Result<String, String> {
    match Ini::parse(text).set(section, &value.written, |option| value.is_value_of(option), replace) {
        Merged::Unchanged => Ok(text.to_owned()),
        Merged::Changed(text) => Ok(text),
        Merged::Kept(option) => Err(option.value_in_one_line()),
    }
}

fn add(text: String, section: &str, value: &Value) -> String {
    match Ini::parse(&text).add(section, &value.written, |option| value.is_value_of(option)) {
        Merged::Changed(text) => text,
        Merged::Unchanged | Merged::Kept(_) => text,
    }
}
