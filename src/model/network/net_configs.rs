//! NetConfigs: the networks of compute nodes, and the ranges that their addresses come from.

use super::ranges::AddressRange;
use crate::formats::cidr::{Address, Cidr};
use crate::model::fields::{Field, Map, Reading, STRICT};
use crate::model::{ItemId, Misread, Sited, World};
use crate::platform::network::{HIGHEST_VLAN, NET_CONFIG};

#[derive(Debug, Clone, PartialEq)]
pub struct NetConfig {
    pub item: ItemId,
    pub namespace: Option<String>,
    pub name: String,
    pub networks: Vec<ComputeNetwork>,
}

/// A network of compute nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputeNetwork {
    /// infra-operator ignores case when it compares names of networks and subnets.
    pub name: Sited<String>,
    pub dns_domain: Option<Sited<String>>,
    /// Defaults to 1500.
    pub mtu: Option<Sited<u32>>,
    pub subnets: Vec<Subnet>,
}

impl ComputeNetwork {
    /// Whether the names show one network at two sites, such as `internalapi` and `internalapidcn1`. Sites may use the
    /// same VLANs and addresses.
    pub fn is_at_other_site(&self, other: &ComputeNetwork) -> bool {
        let (one, other) = (self.name.value.to_lowercase(), other.name.value.to_lowercase());
        let rest = one.strip_prefix(&other).or_else(|| other.strip_prefix(&one)).unwrap_or_default();
        rest.contains(|c: char| c.is_ascii_alphabetic()) && rest.contains(|c: char| c.is_ascii_digit())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Subnet {
    pub name: Sited<String>,
    /// Defaults to the one of the network.
    pub dns_domain: Option<Sited<String>>,
    pub cidr: Option<Sited<Cidr>>,
    pub gateway: Option<Sited<Address>>,
    /// None for untagged traffic.
    pub vlan: Option<Sited<u16>>,
    pub allocation_ranges: Vec<AddressRange>,
    /// Addresses that are never handed out, not even as a fixed address.
    pub exclude: Vec<Sited<Address>>,
    pub routes: Vec<SubnetRoute>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SubnetRoute {
    pub destination: Option<Sited<Cidr>>,
    pub next_hop: Option<Sited<Address>>,
}

pub fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<NetConfig> {
    let mut found = Vec::new();
    for (item, resource) in world.of_kind(NET_CONFIG) {
        let reading = Reading::new(item, resource, STRICT);
        let networks = reading.section("spec", |spec| {
            spec.require(&["networks"]);
            spec.each("networks", network)
        });
        misreads.extend(reading.finish().0);
        let id = resource.id();
        found.push(NetConfig { item, namespace: id.namespace.clone(), name: id.name.clone(), networks });
    }
    found
}

/// None for a network without a name, which nothing can refer to.
fn network(field: Field<'_>) -> Option<ComputeNetwork> {
    let network = field.map();
    network.require(&["name", "dnsDomain", "subnets"]);
    let name = network.string("name");
    let read = ComputeNetwork {
        dns_domain: network.string("dnsDomain"),
        mtu: network.number("mtu", u32::MAX.into()),
        subnets: network.each("subnets", subnet),
        name: name?,
    };
    Some(read)
}

/// Reads a subnet. The values files of the architecture repository have subnets of the same shape.
pub fn subnet(field: Field<'_>) -> Option<Subnet> {
    let subnet = field.map();
    subnet.require(&["name", "cidr", "allocationRanges"]);
    let name = subnet.string("name");
    let read = Subnet {
        dns_domain: subnet.string("dnsDomain"),
        cidr: subnet.cidr("cidr"),
        gateway: subnet.address("gateway"),
        vlan: subnet.number("vlan", HIGHEST_VLAN),
        allocation_ranges: subnet.each("allocationRanges", allocation_range),
        exclude: subnet.each("excludeAddresses", |field| field.parse(Address::parse)),
        routes: subnet.each("routes", |field| Some(route(&field.map()))),
        name: name?,
    };
    Some(read)
}

fn allocation_range(field: Field<'_>) -> Option<AddressRange> {
    let range = field.map();
    range.require(&["start", "end"]);
    let (start, end) = (range.address("start"), range.address("end"));
    let read = AddressRange::read(range.reading, start, end, None, range.site)?;
    // The webhook of infra-operator demands that the start is below the end (`errInvalidRange`).
    if read.addresses.size() == 1 {
        let why = "infra-operator rejects a range of one address";
        range.reading.bad_text(read.site.clone(), read.to_string(), why);
    }
    Some(read)
}

fn route(route: &Map<'_>) -> SubnetRoute {
    route.require(&["destination", "nexthop"]);
    SubnetRoute { destination: route.cidr("destination"), next_hop: route.address("nexthop") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing;

    const HEAD: &str = "apiVersion: network.openstack.org/v1beta1\nkind: NetConfig\nmetadata: {name: netconfig, namespace: openstack}\n";

    fn misreads(spec: &str) -> Vec<String> {
        testing::read(&format!("{HEAD}{spec}"), read).1
    }

    #[test]
    fn networks_are_read_with_their_sites() {
        let text = format!(
            "{HEAD}spec:
  networks:
  - name: CtlPlane
    dnsDomain: ctlplane.example.com
    mtu: 1500
    subnets:
    - name: subnet1
      cidr: 192.168.122.0/24
      gateway: 192.168.122.1
      allocationRanges:
      - {{end: 192.168.122.120, start: 192.168.122.100}}
      - start: \"192.168.122.150\"
        end: '192.168.122.200'
      excludeAddresses: [192.168.122.110]
      routes:
      - destination: 0.0.0.0/0
        nexthop: 192.168.122.1
  - {{name: internalapi, dnsDomain: i.example.com, subnets: [{{name: s1, cidr: \"FD00:BBBB::/64\", vlan: 0x14, allocationRanges: []}}]}}
"
        );
        let (found, misreads) = testing::read(&text, read);
        assert_eq!(misreads, [""; 0]);
        let [config] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((config.namespace.as_deref(), config.name.as_str()), (Some("openstack"), "netconfig"));
        let [control, internal] = config.networks.as_slice() else { panic!("{config:?}") };
        assert_eq!(control.name.value, "CtlPlane");
        assert_eq!(control.mtu.as_ref().unwrap().value, 1500);
        let subnet = &control.subnets[0];
        let ranges: Vec<String> = subnet.allocation_ranges.iter().map(ToString::to_string).collect();
        assert_eq!(ranges, ["192.168.122.100-192.168.122.120", "192.168.122.150-192.168.122.200"]);
        let end = subnet.allocation_ranges[1].end.as_ref().unwrap();
        let path = "spec.networks[0].subnets[0].allocationRanges[1].end";
        assert_eq!(end.site.path.to_string(), path);
        assert_eq!(
            subnet.exclude[0].site.path.to_string(),
            "spec.networks[0].subnets[0].excludeAddresses[0]"
        );
        let route = &subnet.routes[0];
        assert_eq!(route.destination.as_ref().unwrap().value.to_string(), "0.0.0.0/0");
        assert_eq!(route.next_hop.as_ref().unwrap().value, subnet.gateway.as_ref().unwrap().value);
        let subnet = &internal.subnets[0];
        assert_eq!(subnet.vlan.as_ref().unwrap().value, 20);
        assert_eq!(subnet.cidr.as_ref().unwrap().value.to_string(), "FD00:BBBB::/64", "as it is written");
        assert!(internal.mtu.is_none() && subnet.allocation_ranges.is_empty());
    }

    #[test]
    fn values_of_other_types_are_misreads() {
        let found = misreads(
            "spec:
  networks:
  - {name: 7, dnsDomain: a.example.com, mtu: '1500', subnets: {}}
  - name: b
    dnsDomain: b.example.com
    subnets:
    - {name: s, cidr: 10, gateway: [], vlan: \"20\", allocationRanges: x, excludeAddresses: [1, null], routes: [a]}
    - {name: t, cidr: 10.0.0.0/24, vlan: 4095, allocationRanges: [], mtu: any}
    - {name: u, cidr: 10.0.1.0/24, vlan: -1, allocationRanges: [null]}
",
        );
        let b = "spec.networks[1].subnets";
        assert_eq!(
            found,
            [
                "spec.networks[0].name: must be a string, but is a number".to_owned(),
                "spec.networks[0].mtu: must be a whole number, but is a string".to_owned(),
                "spec.networks[0].subnets: must be a list, but is a mapping".to_owned(),
                format!("{b}[0].cidr: must be a string, but is a number"),
                format!("{b}[0].gateway: must be a string, but is a list"),
                format!("{b}[0].vlan: must be a whole number, but is a string"),
                format!("{b}[0].allocationRanges: must be a list, but is a string"),
                format!("{b}[0].excludeAddresses[0]: must be a string, but is a number"),
                format!("{b}[0].excludeAddresses[1]: must be a string, but is null"),
                format!("{b}[0].routes[0]: must be a mapping, but is a string"),
                format!("{b}[1].vlan: must be a whole number from 0 to 4094, but is 4095"),
                format!("{b}[2].vlan: must be a whole number from 0 to 4094, but is -1"),
                format!("{b}[2].allocationRanges[0]: must be a mapping, but is null"),
            ]
        );
        assert_eq!(misreads("spec: []\n"), ["spec: must be a mapping, but is a list"]);
        assert_eq!(misreads("spec: {networks: 1}\n"), ["spec.networks: must be a list, but is a number"]);
        assert_eq!(misreads(""), [""; 0]);
    }

    #[test]
    fn missing_fields_are_misreads_of_their_parent() {
        let found = misreads(
            "spec:
  networks:
  - {}
  - name: b
    dnsDomain: b.example.com
    subnets: [{name: null}, {name: s, cidr: 10.0.0.0/24, allocationRanges: [{start: 10.0.0.1}], routes: [{}]}]
",
        );
        let b = "spec.networks[1].subnets";
        assert_eq!(
            found,
            [
                "spec.networks[0]: `name` is missing".to_owned(),
                "spec.networks[0]: `dnsDomain` is missing".to_owned(),
                "spec.networks[0]: `subnets` is missing".to_owned(),
                format!("{b}[0]: `name` is missing"),
                format!("{b}[0]: `cidr` is missing"),
                format!("{b}[0]: `allocationRanges` is missing"),
                format!("{b}[1].allocationRanges[0]: `end` is missing"),
                format!("{b}[1].routes[0]: `destination` is missing"),
                format!("{b}[1].routes[0]: `nexthop` is missing"),
            ]
        );
        assert_eq!(misreads("spec: {}\n"), ["spec: `networks` is missing"]);
    }

    #[test]
    fn texts_that_are_not_addresses_are_misreads() {
        let found = misreads(
            "spec:
  networks:
  - name: a
    dnsDomain: a.example.com
    subnets:
    - name: s
      cidr: 10.0.0.0/33
      gateway: 192.168.123.1ØØ
      allocationRanges: [{start: 10.0.0.9, end: 10.0.0.1}, {start: 10.0.0.1, end: 'fd00::1'}, {start: _replaced_, end: 10.0.0.9}]
      excludeAddresses: [10.0.0]
      routes: [{destination: 10.1.0.0, nexthop: ''}]
",
        );
        let s = "spec.networks[0].subnets[0]";
        assert_eq!(
            found,
            [
                format!("{s}.cidr: 10.0.0.0/33: its prefix length must be 0 to 32"),
                format!("{s}.gateway: 192.168.123.1ØØ: it is not an IP address"),
                format!(
                    "{s}.allocationRanges[0]: 10.0.0.9-10.0.0.1: it ends before it begins (10.0.0.1 is below 10.0.0.9)"
                ),
                format!(
                    "{s}.allocationRanges[1]: 10.0.0.1-fd00::1: its two addresses are of different families"
                ),
                format!("{s}.allocationRanges[2].start: _replaced_: it is not an IP address"),
                format!("{s}.excludeAddresses[0]: 10.0.0: it is not an IP address"),
                format!("{s}.routes[0].destination: 10.1.0.0: it is not a CIDR such as `172.17.0.0/24`"),
                format!("{s}.routes[0].nexthop: : it is not an IP address"),
            ]
        );
    }
}
