//! PCI devices in Placement, on the side of the control plane.

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
        let field = openstack::nova_cell_templates();
        results.error("cells-unknown", message).field(plane, &field);
    }
    let conductors = cells.into_iter().map(openstack::conductor_config);
    for path in
        [openstack::nova_api_config(), openstack::nova_scheduler_config()].into_iter().chain(conductors)
    {
        let text: String = plane.get(&path)?.unwrap_or_default();
        match with_option(&text, replace) {
            Ok(text) => plane.set(&path, text)?,
            Err(there) => report(plane, &path, &there, results),
        }
    }
    Ok(())
}

fn report(plane: &Resource, path: &FieldPath, there: &str, results: &mut Results) {
    let (section, key) = nova::PCI_IN_PLACEMENT;
    let message = format!(
        "`[{section}] {key} = {there}` is in the way of `placement: true`; remove it, or set `replace: true`"
    );
    results.error("placement-off", message).field(plane, path).current(there).proposed("true");
}

/// The text with the option on, or the value that it has.
fn with_option(text: &str, replace: bool) -> Result<String, String> {
    let (section, key) = nova::PCI_IN_PLACEMENT;
    let ini = Ini::parse(text);
    let there: Vec<&IniOption> = ini.all(section, key).collect();
    match there.last() {
        None => Ok(ini.with_option(section, key, "true")),
        Some(last) if nova::is_true(&last.value) => Ok(text.to_owned()),
        Some(_) if replace => Ok(ini.with_replaced(&there, "true")),
        Some(last) => Err(last.value.clone()),
    }
}
