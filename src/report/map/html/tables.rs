//! The tables of the page: the networks of each instance, and what a subnet is used for.

use super::{Escaped, Page, class};
use crate::report::map::chart::{Chart, Subnet};

/// The VLAN and the addresses of every network of every instance.
pub fn instances(chart: &Chart) -> String {
    let rows = chart.instances();
    if rows.is_empty() {
        return String::new();
    }
    // Networks that no instance uses, such as those of nodes alone, would be empty columns.
    let is_used = |position: &usize| rows.iter().any(|(_, row)| row.contains_key(position));
    let columns: Vec<usize> = (0..chart.networks.len()).filter(is_used).collect();
    let mut out =
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"plan\">\n<caption>Networks of each instance</caption>\n<thead><tr><th scope=\"col\">Instance</th>"
            .to_owned();
    for position in &columns {
        out.push_str(&format!("<th scope=\"col\">{}</th>", Escaped(&chart.networks[*position].name)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (instance, row) in &rows {
        out.push_str(&format!("<tr><th scope=\"row\">{}</th>", Escaped(instance)));
        for position in &columns {
            let subnets = row.get(position).map(Vec::as_slice).unwrap_or_default();
            let cells: Vec<String> = subnets.iter().map(|subnet| cell(subnet)).collect();
            out.push_str(&format!("<td>{}</td>", cells.join("<br>")));
        }
        out.push_str("</tr>\n");
    }
    out + "</tbody></table></div>\n"
}

fn cell(subnet: &Subnet) -> String {
    let tag = subnet.tag().map(|tag| format!("<b>{tag}</b> ")).unwrap_or_default();
    format!("{tag}<span>{}</span>", subnet.cidr)
}

/// Every range and address of a subnet.
pub fn uses(page: &Page<'_>, subnet: &Subnet) -> String {
    if subnet.uses.is_empty() {
        return String::new();
    }
    let mut out = "<table class=\"uses\">\n<thead><tr><th scope=\"col\">Purpose</th><th scope=\"col\">Instance</th><th scope=\"col\">Addresses</th><th scope=\"col\">Count</th><th scope=\"col\">Used by</th><th scope=\"col\">Findings</th></tr></thead>\n<tbody>\n".to_owned();
    for (position, one) in subnet.uses.iter().enumerate() {
        let findings: Vec<String> = one.findings.iter().map(|finding| link(page, *finding)).collect();
        out.push_str(&format!(
            "<tr id=\"{}\" tabindex=\"-1\"><td><i class=\"{}\"></i>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            page.id(position),
            class(one.purpose),
            one.purpose.name(),
            Escaped(&one.instance()),
            one.ranges(),
            one.size(),
            Escaped(&one.holders.join(", ")),
            findings.join(" ")
        ));
    }
    out + "</tbody></table>\n"
}

fn link(page: &Page<'_>, finding: usize) -> String {
    let rule = page.findings[finding].rule.id;
    format!("<a class=\"mark\" href=\"#d{}f{finding}\">⚠ {rule}</a>", page.deployment)
}
