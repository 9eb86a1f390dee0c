//! Rules of GenerateInstances.

use crate::rules;

rules! {
    /// Rules of GenerateInstances.
    INSTANCES in "instances":

    /// A resource of the package contradicts the plan of the instances.
    ///
    /// What the package already has is kept, but it must fit the plan: a VLAN interface has the planned id and NIC, an
    /// address of a node is not in a range that something else hands out, and a compute node has the planned address.
    /// Change the resource, or the functionConfig.
    INSTANCE_CONFLICT = "instance-conflict", Error;

    /// A node keeps an address that differs from the one that the functionConfig plans.
    ///
    /// A policy of the package already gives the node an address in this subnet. Changing it could interrupt what runs on
    /// the node, so it is kept. Change the address in the policy, or the `nodes` of the network.
    KEPT_ADDRESS = "kept-address", Warning;
}
