//! The map as one HTML file. It loads nothing and runs no script: the ranges on the rulers are links to the rows of the
//! tables, so a keyboard reaches all of them.

mod ruler;
mod tables;

use std::fmt::{self, Write};

use self::ruler::ruler;
use super::chart::{Chart, Network, Purpose, Subnet, rules};
use crate::krm::{Finding, visible};

const STYLE: &str = include_str!("html/page.css");

/// A policy for browsers: whatever gets into the page by mistake, it cannot load or run anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Text of users as text of HTML. Control characters and invisible ones are made visible.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in visible(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The page with a section for each deployment.
pub fn html(charts: &[Chart]) -> String {
    let mut body = String::new();
    for (position, chart) in charts.iter().enumerate() {
        body.push_str(&section(position, chart));
    }
    if charts.is_empty() {
        body.push_str("<p>These manifests contain no addresses.</p>\n");
    }
    let contents = if charts.len() > 1 { contents(charts) } else { String::new() };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Address plan</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Address plan</h1>\n{}{contents}</header>\n<main>\n{body}</main>\n</body>\n</html>\n",
        legend()
    )
}

fn contents(charts: &[Chart]) -> String {
    let mut out = "<nav aria-label=\"Deployments\"><ul>\n".to_owned();
    for (position, chart) in charts.iter().enumerate() {
        let count = counted(chart.findings.len());
        out.push_str(&format!("<li><a href=\"#d{position}\">{}</a>{count}</li>\n", Escaped(&chart.title)));
    }
    out + "</ul></nav>\n"
}

fn legend() -> String {
    let mut out = "<ul class=\"legend\" aria-label=\"Legend\">\n".to_owned();
    for purpose in Purpose::ALL {
        let (name, meaning) = (purpose.name(), purpose.meaning());
        out.push_str(&format!(
            "<li><i class=\"{}\"></i><span><b>{name}</b> {meaning}</span></li>\n",
            class(purpose)
        ));
    }
    out + "<li><i class=\"bad\"></i><span><b>⚠</b> has findings</span></li>\n</ul>\n"
}

fn section(number: usize, chart: &Chart) -> String {
    let mut out = format!("<section id=\"d{number}\">\n<h2>{}</h2>\n", Escaped(&chart.title));
    out.push_str(&findings(number, &chart.findings));
    out.push_str(&tables::instances(chart));
    // Uses are numbered in the order in which they are shown.
    let mut next = 0;
    for network in &chart.networks {
        out.push_str(&format!("<h3>{}</h3>\n", Escaped(&network.name)));
        for subnet in &network.subnets {
            let page = Page { deployment: number, first_use: next, findings: &chart.findings };
            out.push_str(&page.subnet(network, subnet));
            next += subnet.uses.len();
        }
    }
    out + "</section>\n"
}

fn findings(deployment: usize, findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "<p class=\"ok\">No collisions found.</p>\n".to_owned();
    }
    let mut out = "<ul class=\"findings\" aria-label=\"Findings\">\n".to_owned();
    for (position, finding) in findings.iter().enumerate() {
        let place = &finding.location.place;
        let file = place.file.as_deref().unwrap_or_default();
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        out.push_str(&format!(
            "<li id=\"d{deployment}f{position}\" tabindex=\"-1\"><b>{} [{}]</b> {} <small>{}{line}</small></li>\n",
            finding.severity,
            finding.rule.id,
            Escaped(&finding.message),
            Escaped(file)
        ));
    }
    out + "</ul>\n"
}

/// What the parts of a section need to refer to each other.
struct Page<'c> {
    deployment: usize,
    /// The number of the first use of the subnet.
    first_use: usize,
    findings: &'c [Finding],
}

impl Page<'_> {
    fn subnet(&self, network: &Network, subnet: &Subnet) -> String {
        let cidr = subnet.cidr.to_string();
        let mut facts = Vec::new();
        facts.extend(subnet.is_assumed.then(|| "assumed: no resource defines the subnet".to_owned()));
        facts.extend(subnet.tag());
        facts.push(subnet.layer2());
        facts.retain(|fact| !fact.is_empty());
        let facts: String = facts.iter().map(|fact| format!(" <span>{}</span>", Escaped(fact))).collect();
        let marks: String = rules(&subnet.findings, self.findings)
            .iter()
            .map(|rule| format!(" <span class=\"mark\">⚠ {rule}</span>"))
            .collect();
        let class = if subnet.all_findings().is_empty() { "subnet" } else { "subnet bad" };
        let label = Escaped(&network.name);
        format!(
            "<article class=\"{class}\" aria-label=\"{label} {cidr}\">\n<h4>{cidr}{facts}{marks}</h4>\n{}{}</article>\n",
            ruler(self, subnet),
            tables::uses(self, subnet)
        )
    }

    /// The id of a row of the table, which a range on the ruler is a link to.
    fn id(&self, position: usize) -> String {
        format!("d{}u{}", self.deployment, self.first_use + position)
    }
}

fn class(purpose: Purpose) -> String {
    purpose.name().to_lowercase()
}

fn counted(findings: usize) -> String {
    match findings {
        0 => String::new(),
        1 => " <b class=\"mark\">⚠ 1 finding</b>".to_owned(),
        _ => format!(" <b class=\"mark\">⚠ {findings} findings</b>"),
    }
}
