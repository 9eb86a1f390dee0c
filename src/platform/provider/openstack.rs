//! OpenStack. The flavor includes the GPUs.

use super::{Facts, ZoneNames, ZoneNetwork, Zones};

pub const FACTS: Facts = Facts {
    name: "OpenStack",
    kind: "OpenstackProviderSpec",
    size: Some("flavor"),
    hardware: None,
    gpus: None,
    region: None,
    zones: Some(Zones {
        field: "availabilityZone",
        names: ZoneNames::Any,
        network: ZoneNetwork::Shared,
        copies: &["rootVolume.availabilityZone"],
        // The machine controller creates a server group that does not exist.
        suffixed: &["serverGroupName"],
        bound: &[],
    }),
    spot: None,
    reservation: None,
    cluster_ids: &[
        "networks[*].uuid",
        "networks[*].subnets[*].uuid",
        "securityGroups[*].uuid",
        "serverGroupID",
        "primarySubnet",
    ],
    scales_from_zero: true,
    type_names: None,
};
