//! `rhoso-fn map`: the table, the page, and how both treat deployments and input that cannot be read.

mod browser;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use self::page::Page;
use crate::host::{BINARY, Ended, root, run};
use crate::manuals::current;

/// Two instances with a collision.
fn plan() -> PathBuf {
    root().join("testdata/map")
}

fn map(args: &[&str], stdin: &str, dir: &Path) -> Ended {
    run(BINARY, &[&["map"], args].concat(), stdin.as_bytes(), dir)
}

/// The page of some manifests.
fn page(args: &[&str], stdin: &str, dir: &Path) -> Page {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("map.html");
    let ended = map(&[args, &["--output", file.to_str().unwrap()]].concat(), stdin, dir);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{}", ended.stderr);
    Page::read(&fs::read_to_string(file).unwrap())
}

/// A resource for each place of the map where text of users is shown.
fn hostile() -> String {
    let text = "<script>alert(\\\"1\\\")</script>\\x1b[31m&'";
    let pool = |name: &str, range: &str| {
        format!(
            "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {{name: \"{name}\"}}\nspec: {{addresses: [{range}], serviceAllocation: {{namespaces: [\"{text}\"]}}}}\n"
        )
    };
    let attachment = format!(
        "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {{name: \"n{text}\", namespace: \"{text}\"}}\nspec:\n  config: |\n    {{\"type\": \"macvlan\", \"master\": \"<script>\", \"ipam\": {{\"type\": \"whereabouts\", \"range\": \"10.9.0.0/24\"}}}}\n"
    );
    [pool(text, "10.0.0.1-10.0.0.9"), pool("b", "10.0.0.9-10.0.0.20"), attachment].join("---\n")
}

#[test]
fn the_table_shows_every_range_and_marks_collisions() {
    let ended = map(&["two-instances.yaml"], "", &plan());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    current(&plan().join("two-instances.txt"), &ended.stdout);
    let colored = map(&["two-instances.yaml", "--color", "always"], "", &plan()).stdout;
    assert!(colored.contains("\x1b[31mrange-overlap\x1b[0m"), "{colored}");
    let plain = colored.replace("\x1b[31m", "").replace("\x1b[1m", "").replace("\x1b[0m", "");
    assert_eq!(plain, ended.stdout);
}

#[test]
fn the_page_is_complete_by_itself() {
    let page = page(&["two-instances.yaml"], "", &plan());
    page.expect_valid();
    let bars = page.all("a", "href", "#d0u");
    let table = fs::read_to_string(plan().join("two-instances.txt")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("  ")).count() - 1;
    assert_eq!((bars.len(), page.all("tr", "id", "d0u").len()), (rows, rows));
    let bad: Vec<&str> =
        bars.iter().filter(|bar| bar["class"].contains("bad")).map(|bar| &*bar["aria-label"]).collect();
    let labels = [
        "allocate · openstack · 192.168.122.100-192.168.122.120 · NetConfig netconfig · range-overlap",
        "pool · openstack2 · 192.168.122.110-192.168.122.131 · IPAddressPool openstack2-ctlplane · range-overlap",
    ];
    assert_eq!(bad, labels);
    for text in
        ["VLAN 30", "172.17.1.0/24", "keystone.internal, placement.internal", "worker-0, worker-1, worker-2"]
    {
        assert!(page.text.contains(text), "{text}");
    }
}

#[test]
fn a_map_is_the_same_every_time() {
    let once = page(&["two-instances.yaml"], "", &plan());
    assert_eq!(once.html, page(&["two-instances.yaml"], "", &plan()).html);
    let template = once.html.split("<main>").next().unwrap();
    assert!(template.len() < 12_000, "{}", template.len());
}

