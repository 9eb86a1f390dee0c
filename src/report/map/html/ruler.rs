//! The ruler of a subnet: a lane for each instance, with its ranges where their addresses are.

use crate::krm::Order;
use std::collections::BTreeMap;

use super::{Escaped, Page, class};
use crate::formats::ip::IpRange;
use crate::report::map::chart::{Purpose, Subnet, Use, rules};
use crate::report::map::layout::natural;

/// Larger subnets are shown from the first to the last address in use: an IPv6 network would show nothing else.
const LARGEST: u128 = 4096;

/// The smallest number of host bits of a part of a subnet.
const LEAST_HOST_BITS: u32 = 8;

/// The width of a letter in millionths of the ruler. Short ranges have no room for a name.
const WIDTH_OF_LETTER: usize = 6_500;

/// What sorts lanes: nodes come first, then instances by name.
type Lane = (bool, (String, u128, String));

pub fn ruler(page: &Page<'_>, subnet: &Subnet) -> String {
    let window = window(subnet);
    let mut lanes: BTreeMap<Lane, Vec<usize>> = BTreeMap::new();
    for (position, one) in subnet.uses.iter().enumerate() {
        let instance = natural(&one.instance());
        lanes.entry((one.purpose != Purpose::Nodes, instance)).or_default().push(position);
    }
    let mut out = "<div class=\"ruler\">\n".to_owned();
    for ((is_instance, (.., instance)), positions) in lanes {
        let label = match (is_instance, instance.as_str()) {
            (false, _) => Purpose::Nodes.name(),
            (true, "") => "any",
            (true, instance) => instance,
        };
        let mut end_of_row: Vec<u32> = Vec::new();
        let mut html = String::new();
        for (_, bar) in bars(&window, subnet, &positions) {
            let row = bar.row(&mut end_of_row);
            html.push_str(&bar.html(page, &subnet.uses[bar.position], row));
        }
        let rows = end_of_row.len().max(1);
        out.push_str(&format!(
            "<div class=\"name\">{}</div><div class=\"lane\" style=\"--rows:{rows}\">\n{html}</div>\n",
            Escaped(label)
        ));
    }
    out + &scale(&window) + "</div>\n"
}

/// The bars of a lane by address, first ranges, and then the single addresses that are in them.
fn bars(window: &IpRange, subnet: &Subnet, positions: &[usize]) -> Vec<((bool, u32), Bar)> {
    let mut bars = Vec::new();
    for position in positions.iter().copied() {
        let one = &subnet.uses[position];
        let is_inside = matches!(one.purpose, Purpose::Vip | Purpose::Hosts);
        for piece in &one.addresses {
            let (start, width) = window.share(piece);
            bars.push(((is_inside, start), Bar { position, start, width }));
        }
    }
    bars.order_by_key(|(order, _)| *order);
    bars
}

/// The addresses that the ruler shows.
fn window(subnet: &Subnet) -> IpRange {
    let whole = subnet.cidr.range();
    let ranges = || subnet.uses.iter().flat_map(|one| &one.addresses);
    let hull = ranges().min().map(|first| ranges().fold(*first, |hull, range| hull.extended_to(range)));
    match hull {
        Some(hull) if whole.size() > LARGEST => {
            hull.network(LEAST_HOST_BITS).map_or(whole, |network| network.range())
        }
        _ => whole,
    }
}

/// The addresses at the ends and at the quarters.
fn scale(window: &IpRange) -> String {
    let mut out = "<div class=\"name\"></div><div class=\"scale\" aria-hidden=\"true\">".to_owned();
    let quarters = window.quarters();
    for (number, ip) in quarters.iter().enumerate() {
        // Inside a network, the end of an address is enough.
        let text = if number == 0 { ip.to_string() } else { ending(&ip.to_string()) };
        out.push_str(&format!("<span>{text}</span>"));
    }
    out.push_str(&format!("<span>{}</span></div>\n", ending(&window.last().to_string())));
    out
}

/// `.64` of `172.17.0.64`
fn ending(address: &str) -> String {
    let at = address.rfind(['.', ':']).unwrap_or_default();
    address[at..].to_owned()
}

/// A range on the ruler, in millionths.
struct Bar {
    /// The position of its use.
    position: usize,
    start: u32,
    width: u32,
}

impl Bar {
    /// The first row of the lane with room for the bar. Ranges that overlap are in different rows.
    fn row(&self, end_of_row: &mut Vec<u32>) -> usize {
        /// A single address is drawn wider than it is.
        const LEAST: u32 = 7_000;
        let end = self.start + self.width.max(LEAST);
        match end_of_row.iter().position(|taken| *taken <= self.start) {
            Some(row) => {
                end_of_row[row] = end;
                row
            }
            None => {
                end_of_row.push(end);
                end_of_row.len() - 1
            }
        }
    }

    fn html(&self, page: &Page<'_>, one: &Use, row: usize) -> String {
        let purpose = one.purpose.name();
        let marks = rules(&one.findings, page.findings).join(", ");
        let sign = if marks.is_empty() { "" } else { "⚠ " };
        let width_of_name = (sign.chars().count() + purpose.len() + 1) * WIDTH_OF_LETTER;
        let name = if self.width as usize >= width_of_name { purpose } else { "" };
        let bad = if marks.is_empty() { "" } else { " bad" };
        let side = if self.start > 600_000 { " end" } else { "" };
        let instance = one.instance();
        let parts = [purpose, &instance, &one.ranges(), &one.some_holders(), &marks];
        let label: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let label = label.join(" · ");
        let label = Escaped(&label);
        format!(
            "<a class=\"{}{bad}{side}\" href=\"#{}\" style=\"--x:{};--w:{};--y:{row}\" aria-label=\"{label}\">{sign}{name}<span>{label}</span></a>\n",
            class(one.purpose),
            page.id(self.position),
            percent(self.start),
            percent(self.width),
        )
    }
}

fn percent(millionths: u32) -> String {
    format!("{}.{:04}%", millionths / 10_000, millionths % 10_000)
}
