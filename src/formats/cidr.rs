//! Addresses and networks as people write them: `172.17.0.5`, `172.17.0.0/24`. The text is kept for messages.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::ip::{Family, IpRange};

/// One address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    text: String,
    ip: IpAddr,
}

impl Address {
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(ip) => Ok(Address { text: text.to_owned(), ip }),
            Err(_) => Err("it is not an IP address".to_owned()),
        }
    }

    pub fn ip(&self) -> IpAddr {
        self.ip
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An address and the network that it is in. Most values give the first address of the network, but
/// whereabouts, for example, accepts any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cidr {
    text: String,
    ip: IpAddr,
    prefix_length: u8,
    range: IpRange,
}

impl Cidr {
    /// Reads `172.17.0.0/24` as Go's `net.ParseCIDR` does: no spaces, no sign, no missing parts.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((address, length)) = text.split_once('/') else {
            return Err("it is not a CIDR such as `172.17.0.0/24`".to_owned());
        };
        let ip = address.parse().map_err(|_| format!("\"{address}\" is not an IP address"))?;
        let longest = longest_prefix(ip);
        let digits = Some(length).filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
        let length = digits.and_then(|text| text.parse().ok()).filter(|length| *length <= longest);
        let length = length.ok_or_else(|| format!("its prefix length must be 0 to {longest}"))?;
        Self::of(text, ip, length)
    }

    /// The same, but an address alone is also accepted, as a network with one address.
    pub fn parse_or_host(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(ip) => Self::of(text, ip, longest_prefix(ip)),
            Err(_) => Self::parse(text),
        }
    }

    /// An address and its prefix length from two fields.
    pub fn from_parts(ip: IpAddr, prefix_length: u8) -> Result<Self, String> {
        Self::parse(&format!("{ip}/{prefix_length}"))
    }

    fn of(text: &str, ip: IpAddr, prefix_length: u8) -> Result<Self, String> {
        let range = IpRange::parse(&format!("{ip}/{prefix_length}"))?;
        Ok(Cidr { text: text.to_owned(), ip, prefix_length, range })
    }

    /// The address before the slash.
    pub fn ip(&self) -> IpAddr {
        self.ip
    }

    pub fn prefix_length(&self) -> u8 {
        self.prefix_length
    }

    pub fn family(&self) -> Family {
        self.range.family()
    }

    /// Every address of the network.
    pub fn range(&self) -> IpRange {
        self.range
    }

    /// The first address of the network, which names it.
    pub fn first(&self) -> IpAddr {
        match self.ip {
            IpAddr::V4(ip) => Ipv4Addr::from(u32::from(ip) & !self.v4_hosts()).into(),
            IpAddr::V6(ip) => Ipv6Addr::from(u128::from(ip) & !self.v6_hosts()).into(),
        }
    }

    /// The last address of the network, which in IPv4 is its broadcast address.
    pub fn last(&self) -> IpAddr {
        match self.ip {
            IpAddr::V4(ip) => Ipv4Addr::from(u32::from(ip) | self.v4_hosts()).into(),
            IpAddr::V6(ip) => Ipv6Addr::from(u128::from(ip) | self.v6_hosts()).into(),
        }
    }

    fn v4_hosts(&self) -> u32 {
        u32::MAX.checked_shr(self.prefix_length.into()).unwrap_or(0)
    }

    fn v6_hosts(&self) -> u128 {
        u128::MAX.checked_shr(self.prefix_length.into()).unwrap_or(0)
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The addresses from one to another.
pub fn between(start: IpAddr, end: IpAddr) -> Result<IpRange, String> {
    IpRange::parse(&format!("{start}-{end}"))
}

fn longest_prefix(ip: IpAddr) -> u8 {
    if ip.is_ipv4() { 32 } else { 128 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_have_ends_and_keep_their_text() {
        for (text, first, last) in [
            ("172.17.0.0/24", "172.17.0.0", "172.17.0.255"),
            ("172.17.0.77/26", "172.17.0.64", "172.17.0.127"),
            ("10.0.0.1/32", "10.0.0.1", "10.0.0.1"),
            ("0.0.0.0/0", "0.0.0.0", "255.255.255.255"),
            ("FD00:BBBB:0::5/64", "fd00:bbbb::", "fd00:bbbb::ffff:ffff:ffff:ffff"),
            ("::1/128", "::1", "::1"),
            ("::/0", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] {
            let cidr = Cidr::parse(text).unwrap();
            assert_eq!((cidr.first().to_string(), cidr.last().to_string()), (first.into(), last.into()));
            assert_eq!(cidr.to_string(), text);
            assert_eq!(cidr.range().to_string(), format!("{first}-{last}"));
            assert!(cidr.range().contains(cidr.ip()));
        }
        assert_eq!(Cidr::parse_or_host("10.0.0.7").unwrap().range().size(), 1);
        assert_eq!(Cidr::parse_or_host("10.0.0.7/31").unwrap().range().size(), 2);
        assert_eq!(Cidr::from_parts("fd00::5".parse().unwrap(), 64).unwrap().prefix_length(), 64);
    }

    #[test]
    fn what_go_refuses_is_refused() {
        for (text, why) in [
            ("172.17.0.0", "not a CIDR"),
            ("172.17.0/24", "\"172.17.0\" is not an IP address"),
            ("172.17.0.0/33", "0 to 32"),
            ("fd00::/129", "0 to 128"),
            ("172.17.0.0/+24", "0 to 32"),
            ("172.17.0.0/", "0 to 32"),
            (" 172.17.0.0/24", "\" 172.17.0.0\" is not an IP address"),
            ("172.17.0.0/24 ", "0 to 32"),
            ("_replaced_", "not a CIDR"),
        ] {
            let error = Cidr::parse(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert_eq!(Address::parse("192.168.123.1ØØ").unwrap_err(), "it is not an IP address");
        assert!(Cidr::from_parts("10.0.0.1".parse().unwrap(), 33).is_err());
        assert_eq!(Address::parse("FD00::0080").unwrap().to_string(), "FD00::0080");
    }
}
