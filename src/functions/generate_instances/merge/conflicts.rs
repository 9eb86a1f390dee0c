//! Interfaces of a policy that contradict the plan.

use super::super::interfaces::{Interface, InterfaceKind};
use super::super::nodes::Node;
use super::Merge;
use crate::checks::rules;
use crate::krm::{Results, quoted};
use crate::model::Site;
use crate::model::network::node_policies::{Interface as Existing, NodePolicy};

impl Merge<'_> {
    /// Why an interface of the policy cannot be the planned one.
    pub(super) fn conflict(
        &self,
        node: &Node,
        interface: &Interface<'_>,
        existing: &Existing,
    ) -> Option<(Site, String)> {
        let name = quoted(&interface.name);
        if existing.is_absent() {
            let site = existing.state.as_ref()?.site.clone();
            return Some((
                site,
                format!(
                    "the policy removes the interface {name}, which the instances need; change one of them"
                ),
            ));
        }
        let InterfaceKind::Vlan { nic, id, .. } = interface.kind else { return None };
        let nic = self.fleet.nic_of(node, nic);
        if let Some(other) = existing.vlan.as_ref().filter(|other| other.value != id) {
            let message = format!(
                "the interface {name} has VLAN {}, but the plan has VLAN {id}; change one of them",
                other.value
            );
            return Some((other.site.clone(), message));
        }
        let base = existing.base.as_ref().filter(|base| base.value != nic)?;
        let message = format!(
            "the interface {name} is on {}, but the plan has {nic}; change one of them",
            quoted(&base.value)
        );
        Some((base.site.clone(), message))
    }

    /// Reports a VLAN that an interface with another name already has. The kernel accepts only one.
    pub(super) fn check_vlan(
        &self,
        node: &Node,
        interface: &Interface<'_>,
        policy: &NodePolicy,
        results: &mut Results,
    ) {
        let InterfaceKind::Vlan { nic, id, .. } = interface.kind else { return };
        let nic = self.fleet.nic_of(node, nic);
        let is_same = |other: &&Existing| {
            let has_id = other.vlan.as_ref().is_some_and(|other| other.value == id);
            has_id && other.base.as_ref().is_some_and(|base| base.value == nic) && !other.is_absent()
        };
        if let Some(other) = policy.interfaces.iter().find(is_same) {
            let message = format!(
                "VLAN {id} on {nic} already has this interface, so it cannot also have {}; rename it to that, or give the \
                 network another `vlan`",
                quoted(&interface.name)
            );
            let site = &other.name.site;
            results.error(&rules::INSTANCE_CONFLICT, message).at(site.location(self.given));
        }
    }
}
