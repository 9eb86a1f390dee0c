//! Networks before their hosts are known: the subnet and the VLAN, which depend on the slot alone.

use super::layers::{Choice, Layers, Level};
use super::plan::{Source, Sourced};
use crate::formats::ip::{Family, Subnet};
use crate::krm::Mistakes;
use crate::platform::network::HIGHEST_VLAN;
use crate::platform::network_plan::{NetworkName, NetworkPlan, VLAN_STEP};

/// The instance that a network belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'s> {
    pub namespace: &'s str,
    pub position: usize,
    pub slot: u32,
}

impl Owner<'_> {
    fn slot_source(self) -> Source {
        Source::Slot { slot: self.slot, position: self.position }
    }
}

/// A network of an instance before its hosts are known.
#[derive(Debug)]
pub struct Draft<'s> {
    pub name: NetworkName,
    pub plan: &'static NetworkPlan,
    pub owner: Owner<'s>,
    pub layers: Layers<'s>,
    /// The subnet of slot 0, which the addresses in `spec.networks` are written for.
    pub base: Subnet,
    pub subnet: Sourced<Subnet>,
    pub nic: String,
    /// None for untagged traffic on the bridge.
    pub vlan: Option<Sourced<u16>>,
    /// The position among the drafts of the one with the same network.
    pub shares_with: Option<usize>,
}

impl<'s> Draft<'s> {
    /// None if the network does not fit, which is reported.
    pub fn new(
        plan: &'static NetworkPlan,
        owner: Owner<'s>,
        layers: Layers<'s>,
        defaults: (Family, &str),
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let (family, nic) = defaults;
        let given = layers.find("cidr", |spec| &spec.cidr);
        let of_fleet = given.as_ref().filter(|given| given.level == Level::Fleet);
        let base = layers.fleet.spec.and_then(|spec| spec.cidr).map(|subnet| subnet.0);
        let base = base.unwrap_or_else(|| plan.subnet(family));
        let own = given.as_ref().filter(|given| given.level == Level::Own);
        let subnet = match own {
            Some(own) => Sourced::new(own.value.0, Source::Given(own.path.clone())),
            None => {
                let source =
                    of_fleet.map_or_else(|| owner.slot_source(), |it| Source::Given(it.path.clone()));
                let moved = moved(base, owner.slot).map_err(|why| format!("{} {why}", plan.name));
                Sourced::new(mistakes.value(owner.slot_source().path(), moved)?, source)
            }
        };
        let nic = layers.find("interface", |spec| &spec.interface).map_or(nic, |given| given.value);
        let nic = nic.to_owned();
        let vlan = vlan(plan, owner, &layers);
        let vlan = mistakes.value(owner.slot_source().path(), vlan)?;
        Some(Draft { name: plan.name, plan, owner, layers, base, subnet, nic, vlan, shares_with: None })
    }

    /// Whether the instance itself gives the subnet.
    pub fn gives_subnet(&self) -> bool {
        self.layers.own.spec.is_some_and(|spec| spec.cidr.is_some())
    }
}

/// The subnet of a slot.
fn moved(base: Subnet, slot: u32) -> Result<Subnet, String> {
    let Some(subnet) = base.moved(slot) else {
        return Err(format!("does not fit: slot {slot} moves {base} beyond the last address"));
    };
    if base.is_private() && !subnet.is_private() {
        return Err(format!(
            "does not fit: slot {slot} moves {base} to {subnet}, which is not private address space; use a lower slot, or \
             give the instance a `cidr`"
        ));
    }
    Ok(subnet)
}

fn vlan(plan: &NetworkPlan, owner: Owner<'_>, layers: &Layers<'_>) -> Result<Option<Sourced<u16>>, String> {
    let (first, source) = match layers.choose("vlan", |spec| &spec.vlan) {
        Choice::Without => return Ok(None),
        Choice::Given(given) if given.level == Level::Own => {
            return Ok(Some(Sourced::new(*given.value, Source::Given(given.path))));
        }
        Choice::Given(given) => (*given.value, Source::Given(given.path)),
        Choice::Plan => match plan.vlan {
            Some(id) => (id, owner.slot_source()),
            None => return Ok(None),
        },
    };
    let id = u32::from(VLAN_STEP).checked_mul(owner.slot).and_then(|step| step.checked_add(first.into()));
    let id = id.and_then(|id| u16::try_from(id).ok()).filter(|id| u64::from(*id) <= HIGHEST_VLAN);
    id.map(|id| Some(Sourced::new(id, source))).ok_or_else(|| {
        format!(
            "{} does not fit: slot {} moves VLAN {first} by {VLAN_STEP} per slot, beyond {HIGHEST_VLAN}; use a lower slot, \
             or give the instance a `vlan`",
            plan.name, owner.slot
        )
    })
}
