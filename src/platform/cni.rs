//! The keys of CNI configurations. Plugins ignore other keys, and compare names without case.

/// The keys that every plugin may have.
const OF_ALL: [&str; 12] = [
    "args",
    "capabilities",
    "cniVersion",
    "cniVersions",
    "disableCheck",
    "disableGC",
    "dns",
    "ipMasq",
    "ipam",
    "name",
    "runtimeConfig",
    "type",
];

/// The keys of the plugins that RHOSO uses.
const OF_PLUGINS: [(&str, &[&str]); 6] = [
    (
        "bridge",
        &[
            "bridge",
            "disableContainerInterface",
            "enabledad",
            "forceAddress",
            "hairpinMode",
            "ipMasqBackend",
            "isDefaultGateway",
            "isGateway",
            "linkInContainer",
            "macspoofchk",
            "mtu",
            "portIsolation",
            "preserveDefaultVlan",
            "promiscMode",
            "vlan",
            "vlanTrunk",
        ],
    ),
    ("host-device", &["device", "hwaddr", "kernelpath", "pciBusID"]),
    ("ipvlan", &["linkInContainer", "master", "mode", "mtu"]),
    ("macvlan", &["bcqueuelen", "linkInContainer", "master", "mode", "mtu"]),
    ("tuning", &["allmulti", "mac", "mtu", "promisc", "sysctl", "txQLen"]),
    ("vlan", &["linkInContainer", "master", "mtu", "vlanId"]),
];

/// The keys of a plugin; none if they are not known.
pub fn plugin_keys(plugin: &str) -> Option<Vec<&'static str>> {
    let (_, own) = OF_PLUGINS.iter().find(|(name, _)| *name == plugin)?;
    Some(OF_ALL.iter().chain(*own).copied().collect())
}

/// The keys of `ipam` for whereabouts.
pub const WHEREABOUTS_KEYS: [&str; 28] = [
    "addresses",
    "configuration_path",
    "datastore",
    "dns",
    "enable_overlapping_ranges",
    "etcd_ca_cert_file",
    "etcd_cert_file",
    "etcd_host",
    "etcd_key_file",
    "etcd_password",
    "etcd_username",
    "exclude",
    "gateway",
    "ipRanges",
    "kubernetes",
    "leader_lease_duration",
    "leader_renew_deadline",
    "leader_retry_period",
    "log_file",
    "log_level",
    "network_name",
    "node_slice_size",
    "range",
    "range_end",
    "range_start",
    "reconciler_cron_expression",
    "routes",
    "type",
];

/// The keys of one of several ranges of whereabouts.
pub const RANGE_KEYS: [&str; 4] = ["exclude", "range", "range_end", "range_start"];

/// The keys of a route.
pub const ROUTE_KEYS: [&str; 7] = ["advmss", "dst", "gw", "mtu", "priority", "scope", "table"];