#[test]
fn text_of_users_is_only_text() {
    let dir = tempfile::tempdir().unwrap();
    let page = page(&["-"], &hostile(), dir.path());
    page.expect_valid();
    assert!(page.text.contains("<script>alert(\"1\")</script>\\u{1b}[31m&'"), "{}", page.text);
    let table = map(&["-"], &hostile(), dir.path()).stdout;
    assert!(table.contains("pool-overlap") && !table.contains('\x1b'), "{table}");
}

/// The subnet is not known, and IPv6 networks are too large for a ruler.
#[test]
fn a_ruler_shows_the_part_in_use() {
    let pool = "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: p}\nspec: {addresses: [\"fd00:bbbb::80-fd00:bbbb::8f\"]}\n";
    let page = page(&["-"], pool, root());
    page.expect_valid();
    assert!(page.text.contains("fd00:bbbb::/64") && page.text.contains("assumed"), "{}", page.text);
    let bar = &page.all("a", "href", "#d0u0")[0];
    assert_eq!(bar["style"], "--x:50.0000%;--w:6.2500%;--y:0");
}

/// Sites may use the same addresses.
#[test]
fn networks_with_the_same_addresses_are_separate_if_their_vlans_differ() {
    let attachment = |name: &str, vlan: u16| {
        format!(
            "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {{name: {name}, namespace: a}}\nspec:\n  config: '{{\"type\": \"macvlan\", \"master\": \"eno1.{vlan}\", \"ipam\": {{\"type\": \"whereabouts\", \"range\": \"10.9.0.0/24\"}}}}'\n"
        )
    };
    let titles = |stdin: &str| -> Vec<String> {
        let table = map(&["-"], stdin, root()).stdout;
        table.lines().filter(|line| line.contains("10.9.0.0/24")).map(str::to_owned).collect()
    };
    let both = titles(&[attachment("x", 20), attachment("y", 30)].join("---\n"));
    assert_eq!(both, ["x  10.9.0.0/24  VLAN 20  eno1.20", "y  10.9.0.0/24  VLAN 30  eno1.30"]);
    let one = titles(&[attachment("x", 20), attachment("y", 20)].join("---\n"));
    assert_eq!(one, ["x  10.9.0.0/24  VLAN 20  eno1.20"]);
}

#[test]
fn deployments_are_never_mixed() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        fs::create_dir(dir.path().join(name)).unwrap();
        fs::copy(plan().join("two-instances.yaml"), dir.path().join(name).join("plan.yaml")).unwrap();
        let kustomization = "kind: Kustomization\nresources: [plan.yaml, none.yaml]\n";
        fs::write(dir.path().join(name).join("kustomization.yaml"), kustomization).unwrap();
        fs::write(dir.path().join(name).join("none.yaml"), "kind: A\nmetadata: {name: a}\n").unwrap();
    }
    fs::create_dir(dir.path().join("empty")).unwrap();
    fs::write(dir.path().join("empty/kustomization.yaml"), "resources: [x.yaml]\n").unwrap();
    fs::write(dir.path().join("empty/x.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
        .unwrap();
    let table = map(&["."], "", dir.path()).stdout;
    let titles: Vec<&str> = table.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(titles, ["# ./one", "# ./two"]);
    assert_eq!(table.matches("[range-overlap]").count(), 2, "{table}");
    let page = page(&["."], "", dir.path());
    page.expect_valid();
    assert_eq!(page.all("section", "id", "d").len(), 2);
}

#[test]
fn input_that_cannot_be_read_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), "a: [\n").unwrap();
    for (args, stdin, message) in [
        (&["a.yaml"][..], "", "a.yaml:"),
        (&["none.yaml"], "", "none.yaml"),
        (&["-"], "", "stdin is empty"),
        (&["-", "-o", "none/map.html"], "kind: A\n", "the directory none does not exist"),
    ] {
        let ended = map(args, stdin, dir.path());
        assert!(ended.code == Some(2) && ended.stderr.contains(message), "{args:?}: {ended:?}");
    }
    let ended = map(&["-"], "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", dir.path());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""));
    assert_eq!(ended.stderr, "These manifests contain no addresses.\n");
}
