//! Amazon Web Services.

use super::{Facts, Mark, MarkValue, Provider, Spot, Subnet, TypeNames, ZoneNames, ZoneNetwork, Zones};
use crate::platform::instance_name::TypeName;

pub const FACTS: Facts = Facts {
    name: "AWS",
    kind: "AWSMachineProviderConfig",
    size: Some("instanceType"),
    hardware: None,
    gpus: None,
    region: Some("placement.region"),
    zones: Some(ZONES),
    spot: Some(Spot {
        mark: Mark { field: "spotMarketOptions", value: MarkValue::Present },
        newer: Some(Mark { field: "marketType", value: MarkValue::Text("Spot") }),
        allows_both: true,
        conflict: None,
    }),
    reservation: Some("capacityReservationId"),
    cluster_ids: &["subnet.id", "securityGroups[*].id", "capacityReservationId"],
    scales_from_zero: true,
    type_names: Some(TypeNames {
        parse: type_name,
        lacks_gpus: |series| WITHOUT_GPUS.contains(&series),
        takes_gpus: None,
        is_arm: is_graviton,
    }),
};

const ZONES: Zones = Zones {
    field: "placement.availabilityZone",
    // All letters that an account may have. In the oldest regions, AWS maps zones to letters per account, and may leave one
    // out. Every region has at least three zones.
    names: ZoneNames::Letters {
        separator: "",
        usual: "abc",
        exceptions: &[
            ("us-east-1", "abcdef"),
            ("us-west-2", "abcd"),
            ("ca-central-1", "abcd"),
            ("ap-northeast-1", "abcd"),
            ("ap-northeast-2", "abcd"),
            ("cn-north-1", "abcd"),
        ],
        // Local and wavelength zones: `us-east-1-bos-1a`.
        other_form: "-",
    },
    network: ZoneNetwork::Subnet(Subnet {
        field: "subnet",
        id: "subnet.id",
        names: "subnet.filters[*].values[*]",
    }),
    copies: &[],
    suffixed: &[],
    bound: &["placementGroupName", "placement.host", "capacityReservationId"],
};

/// Series for general purpose, memory, storage, video, FPGAs and macOS.
const WITHOUT_GPUS: [&str; 17] =
    ["a", "c", "d", "f", "h", "hpc", "i", "im", "is", "m", "mac", "r", "t", "u", "vt", "x", "z"];

/// `<series><generation><attributes>[-<more>].<size>`: `g4dn.12xlarge`, `p6-b200.48xlarge`, `u-6tb1.metal`.
fn type_name(name: &str) -> Option<TypeName<'_>> {
    let (family, size) = name.split_once('.')?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_family = family.starts_with(|c: char| c.is_ascii_lowercase())
        && family.contains(|c: char| c.is_ascii_digit())
        && family.chars().all(is_plain);
    let size = match size {
        "nano" | "micro" | "small" | "medium" | "large" => 0,
        "xlarge" => 1,
        "metal" => u32::MAX,
        _ => match size.strip_prefix("metal-") {
            Some(rest) => rest.strip_suffix("xl")?.parse().ok()?,
            None => size.strip_suffix("xlarge")?.parse().ok()?,
        },
    };
    is_family.then_some(TypeName { cloud: Provider::Aws, family, size })
}

/// Whether an instance type has Amazon's own processors: a `g` after the generation, as in `m6gd`.
fn is_graviton(name: &str) -> bool {
    let family = name.split('.').next().unwrap_or_default();
    if family == "a1" {
        return true; // the first Graviton
    }
    let rest = family.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('g')
}
