//! Changes a flag in a list of arguments. Other elements, and their comments, are not touched.

use super::FlagChange;
use crate::krm::{Fault, Resource};
use crate::model::Site;
use crate::model::serving::arguments::{self, Flag, FlagValue};

/// The elements of the list. None if it does not exist.
pub fn words(list: &Site, items: &[Resource]) -> Result<Option<Vec<String>>, Fault> {
    list.item.get(items).get(&list.path)
}

fn found(change: &FlagChange, list: &Site, items: &[Resource]) -> Result<Option<(Flag, usize)>, Fault> {
    let words = words(list, items)?.unwrap_or_default();
    let last = arguments::parse(&words).into_iter().rfind(|flag| flag.name == change.name);
    Ok(last.map(|flag| (flag, words.len())))
}

/// Removes every occurrence of the flag, and the list if nothing is left.
pub fn remove(change: &FlagChange, list: &Site, items: &mut [Resource]) -> Result<(), Fault> {
    while let Some((flag, length)) = found(change, list, items)? {
        let item = list.item.get_mut(items);
        if flag.length == length {
            return item.remove(&list.path);
        }
        for index in (flag.index..flag.index + flag.length).rev() {
            item.remove(&list.path.clone().index(index))?;
        }
    }
    Ok(())
}

/// Adds the flag at the end.
pub fn add(change: &FlagChange, list: &Site, items: &mut [Resource]) -> Result<(), Fault> {
    let Some(new) = written(change, None) else { return Ok(()) };
    let length = words(list, items)?.unwrap_or_default().len();
    let item = list.item.get_mut(items);
    if length == 0 {
        return item.set(&list.path, new);
    }
    for (offset, word) in new.into_iter().enumerate() {
        item.set(&list.path.clone().index(length + offset), word)?;
    }
    Ok(())
}

/// Changes the last occurrence of the flag, which is the one that counts.
pub fn replace(change: &FlagChange, list: &Site, items: &mut [Resource]) -> Result<(), Fault> {
    let Some((flag, _)) = found(change, list, items)? else { return Ok(()) };
    let is_set = change.value.as_ref().is_some_and(|value| value.text() == flag.value.text());
    let new = match written(change, Some(&flag)) {
        _ if is_set => return Ok(()),
        Some(new) if new.len() <= flag.length => new,
        Some(_) => {
            remove(change, list, items)?;
            return add(change, list, items);
        }
        None => return remove(change, list, items),
    };
    let item = list.item.get_mut(items);
    for (offset, word) in new.iter().enumerate() {
        item.set(&list.path.clone().index(flag.index + offset), word.clone())?;
    }
    for index in (flag.index + new.len()..flag.index + flag.length).rev() {
        item.remove(&list.path.clone().index(index))?;
    }
    Ok(())
}

/// The elements for a flag, in the form of the existing one. None for a flag that is off if it is missing.
fn written(change: &FlagChange, old: Option<&Flag>) -> Option<Vec<String>> {
    let name = match old.filter(|old| !matches!(old.value, FlagValue::Off)) {
        Some(old) => old.spelt.clone(),
        None => format!("--{}", change.name),
    };
    let is_separate = old.is_some_and(|old| matches!(old.value, FlagValue::Separate(_)));
    Some(match change.value.as_ref()? {
        FlagValue::On => vec![name],
        FlagValue::Off if change.facts.is_some_and(|facts| facts.has_negation()) => {
            vec![format!("--no-{}", change.name)]
        }
        FlagValue::Off => return None,
        FlagValue::Joined(value) if is_separate => vec![name, value.clone()],
        FlagValue::Joined(value) => vec![format!("{name}={value}")],
        FlagValue::Separate(values) => [name].into_iter().chain(values.iter().cloned()).collect(),
    })
}
