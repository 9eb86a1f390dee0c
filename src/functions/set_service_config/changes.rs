//! What to change in a configuration, by section and option.

use crate::formats::ini::{Ini, IniOption, Written};
use crate::krm::{FieldPath, Mistakes, quoted};
use crate::platform::nova::{self, PciSpec};
use crate::platform::oslo_options;

/// A change of one option.
#[derive(Debug, Clone)]
pub(super) struct OptionChange {
    pub section: String,
    pub key: String,
    pub change: Change,
}

#[derive(Debug, Clone)]
pub(super) enum Change {
    /// The option has this value.
    Set(Value),
    /// The option has these values, among others.
    Add(Vec<Value>),
    /// The option has these values and no others.
    Exactly(Vec<Value>),
}

/// A value of an option, with its spelling.
#[derive(Debug, Clone)]
pub(super) struct Value {
    option: IniOption,
    pub written: Written,
}

impl OptionChange {
    pub fn is_for(&self, section: &str, key: &str) -> bool {
        self.section == section && self.key == key
    }

    /// Whether the change only removes.
    pub fn is_removal(&self) -> bool {
        matches!(&self.change, Change::Exactly(values) if values.is_empty())
    }

    /// How an option of a file that is read later would interfere: true if it replaces the value, false if it keeps an
    /// option that is removed. None if it does not interfere.
    pub fn overridden_by(&self, other: &IniOption) -> Option<bool> {
        match &self.change {
            Change::Set(value) => (!value.is_value_of(other)).then_some(true),
            Change::Exactly(values) if values.is_empty() => Some(false),
            Change::Exactly(values) => (!values.iter().any(|value| value.is_value_of(other))).then_some(true),
            Change::Add(_) => None,
        }
    }

    /// The option as messages show it.
    pub fn name(&self) -> String {
        format!("[{}] {}", self.section, self.key)
    }
}

impl Value {
    /// Whether an option has this value. Two spellings of one PCI device are equal, as they are for InjectGpuAlias.
    pub fn is_value_of(&self, other: &IniOption) -> bool {
        let option = &self.option;
        let is_pci =
            [nova::ALIAS, nova::DEVICE_SPEC].contains(&(option.section.as_str(), option.key.as_str()));
        option.value == other.value
            || is_pci
                && PciSpec::parse(&option.value)
                    .is_some_and(|spec| PciSpec::parse(&other.value) == Some(spec))
    }
}

/// Reads `config` and `remove` of an entry, and reports every mistake in them.
pub(super) fn read(
    config: &str,
    remove: &[String],
    project: &str,
    path: &FieldPath,
    mistakes: &mut Mistakes,
) -> Vec<OptionChange> {
    let removed = read_removals(remove, path, mistakes);
    let ini = Ini::parse(config);
    let field = || path.clone().key("config");
    for line in ini.refused_lines() {
        let number = config[..line.start].lines().count() + 1;
        let message = format!(
            "line {number} is neither a section nor an option of a section: {}; write `[section]`, then `option = value`",
            quoted(config[line.clone()].trim_end())
        );
        mistakes.add(field(), message);
    }
    if ini.options().is_empty() && ini.refused_lines().is_empty() && remove.is_empty() {
        mistakes.add(path.clone(), "must have options in `config` or `remove`");
    }
    let options = oslo_options::of_project(project);
    let mut changes: Vec<OptionChange> = Vec::new();
    for option in ini.options() {
        let (section, key) = (&option.section, &option.key);
        if changes.iter().any(|change| change.is_for(section, key)) {
            continue;
        }
        let values: Vec<Value> = ini
            .all(section, key)
            .map(|option| Value { option: option.clone(), written: Written::copy(option, &ini) })
            .collect();
        let is_multi_valued = options.is_some_and(|options| options.is_multi_valued(section, key));
        let known = options.and_then(|options| options.section(section)?.option(key));
        let is_removed = removed.iter().any(|(s, k)| s == section && k == key);
        let change = match values.as_slice() {
            _ if is_removed => Change::Exactly(values),
            _ if is_multi_valued => Change::Add(values),
            [one] => Change::Set(one.clone()),
            _ if known.is_some() => {
                let message =
                    format!("`[{section}] {key}` has one value, but is given {} times", values.len());
                mistakes.add(field(), message);
                continue;
            }
            // An option that the table does not have may have several values.
            _ => Change::Add(values),
        };
        changes.push(OptionChange { section: section.clone(), key: key.clone(), change });
    }
    for (section, key) in removed {
        if !changes.iter().any(|change| change.is_for(&section, &key)) {
            changes.push(OptionChange { section, key, change: Change::Exactly(Vec::new()) });
        }
    }
    changes
}

/// The sections and options of `remove`.
fn read_removals(remove: &[String], path: &FieldPath, mistakes: &mut Mistakes) -> Vec<(String, String)> {
    let mut removed: Vec<(String, String)> = Vec::new();
    for (i, text) in remove.iter().enumerate() {
        let path = path.clone().key("remove").index(i);
        let name = text.rsplit_once('/').map(|(section, key)| (section.trim(), key.trim()));
        let Some((section, key)) = name.filter(|(section, key)| !section.is_empty() && !key.is_empty())
        else {
            let message = format!("must be `section/option`, such as `DEFAULT/debug`, got {}", quoted(text));
            mistakes.add(path, message);
            continue;
        };
        // The parser knows how sections are compared.
        let line = format!("[{section}]\n{key} =");
        removed.extend(Ini::parse(&line).options().iter().map(|o| (o.section.clone(), o.key.clone())));
    }
    removed
}

/// The changes of several entries, in their order, as one change of each option. The later entry takes precedence.
pub(super) fn combine<'c>(all: impl Iterator<Item = (&'c OptionChange, bool)>) -> Vec<(OptionChange, bool)> {
    let mut combined: Vec<(OptionChange, bool)> = Vec::new();
    for (later, replace) in all {
        match combined.iter_mut().find(|(earlier, _)| earlier.is_for(&later.section, &later.key)) {
            Some((earlier, replaces)) => {
                let is_kept = matches!(&later.change, Change::Set(_)) && !replace && !earlier.is_removal();
                if !is_kept {
                    earlier.change = after(&earlier.change, &later.change);
                    *replaces |= replace;
                }
            }
            None => combined.push((later.clone(), replace)),
        }
    }
    combined
}

/// Both changes as one.
fn after(earlier: &Change, later: &Change) -> Change {
    match (earlier, later) {
        (Change::Exactly(_), Change::Set(value)) => Change::Exactly(vec![value.clone()]),
        (Change::Exactly(values), Change::Add(more)) => Change::Exactly([&values[..], more].concat()),
        (Change::Add(values), Change::Add(more)) => Change::Add([&values[..], more].concat()),
        (_, later) => later.clone(),
    }
}
