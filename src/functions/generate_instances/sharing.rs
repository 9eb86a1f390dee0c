//! Instances that have the same network: one gives the subnet of another.

use std::collections::HashMap;

use super::drafts::Draft;
use super::layers::{Choice, Level};
use super::network_spec::NetworkSpec;
use super::plan::Sourced;
use super::setting::Setting;
use crate::formats::ip::Subnet;
use crate::krm::Mistakes;
use crate::platform::network_plan::NetworkName;

/// Finds networks that an instance gives and another one has. They become one network, with the VLAN of the other.
pub fn find(drafts: &mut [Draft<'_>], mistakes: &mut Mistakes) {
    let mut owners: HashMap<(NetworkName, Subnet), usize> = HashMap::new();
    let allocated = |draft: &Draft<'_>| !draft.gives_subnet();
    let (first, second): (Vec<usize>, Vec<usize>) =
        (0..drafts.len()).partition(|position| allocated(&drafts[*position]));
    for position in first.into_iter().chain(second) {
        let draft = &drafts[position];
        let owner = *owners.entry((draft.name, draft.subnet.value)).or_insert(position);
        // Two that are allocated have the same slot, which is reported as such.
        if owner != position && draft.gives_subnet() {
            join(drafts, position, owner, mistakes);
        }
    }
}

fn join(drafts: &mut [Draft<'_>], position: usize, owner: usize, mistakes: &mut Mistakes) {
    let (nic, vlan) = (drafts[owner].nic.clone(), drafts[owner].vlan.clone());
    let other = drafts[owner].owner;
    let draft = &mut drafts[position];
    let own = draft.layers.own.spec;
    let gives_link = own.is_some_and(|spec| spec.vlan != Default::default() || spec.interface.is_some());
    let id = |vlan: &Option<Sourced<u16>>| vlan.as_ref().map(|id| id.value);
    if gives_link && (id(&draft.vlan), &draft.nic) != (id(&vlan), &nic) {
        let shown = |vlan| id(vlan).map_or("no VLAN".to_owned(), |id| format!("VLAN {id}"));
        let message = format!(
            "{} shares {} with {} (`spec.instances[{}]`), where it has {} on {nic}, so it cannot have {} on {} here; \
             remove `vlan` and `interface`, or give it another `cidr`",
            draft.name,
            draft.subnet.value,
            other.namespace,
            other.position,
            shown(&vlan),
            shown(&draft.vlan),
            draft.nic
        );
        mistakes.add(draft.layers.own.path.clone(), message);
    }
    (draft.nic, draft.vlan, draft.shares_with) = (nic, vlan, Some(owner));
}

/// Reports hosts that an instance must give, because another one hands out those of the plan.
pub fn check(draft: &Draft<'_>, all: &[Draft<'_>], mistakes: &mut Mistakes) {
    let Some(other) = draft.shares_with.map(|other| all[other].owner) else { return };
    let Some(own) = draft.layers.own.spec else { return };
    let path = &draft.layers.own.path;
    let shared = format!(
        "{} shares {} with {} (`spec.instances[{}]`)",
        draft.name, draft.subnet.value, other.namespace, other.position
    );
    let plan = draft.plan;
    let needed = [
        ("attach", needs(draft, "attach", |spec| &spec.attach, plan.attach.is_some())),
        ("pool", needs(draft, "pool", |spec| &spec.pool, plan.pool.is_some())),
        ("allocate", needs(draft, "allocate", |spec| &spec.allocate, !plan.allocate.is_empty())),
    ];
    let missing: Vec<&str> = needed.into_iter().filter_map(|(key, needs)| needs.then_some(key)).collect();
    if !missing.is_empty() {
        let list = missing.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let message =
            format!("{shared}, so the instance must give {list} of its own; or give it another `cidr`");
        mistakes.add(path.clone(), message);
    }
    if own.nodes.is_given() {
        let message = format!("{shared}, where the nodes already have addresses; remove it");
        mistakes.add(path.clone().key("nodes"), message);
    }
}

/// Whether the instance has hosts of the plan, which are those of the other instance too.
fn needs<'s, T: 's>(
    draft: &Draft<'s>,
    key: &'static str,
    field: impl Fn(&'s NetworkSpec) -> &'s Setting<T>,
    is_planned: bool,
) -> bool {
    match draft.layers.choose(key, field) {
        Choice::Given(given) => given.level == Level::Fleet,
        Choice::Without => false,
        Choice::Plan => is_planned,
    }
}
