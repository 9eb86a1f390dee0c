//! The map as a table for terminals.

use super::chart::{Chart, Subnet, Use, rules};
use crate::krm::{Finding, visible};
use crate::report::{Color, lines};

const HEADER: [&str; 6] = ["PURPOSE", "INSTANCE", "ADDRESSES", "COUNT", "USED BY", "FINDINGS"];

/// The column with findings, the last one.
const FINDINGS: usize = HEADER.len() - 1;

type Row = [String; HEADER.len()];

/// One table for each deployment, then the findings about it.
pub fn text(charts: &[Chart], color: Color) -> String {
    let mut out = String::new();
    for (position, chart) in charts.iter().enumerate() {
        if position > 0 {
            out.push('\n');
        }
        if charts.len() > 1 {
            out.push_str(&format!("{}\n\n", color.bold(&format!("# {}", visible(&chart.title)))));
        }
        out.push_str(&table(chart, color));
        if !chart.findings.is_empty() {
            out.push_str(&format!("\n{}", lines(&chart.findings, true)));
        }
    }
    out
}

fn table(chart: &Chart, color: Color) -> String {
    let rows =
        |subnet: &Subnet| -> Vec<Row> { subnet.uses.iter().map(|one| row(one, &chart.findings)).collect() };
    let subnets: Vec<(String, Vec<Row>)> = chart
        .networks
        .iter()
        .flat_map(|network| network.subnets.iter().map(|subnet| (title(&network.name, subnet), rows(subnet))))
        .collect();
    let header = HEADER.map(str::to_owned);
    let mut widths = [0; HEADER.len()];
    for row in subnets.iter().flat_map(|(_, rows)| rows).chain([&header]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = line(&header, &widths, Color::Plain);
    for ((title, rows), subnet) in subnets.iter().zip(chart.subnets()) {
        let marks = rules(&subnet.findings, &chart.findings).join(", ");
        let marks = if marks.is_empty() { marks } else { format!("  {}", color.red(&marks)) };
        out.push_str(&format!("\n{}{marks}\n", color.bold(title)));
        for row in rows {
            out.push_str(&line(row, &widths, color));
        }
    }
    out
}

/// `internalapi  172.17.0.0/24  VLAN 20  enp6s0.20`
fn title(network: &str, subnet: &Subnet) -> String {
    let cidr = subnet.cidr.to_string();
    let mut parts = vec![network.to_owned()];
    // A subnet without any name is named after its addresses.
    parts.extend(Some(cidr).filter(|cidr| cidr != network));
    parts.extend(subnet.is_assumed.then(|| "(assumed)".to_owned()));
    parts.extend(subnet.tag());
    parts.push(subnet.layer2());
    parts.retain(|part| !part.is_empty());
    visible(&parts.join("  ")).into_owned()
}

fn row(one: &Use, findings: &[Finding]) -> Row {
    let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    let row = [
        one.purpose.name().to_owned(),
        or_dash(one.instance()),
        one.ranges(),
        one.size().to_string(),
        one.some_holders(),
        rules(&one.findings, findings).join(", "),
    ];
    row.map(|cell| visible(&cell).into_owned())
}

fn line(row: &Row, widths: &[usize; HEADER.len()], color: Color) -> String {
    let mut line = String::new();
    for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
        let padding = " ".repeat(width - cell.chars().count());
        let cell = if column == FINDINGS { color.red(cell) } else { cell.clone() };
        line.push_str(&format!("  {cell}{padding}"));
    }
    format!("{}\n", line.trim_end())
}

impl Color {
    fn bold(self, text: &str) -> String {
        self.styled("1", text)
    }

    fn red(self, text: &str) -> String {
        self.styled("31", text)
    }
}
