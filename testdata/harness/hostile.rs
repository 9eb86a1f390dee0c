//! Hostile input gives a result, or a clear error with line and column, in linear time and memory. It never
//! causes a panic or a stack overflow. The tests attack the built binary.

use std::path::Path;

use crate::host::{BINARY, Ended, run};

/// An item that the function changes.
const PLANE: &str = "- apiVersion: core.openstack.org/v1beta1\n  kind: OpenStackControlPlane\n  metadata: {name: plane}\n  spec: {nova: {}}\n";

fn list_with(item: &str) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{item}functionConfig:\n  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: InjectGpuAlias\n  metadata: {{name: x}}\n  spec:\n    aliases:\n    - {{name: a, vendorId: '10de', productId: '27b8', deviceType: type-PF}}\n"
    )
}

fn attack(stdin: &[u8]) -> Ended {
    let ended = run(BINARY, &[], stdin, Path::new("."));
    assert!(!ended.stderr.contains("panicked") && !ended.stderr.contains("overflow"), "{}", ended.stderr);
    ended
}

/// The input must be rejected with one line on stderr that shows the problem and its position.
#[track_caller]
fn refused(stdin: &[u8], message: &str) {
    let ended = attack(stdin);
    assert!(!ended.success);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(ended.stderr.contains(message), "{message:?} is not in {}", ended.stderr);
    assert!(ended.stdout.is_empty() || ended.stdout.contains("\nresults:\n"), "{}", ended.stdout);
}

#[test]
fn deep_nesting_is_refused() {
    for open in ["[", "{a: ", "- ", "? ", "- - "] {
        refused(open.repeat(100_000).as_bytes(), "line 1, column");
    }
    let steps: String = (0..2_000).map(|depth| format!("{}k:\n", " ".repeat(depth))).collect();
    refused(steps.as_bytes(), "column");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    refused(b"a: \xff\xfe\n", "line 1, column 4: the input is not valid UTF-8");
    refused(list_with("- a: x\0y\n").as_bytes(), "line 4, column");
    refused("\u{feff}a: \u{1}\n".as_bytes(), "line 1, column");
    refused("apiVersion: v1\nkind:\n\ta: b\n".as_bytes(), "line 3, column");
    refused("a: 1\rb: 2\n".as_bytes(), "carriage return");
    // UTF-16, as some Windows editors write it.
    refused(b"\xff\xfea\0:\0 \x001\0", "not valid UTF-8");
}

#[test]
fn alias_bombs_do_not_go_off() {
    let mut bomb = format!("{PLANE}  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..40 {
        let before = format!("*a{}, ", i - 1).repeat(10);
        bomb.push_str(&format!("  a{i}: &a{i} [{before}]\n"));
    }
    let lit = format!("{}  spec: {{nova: {{template: *a39}}}}\n", bomb.replace("  spec: {nova: {}}\n", ""));
    refused(list_with(&lit).as_bytes(), "aliases");
    // The function looks only beside the bomb, or into another resource, so the bomb is passed through.
    let beside = format!("{}{PLANE}", bomb.replace("OpenStackControlPlane", "Bomb"));
    for list in [&bomb, &beside] {
        let ended = attack(list_with(list).as_bytes());
        assert!(ended.success, "{}", ended.stderr);
        assert!(ended.stdout.contains(&bomb[bomb.find("  a0:").unwrap()..]));
    }
    // Ten levels deep, an anchor that is its own child, an alias without an anchor.
    refused(list_with("- a: &a [*a]\n").as_bytes(), "line 4, column 10: an alias inside the node");
    refused(list_with("- a: *b\n").as_bytes(), "line 4, column 6");
}

#[test]
fn merges_and_chains_of_aliases_do_not_go_off_either() {
    let plane = "- apiVersion: core.openstack.org/v1beta1\n  kind: OpenStackControlPlane\n";
    let mut merges = String::from("  a0: &a0 {x: 1}\n");
    for i in 1..60 {
        merges.push_str(&format!("  a{i}: &a{i} {{<<: [*a{}, *a{}]}}\n", i - 1, i - 1));
    }
    let ended =
        attack(list_with(&format!("{plane}{merges}  metadata: *a59\n  spec: {{nova: {{}}}}\n")).as_bytes());
    assert!(ended.success, "{}", ended.stderr);
    let mut chain = String::from("  a0: &a0 [x]\n");
    for i in 1..100_000 {
        chain.push_str(&format!("  a{i}: &a{i} [*a{}]\n", i - 1));
    }
    refused(
        list_with(&format!("{plane}{chain}  spec: {{nova: {{enabled: *a99999}}}}\n")).as_bytes(),
        "nested too deeply",
    );
}

#[test]
fn byte_order_marks_may_stand_anywhere_a_document_begins() {
    for text in [
        "\u{feff}-\n",
        "\u{feff}- |\n  x\n",
        "---\n\u{feff}- a\n",
        "\u{feff}\u{feff}a: 1\n",
        "a: 1\n---\n\u{feff}b: 1\n",
    ] {
        refused(text.as_bytes(), "stdin");
    }
    let ended = attack(format!("\u{feff}{}", list_with(PLANE)).as_bytes());
    assert!(ended.success && ended.stdout.starts_with("\u{feff}apiVersion"), "{}", ended.stderr);
}

#[test]
fn ten_megabytes_on_one_line_pass() {
    let long = "x".repeat(10_000_000);
    let list = list_with(&format!("- kind: Long\n  data: {long}\n{PLANE}"));
    let ended = attack(list.as_bytes());
    assert!(ended.success, "{}", ended.stderr);
    assert!(ended.stdout.len() > list.len() && ended.stdout.contains(&long));
    // As one key, which YAML does not allow, and as text that is not YAML at all.
    refused(list_with(&format!("- {long}: 1\n")).as_bytes(), "line 4");
    refused(long.as_bytes(), "ResourceList");
}

#[test]
fn many_small_things_take_time_in_proportion() {
    // Quadratic work on any of these would take hours.
    let keys: String = (0..200_000).map(|i| format!("  k{i}: v\n")).collect();
    assert!(attack(list_with(&format!("{PLANE}{keys}")).as_bytes()).success);
    let items = PLANE.replace("OpenStackControlPlane", "Other").repeat(50_000);
    assert!(attack(list_with(&format!("{items}{PLANE}")).as_bytes()).success);
    let comments = "# c\n".repeat(200_000);
    assert!(attack(list_with(&format!("{PLANE}{comments}")).as_bytes()).success);
    let anchors: String = (0..20_000).map(|i| format!("  k{i}: &a{i} v\n  l{i}: *a{i}\n")).collect();
    assert!(attack(list_with(&format!("{PLANE}{anchors}")).as_bytes()).success);
}
