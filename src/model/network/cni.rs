//! CNI configurations, which are JSON in a string: the interface that pods are attached to, and their addresses.

mod keys;

pub use keys::UnknownKey;

use super::ranges::AddressRange;
use crate::formats::cidr::{Address, Cidr};
use crate::model::Sited;
use crate::model::fields::{Field, Map};
use crate::platform::network::HIGHEST_VLAN;
use crate::platform::network::attachment::{INTERFACE, MORE_RANGES, PLUGINS, VLAN, WHEREABOUTS};

/// A CNI configuration. In a chain of plugins, the first one that sets a value takes precedence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// The type: `macvlan`, `bridge`, `host-device` and so on.
    pub plugin: Option<Sited<String>>,
    /// The interface of the node: a master, a bridge or a device.
    pub interface: Option<Sited<String>>,
    pub vlan: Option<Sited<u16>>,
    pub mtu: Option<Sited<u32>>,
    /// The type of the IPAM plugin.
    pub ipam: Option<Sited<String>>,
    /// The ranges of whereabouts. Those of other IPAM plugins are not read.
    pub ranges: Vec<AttachmentRange>,
    pub gateway: Option<Sited<Address>>,
    pub routes: Vec<AttachmentRoute>,
    /// Keys that their plugins ignore, as far as the plugins are known.
    pub unknown_keys: Vec<UnknownKey>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AttachmentRange {
    pub network: Sited<Cidr>,
    /// What addresses are handed out from. Without limits this is the whole network, although whereabouts leaves out
    /// its first and last address.
    pub range: AddressRange,
    pub exclude: Vec<Sited<Cidr>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AttachmentRoute {
    pub destination: Option<Sited<Cidr>>,
    /// The gateway of the configuration when it is missing.
    pub next_hop: Option<Sited<Address>>,
}

/// Reads CNI JSON.
pub fn config(field: Field<'_>) -> Option<Config> {
    field.json(|document| {
        let mut config = Config::default();
        if document.get(PLUGINS).is_some() {
            for plugin in document.each(PLUGINS, |field| Some(field.map())) {
                config.add(&plugin);
            }
        } else {
            config.add(&document);
        }
        config
    })
}

impl Config {
    fn add(&mut self, plugin: &Map<'_>) {
        plugin.require(&["type"]);
        let kind = plugin.string("type");
        if let Some(kind) = &kind {
            keys::of_plugin(&kind.value, plugin, &mut self.unknown_keys);
        }
        let interface = plugin.first_of(&INTERFACE).and_then(Field::string);
        let vlan = plugin.first_of(&VLAN).and_then(|field| field.number(HIGHEST_VLAN));
        let mtu = plugin.number("mtu", u32::MAX.into());
        let ipam = plugin.map("ipam");
        let ipam_kind = ipam.string("type");
        if ipam_kind.as_ref().is_some_and(|kind| kind.value == WHEREABOUTS) {
            self.add_ranges(&ipam);
        }
        let gateway = ipam.address("gateway");
        for route in ipam.each("routes", |field| Some(field.map())) {
            keys::of_route(&route, &mut self.unknown_keys);
            self.routes.push(read_route(&route));
        }
        self.plugin = self.plugin.take().or(kind);
        self.interface = self.interface.take().or(interface);
        self.vlan = self.vlan.take().or(vlan);
        self.mtu = self.mtu.take().or(mtu);
        self.ipam = self.ipam.take().or(ipam_kind);
        self.gateway = self.gateway.take().or(gateway);
    }

    fn add_ranges(&mut self, ipam: &Map<'_>) {
        let more = ipam.each(MORE_RANGES, |field| Some(field.map()));
        if more.is_empty() {
            ipam.require(&["range"]);
        }
        keys::of_whereabouts(ipam, &mut self.unknown_keys);
        self.ranges.extend(range(ipam));
        for more in more {
            more.require(&["range"]);
            keys::of_range(&more, &mut self.unknown_keys);
            self.ranges.extend(range(&more));
        }
    }
}

/// None without a range, or with one that cannot be read.
fn range(map: &Map<'_>) -> Option<AttachmentRange> {
    let exclude = map.each("exclude", |field| field.parse(Cidr::parse_or_host));
    let (start, end) = (map.address("range_start"), map.address("range_end"));
    let written = map.get("range")?.parse(written_range)?;
    if map.is_unread("range_start", &start) || map.is_unread("range_end", &end) {
        return None;
    }
    let site = written.site;
    let (network, limits) = written.value;
    let sited = |address| Sited { value: address, site: site.clone() };
    // whereabouts prefers limits that are part of the range.
    let (start, end) = match limits {
        Some((first, last)) => (Some(sited(first)), Some(sited(last))),
        None => (start, end),
    };
    let range_site = start.as_ref().map_or_else(|| site.clone(), |start| start.site.clone());
    let range = AddressRange::read(map.reading, start, end, Some(&network), range_site)?;
    Some(AttachmentRange { network: Sited { value: network, site }, range, exclude })
}

/// `172.17.0.0/24`, or with its limits `172.17.0.30-172.17.0.70/24`.
fn written_range(text: &str) -> Result<(Cidr, Option<(Address, Address)>), String> {
    let Some((first, rest)) = text.split_once('-') else { return Ok((Cidr::parse(text)?, None)) };
    let (first, network) = (Address::parse(first)?, Cidr::parse(rest)?);
    let last = Address::parse(&network.ip().to_string())?;
    Ok((network, Some((first, last))))
}

fn read_route(route: &Map<'_>) -> AttachmentRoute {
    route.require(&["dst"]);
    AttachmentRoute { destination: route.cidr("dst"), next_hop: route.address("gw") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::attachments::read;
    use crate::model::testing;

    const HEAD: &str = "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: octavia, namespace: openstack}\n";

    fn attachment(spec: &str) -> (Config, Vec<String>) {
        let (mut found, misreads) = testing::read(&format!("{HEAD}{spec}"), read);
        (found.remove(0).config, misreads)
    }

    fn config(json: &str) -> (Config, Vec<String>) {
        attachment(&format!("spec:\n  config: |\n    {}\n", json.replace('\n', "\n    ")))
    }

    fn text(value: &Option<Sited<String>>) -> Option<&str> {
        value.as_ref().map(|value| value.value.as_str())
    }

    fn ranges(config: &Config) -> Vec<String> {
        config.ranges.iter().map(|range| range.range.to_string()).collect()
    }

    #[test]
    fn a_plugin_is_read_with_sites_in_the_text() {
        let (config, misreads) = config(
            r#"{
  "cniVersion": "0.3.1",
  "name": "octavia",
  "type": "bridge",
  "bridge": "octbr",
  "vlan": 24,
  "mtu": 1496,
  "isGateway": false,
  "ipam": {
    "type": "whereabouts",
    "range": "172.23.0.0/24",
    "range_start": "172.23.0.30",
    "range_end": "172.23.0.70",
    "exclude": ["172.23.0.40/30", "172.23.0.50"],
    "gateway": "172.23.0.1",
    "routes": [{"dst": "172.24.0.0/16", "gw" : "172.23.0.150"}, {"dst": "0.0.0.0/0"}]
  }
}"#,
        );
        assert_eq!(misreads, [""; 0]);
        assert_eq!((text(&config.plugin), text(&config.interface)), (Some("bridge"), Some("octbr")));
        assert_eq!((config.vlan.unwrap().value, config.mtu.unwrap().value), (24, 1496));
        let range = &config.ranges[0];
        assert_eq!(range.range.to_string(), "172.23.0.30-172.23.0.70");
        let site = &range.range.end.as_ref().unwrap().site;
        assert_eq!(site.path.to_string(), "spec.config");
        assert_eq!(site.inside.as_ref().unwrap().to_string(), "ipam.range_end");
        let excluded: u128 = range.exclude.iter().map(|cidr| cidr.value.range().size()).sum();
        assert_eq!(excluded, 5);
        assert_eq!(config.gateway.unwrap().value.to_string(), "172.23.0.1");
        assert_eq!(config.routes[0].next_hop.as_ref().unwrap().value.to_string(), "172.23.0.150");
        assert_eq!(config.routes[1].next_hop, None);
    }

    #[test]
    fn other_forms_are_read_as_well() {
        let (chain, misreads) = attachment(
            r#"spec: {config: '{"plugins": [{"type": "macvlan", "master": "internalapi", "ipam": {"type": "whereabouts", "ipRanges": [{"range": "10.0.0.0/24", "range_start": "10.0.0.9"}, {"range": "fd00::10-fd00::20/64"}]}}, {"type": "tuning", "mtu": 9000}]}'}"#,
        );
        assert_eq!(misreads, [""; 0]);
        assert_eq!((text(&chain.plugin), text(&chain.interface)), (Some("macvlan"), Some("internalapi")));
        assert_eq!(chain.mtu.as_ref().unwrap().site.inside.as_ref().unwrap().to_string(), "plugins[1].mtu");
        assert_eq!(ranges(&chain), ["10.0.0.9-10.0.0.255", "fd00::10-fd00::20"]);

        let (whole, misreads) = config(
            r#"{"type": "host-device", "device": "eno2", "ipam": {"type": "whereabouts", "range": "10.0.0.7/29"}}"#,
        );
        assert_eq!(
            (text(&whole.interface), ranges(&whole), misreads.len()),
            (Some("eno2"), vec!["10.0.0.7/29".into()], 0)
        );
        assert_eq!(whole.ranges[0].range.addresses.to_string(), "10.0.0.0-10.0.0.7");

        let (typos, _) = config(
            r#"{"type": "macvlan", "Master": "a", "mtuu": 1, "ipam": {"type": "whereabouts", "rnge": "", "gatewy": "", "ipRanges": [{"strat": ""}], "range_end": ""}}"#,
        );
        let found: Vec<&str> = typos.unknown_keys.iter().map(|found| found.key.value.as_str()).collect();
        assert_eq!(found, ["mtuu", "rnge", "gatewy", "strat"]);
        let may_be = &typos.unknown_keys[2].missing;
        assert!(may_be.contains(&"gateway") && !may_be.contains(&"range") && !may_be.contains(&"range_end"));

        let (other, misreads) = config(r#"{"type": "vlan", "ipam": {"type": "dhcp", "range": 1}}"#);
        assert_eq!((other.ranges, misreads), (Vec::new(), Vec::new()));
    }

    #[track_caller]
    fn misreads(json: &str, expected: &[&str]) {
        let (config, found) = config(json);
        let expected: Vec<String> = expected.iter().map(|line| format!("spec.config > {line}")).collect();
        assert_eq!((found, config.ranges), (expected, Vec::new()));
    }

    #[test]
    fn what_cannot_be_read_is_a_misread() {
        misreads("[]", &[": must be a mapping, but is a list"]);
        misreads("{}", &[": `type` is missing"]);
        misreads(
            r#"{"type": 1, "master": 2, "vlan": "20", "mtu": -1, "ipam": []}"#,
            &[
                "type: `type` must be a string, but is a number",
                "master: `master` must be a string, but is a number",
                "vlan: `vlan` must be a whole number, but is a string",
                "mtu: `mtu` must be a whole number from 0 to 4294967295, but is -1",
                "ipam: `ipam` must be a mapping, but is a list",
            ],
        );
        misreads(r#"{"plugins": {}}"#, &["plugins: `plugins` must be a list, but is a mapping"]);
        let plugins = "plugins[0]: `plugins[0]` must be a mapping, but is a number";
        misreads(r#"{"plugins": [1, {"type": "a"}]}"#, &[plugins]);
    }

    #[test]
    fn bad_ranges_and_addresses_are_misreads() {
        let whereabouts = |ipam: &str, expected: &[&str]| {
            misreads(&format!(r#"{{"type": "a", "ipam": {{"type": "whereabouts", {ipam}}}}}"#), expected);
        };
        whereabouts(
            r#""gateway": "x", "routes": [{"gw": "10.0.0.1O"}]"#,
            &[
                "ipam: `range` is missing",
                "ipam.gateway: x: it is not an IP address",
                "ipam.routes[0]: `dst` is missing",
                "ipam.routes[0].gw: 10.0.0.1O: it is not an IP address",
            ],
        );
        whereabouts(
            r#""range": "10.0.0.0/24", "range_start": "CHANGEME", "exclude": ["10.0.0.0/40"]"#,
            &[
                "ipam.exclude[0]: 10.0.0.0/40: its prefix length must be 0 to 32",
                "ipam.range_start: CHANGEME: it is not an IP address",
            ],
        );
        whereabouts(
            r#""range": "10.0.0.0/24", "range_start": "10.0.0.9", "range_end": "10.0.0.8""#,
            &["ipam.range_start: 10.0.0.9-10.0.0.8: it ends before it begins (10.0.0.8 is below 10.0.0.9)"],
        );
        whereabouts(
            r#""ipRanges": [{"range": "10.0.0.0"}, {}]"#,
            &[
                "ipam.ipRanges[0].range: 10.0.0.0: it is not a CIDR such as `172.17.0.0/24`",
                "ipam.ipRanges[1]: `range` is missing",
            ],
        );
    }
}
