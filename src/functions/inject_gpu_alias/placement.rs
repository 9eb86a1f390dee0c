//! PCI devices in Placement.

use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption};
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::platform::{nova, openstack};

/// Turns it on in the API, the scheduler and the conductor of every cell: one without it would not agree
/// with the others on where a device is free.
pub(super) fn turn_on(plane: &mut Resource, replace: bool, results: &mut Results) -> Result<(), Fault> {
    let cells = plane.fields(&openstack::nova_cells())?;
    if cells.is_empty() {
        let message = "Placement must be turned on in the conductor of every cell; write the cells out, \
                       for what is set here takes the place of the operator's default";
        results.error(&rules::CELLS_UNKNOWN, message).field(plane, &openstack::nova_cell_templates());
    }
    let mut paths = vec![openstack::nova_api_config(), openstack::nova_scheduler_config()];
    paths.extend(cells.into_iter().map(openstack::conductor_config));
    for path in paths {
        let text: String = plane.get(&path)?.unwrap_or_default();
        let text = with_option(nova::PCI_IN_PLACEMENT, text, replace, plane, &path, results);
        plane.set(&path, text)?;
    }
    Ok(())
}

/// The text of a configuration with an option turned on, or as it is, with a finding on its field.
pub(super) fn with_option(
    (section, key): (&str, &str),
    text: String,
    replace: bool,
    item: &Resource,
    path: &FieldPath,
    results: &mut Results,
) -> String {
    let ini = Ini::parse(&text);
    let there: Vec<&IniOption> = ini.all(section, key).collect();
    let value = match there.last() {
        None => return ini.with_option(section, key, "true"),
        Some(last) if nova::is_true(&last.value) => return text,
        Some(_) if replace => return ini.with_replaced(&there, "true"),
        Some(last) => last.value.clone(),
    };
    let message = format!(
        "`[{section}] {key} = {value}` is in the way of `placement: true`; remove it, or set `replace: true`"
    );
    results.error(&rules::PLACEMENT_OFF, message).field(item, path).current(value).proposed("true");
    text
}
