//! How the cost grows with the input. What is counted twice costs twice as much, or a large package takes minutes.

use std::fs;
use std::path::Path;

use super::{instructions, shipped};
use crate::host::tool;

/// The most that an input of twice the size may cost. A cost that grows with the square would be 4 times.
const MOST: f64 = 2.6;

/// A way to make an input larger.
struct Case {
    name: &'static str,
    /// A size at which the cost is far above that of the start.
    size: usize,
    input: fn(usize) -> Input,
}

enum Input {
    List(String),
    /// A file to check.
    File(String),
}

const CASES: [Case; 6] = [
    Case { name: "keys of a Secret", size: 400, input: secret },
    Case { name: "findings in a document", size: 200, input: placeholders },
    Case { name: "pools", size: 100, input: pools },
    Case { name: "services of a control plane", size: 50, input: services },
    Case { name: "aliases", size: 100, input: aliases },
    Case { name: "strings with too little indentation", size: 100, input: unindented },
];

#[test]
fn twice_the_size_costs_twice_as_much() {
    let (Some(binary), Some(valgrind)) = (shipped(), tool("valgrind")) else { return };
    let dir = tempfile::tempdir().unwrap();
    let count = |input: Input| count(&valgrind, &binary, input, dir.path());
    let mut failed = Vec::new();
    for Case { name, size, input } in CASES {
        let start = count(input(1));
        let [once, twice] = [size, 2 * size].map(|size| count(input(size)) - start);
        if twice > MOST * once {
            failed.push(format!("{name}: {:.1} times, from {once:.0} instructions", twice / once));
        }
    }
    assert!(failed.is_empty(), "twice the size costs more than {MOST} times as much:\n{}", failed.join("\n"));
}

/// The time to look for a name that is meant may not grow with the number of names times the length of the text.
#[test]
fn a_long_text_is_no_misspelt_name() {
    const LENGTH: usize = 100_000;
    /// What reading the text, and quoting it in a result, takes.
    const MOST_EACH: f64 = 1000.0;
    let (Some(binary), Some(valgrind)) = (shipped(), tool("valgrind")) else { return };
    let dir = tempfile::tempdir().unwrap();
    let [short, long] =
        [1, LENGTH].map(|length| count(&valgrind, &binary, instance_type(length), dir.path()));
    let each = (long - short) / LENGTH as f64;
    assert!(each <= MOST_EACH, "{each:.0} instructions per byte");
}

fn count(valgrind: &Path, binary: &Path, input: Input, dir: &Path) -> f64 {
    let (args, stdin): (&[&str], String) = match input {
        Input::List(list) => (&[], list),
        Input::File(text) => {
            fs::write(dir.join("a.yaml"), text).unwrap();
            (&["check", "--format", "json", "a.yaml"], String::new())
        }
    };
    let (count, ended) = instructions(valgrind, binary, args, &stdin, dir);
    assert!(ended.code == Some(0) || ended.code == Some(1), "{}", ended.stderr);
    count
}

fn repeat(size: usize, part: impl Fn(usize) -> String) -> String {
    (0..size).map(part).collect()
}

fn list(items: &str, kind: &str, spec: &str) -> Input {
    Input::List(format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{items}functionConfig:\n  \
         apiVersion: fn.rhoso.dev/v1alpha1\n  kind: {kind}\n  metadata:\n    name: x\n  spec:\n{spec}"
    ))
}

fn secret(size: usize) -> Input {
    let keys = repeat(size, |at| format!("    Key{at}Password: abc{at}\n"));
    let item = format!(
        "- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: osp-secret\n    namespace: a\n  stringData:\n{keys}\
         - apiVersion: core.openstack.org/v1beta1\n  kind: OpenStackControlPlane\n  metadata:\n    name: openstack\n    \
         namespace: a\n  spec:\n    secret: osp-secret\n    glance: {{}}\n"
    );
    list(&item, "ValidateSecrets", "    complete: false\n")
}

fn placeholders(size: usize) -> Input {
    let keys = repeat(size, |at| format!("  k{at}: <changeme>\n"));
    Input::File(format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: a\ndata:\n{keys}"
    ))
}

fn pool(at: usize) -> String {
    format!(
        "- apiVersion: metallb.io/v1beta1\n  kind: IPAddressPool\n  metadata:\n    name: pool{at}\n    \
         namespace: metallb-system\n  spec:\n    addresses:\n    - 10.0.{at}.80-10.0.{at}.90\n"
    )
}

fn pools(size: usize) -> Input {
    let advertisement = format!(
        "- apiVersion: metallb.io/v1beta1\n  kind: L2Advertisement\n  metadata:\n    name: all\n    \
         namespace: metallb-system\n  spec:\n    ipAddressPools:\n{}",
        repeat(size, |at| format!("    - pool{at}\n"))
    );
    list(&(repeat(size, pool) + &advertisement), "PrefixAddressPools", "    namespace: a\n")
}

fn services(size: usize) -> Input {
    let clusters = repeat(size, |at| {
        format!(
            "        rabbitmq{at}:\n          override:\n            service:\n              metadata:\n                \
             annotations:\n                  metallb.universe.tf/address-pool: pool{at}\n                  \
             metallb.universe.tf/loadBalancerIPs: 10.0.{at}.85\n              spec:\n                \
             type: LoadBalancer\n"
        )
    });
    let plane = format!(
        "- apiVersion: core.openstack.org/v1beta1\n  kind: OpenStackControlPlane\n  metadata:\n    name: openstack\n    \
         namespace: a\n  spec:\n    rabbitmq:\n      templates:\n{clusters}"
    );
    list(&(repeat(size, pool) + &plane), "PrefixAddressPools", "    namespace: a\n")
}

fn aliases(size: usize) -> Input {
    let plane = "- apiVersion: core.openstack.org/v1beta1\n  kind: OpenStackControlPlane\n  metadata:\n    \
                 name: openstack\n    namespace: a\n  spec:\n    nova:\n      template: {}\n";
    let aliases = repeat(size, |at| {
        format!(
            "    - name: gpu{at}\n      vendorId: \"10de\"\n      productId: \"{at:04x}\"\n      deviceType: type-PCI\n"
        )
    });
    list(plane, "InjectGpuAlias", &format!("    aliases:\n{aliases}"))
}

fn unindented(size: usize) -> Input {
    let strings = repeat(size, |at| format!("  k{at}: 'x\n  y'\n"));
    Input::File(format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: a\ndata:\n{strings}"
    ))
}

fn instance_type(length: usize) -> Input {
    list(
        "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n",
        "GenerateMachineSets",
        &format!("    machines:\n    - instanceType: {}\n", "x".repeat(length)),
    )
}
