//! PCI devices in Placement.

use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption, Merged, Written};
use crate::krm::{Fault, Resource, Results};
use crate::model::Site;
use crate::model::control_plane::{Cells, Nova, ServiceConfig};
use crate::platform::{nova, openstack};

/// Enables PCI tracking in the API, the scheduler and the conductor of every cell. All of them must agree on
/// where a device is free.
pub(super) fn turn_on(
    nova: &Nova,
    replace: bool,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let mut configs: Vec<&ServiceConfig> = vec![&nova.api, &nova.scheduler];
    match &nova.cells {
        Cells::Listed(cells) if !cells.is_empty() => {
            configs.extend(cells.iter().map(|cell| &cell.conductor));
        }
        _ => {
            let (section, key) = nova::PCI_IN_PLACEMENT;
            let message = format!(
                "`[{section}] {key}` must be set in the conductor of every cell; list all cells here, because the list \
                 replaces the operator's default cells"
            );
            let site = Site::new(nova.api.site.item, openstack::nova_cell_templates());
            results.error(&rules::CELLS_UNKNOWN, message).at(site.location(items));
        }
    }
    let mut changes = Vec::new();
    for ServiceConfig { site, .. } in configs {
        // The text of the API has just been changed.
        let text: String = site.item.get(items).get(&site.path)?.unwrap_or_default();
        let text = with_option(nova::PCI_IN_PLACEMENT, text, replace, site, items, results);
        changes.push((site.path.clone(), text.into()));
    }
    nova.api.site.item.get_mut(items).set_all(&changes)
}

/// Enables an option in the text of a configuration. If the option is disabled, this reports it and returns
/// the text unchanged.
pub(super) fn with_option(
    (section, key): (&str, &str),
    text: String,
    replace: bool,
    site: &Site,
    items: &[Resource],
    results: &mut Results,
) -> String {
    let ini = Ini::parse(&text);
    let is_true = |option: &IniOption| nova::is_true(&option.value);
    let value = match ini.set(section, &Written::new(key, "true"), is_true, replace) {
        Merged::Unchanged => return text,
        Merged::Changed(text) => return text,
        Merged::Kept(option) => option.value.clone(),
    };
    let message = format!(
        "`[{section}] {key} = {value}` conflicts with `placement: true`; remove it, or set `replace: true`"
    );
    let finding = results.error(&rules::PLACEMENT_OFF, message).at(site.location(items));
    finding.current(value).proposed("true");
    text
}
