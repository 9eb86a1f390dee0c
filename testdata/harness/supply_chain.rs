//! What the pages about signatures, disconnected networks and fleets say is what was tested and measured.

use std::collections::BTreeSet;
use std::fs;

use crate::host::{expect, root, run, tool_if_present};

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// The commands of cosign in a text, such as `sign-blob`.
fn commands(text: &str) -> BTreeSet<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).filter(|pair| pair[0].ends_with("cosign"));
    pairs
        .map(|pair| pair[1])
        .filter(|it| it.len() > 3 && it.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
        .collect()
}

#[test]
fn the_recipe_is_what_sign_test_runs() {
    let script = read("testdata/tools/sign-test");
    let tested = commands(&script);
    for page in ["docs/signing.md", "docs/offline.md"] {
        let text = read(page);
        let blocks: Vec<&str> = text.split("```console").skip(1).collect();
        let shown: String = blocks.iter().map(|block| block.split("```").next().unwrap()).collect();
        let shown = commands(&shown);
        assert!(shown.len() > 3, "{page}: {shown:?}");
        assert!(shown.is_subset(&tested), "{page} shows {shown:?}, sign-test runs {tested:?}");
    }
    let makefile = read("Makefile");
    let version = makefile.lines().find_map(|line| line.strip_prefix("COSIGN := ")).unwrap();
    assert!(read("docs/signing.md").contains(&format!("cosign {version},")), "{version}");
}

/// A bill in which one dependency has no checksum, or another one than Cargo.lock.
#[test]
fn a_dependency_without_provenance_is_reported() {
    let Some(python) = tool_if_present("python3") else { return };
    let lock = read("Cargo.lock");
    let package = lock.split("[[package]]").find(|block| block.contains("checksum = ")).unwrap();
    let field = |key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
        line.unwrap().trim_matches('"').to_owned()
    };
    let (name, version, checksum, source) =
        (field("name"), field("version"), field("checksum"), field("source"));
    let dir = tempfile::tempdir().unwrap();
    let check = |content: &str, url: &str| {
        let bill = serde_json::json!({"components": [{
            "name": name,
            "version": version,
            "bom-ref": format!("{source}#{name}@{version}"),
            "purl": url,
            "hashes": [{"alg": "SHA-256", "content": content}],
        }]});
        fs::write(dir.path().join("bill.json"), bill.to_string()).unwrap();
        let script = root().join("testdata/tools/check-bill");
        let lock = root().join("Cargo.lock");
        let args = [script.to_str().unwrap(), "bill.json", lock.to_str().unwrap()];
        run(&python, &args, b"", dir.path())
    };
    let url = format!("pkg:cargo/{name}@{version}");
    let good = check(&checksum, &url);
    assert!(good.success, "{}", good.stderr);
    for (content, url) in [("00", url.as_str()), (&checksum, "")] {
        let bad = check(content, url);
        assert!(!bad.success && bad.stderr.contains(&name), "{}", bad.stderr);
    }
}

/// The plan for a fleet uses the figures that `make bench-argocd` has written.
#[test]
fn the_plan_uses_measured_figures() {
    let (plan, measured) = (read("docs/scale.md"), read("benches/ARGOCD.md"));
    let (costs, rates) = measured.split_once("## Renders per second").unwrap();
    let rows = |table: &str| -> Vec<Vec<String>> {
        let lines = table.lines().filter(|line| line.starts_with("| ") && !line.contains("---")).skip(1);
        lines
            .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
            .collect()
    };
    let (costs, rates) = (rows(costs), rows(rates));
    assert_eq!((costs.len(), rates.len()), (7, 7));
    for (cost, rate) in costs.iter().zip(&rates) {
        assert_eq!(cost[..2], rate[..2]);
        let [way, application, cost] = &cost[..3] else { panic!("{cost:?}") };
        let shown = format!("| {way} | {application} | {cost} | {} | {} |", rate[2], rate[5]);
        assert!(plan.contains(&shown), "docs/scale.md lacks {shown:?}");
    }
    // What follows from them, for 3,000 Applications and 6 cores.
    let cost = |row: usize, column: usize| -> f64 { costs[row][column].parse().unwrap() };
    let (alone, together, from_ci, in_ci) = (cost(4, 2), cost(4, 5), cost(5, 2), cost(6, 2));
    for shown in [
        format!("all clusters use | 3,000 | {} | {:.0} s |", thousands(3000.0 * alone), 500.0 * alone),
        format!("one of ten packages | 300 | {:.0} | {:.0} s |", 300.0 * alone, 50.0 * alone),
        format!("rendered in CI | 3,000 | {:.0} | {:.0} s |", 3000.0 * from_ci, 500.0 * from_ci),
        format!("the same, in CI itself | 3,000 | {:.0} |", 3000.0 * in_ci),
        format!("a lost cache | 3,000 | {} | {:.0} s |", thousands(3000.0 * alone), 500.0 * alone),
        format!("costs Argo CD about {:.0} times as much as reading", alone / from_ci),
        format!("costs about {:.0} times as much as `rhoso-fn render`", alone / in_ci),
        format!("({alone:.3} and {together:.3} CPU seconds)"),
        format!(
            "in {:.0} CPU seconds, and the repo server reads the result in {:.0}",
            3000.0 * in_ci,
            3000.0 * from_ci
        ),
    ] {
        let plan = plan.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plan.contains(&shown), "docs/scale.md lacks {shown:?}");
    }
}

fn thousands(number: f64) -> String {
    let number = number.round() as u32;
    format!("{},{:03}", number / 1000, number % 1000)
}

/// The scripts are valid, also where nobody runs them.
#[test]
fn scripts_of_the_release_are_valid() {
    for script in ["sign-test", "reproducible"] {
        let path = root().join("testdata/tools").join(script);
        expect("bash", &["-n", path.to_str().unwrap()], b"", root());
    }
}
