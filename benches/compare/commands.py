"""What only rhoso-fn does: `check` as the number of resources grows, a fleet of instances, every function on its example."""

import re

import inputs
from measure import Command, measure, output
from settings import BARE_PARSE, LARGE, MIDDLE, OURS, ROOT, WORK, rounds
from tables import number, table, wall

# Networks that have room for the addresses of 100 nodes.
LARGE_NETWORKS = {
    "ctlplane": "192.168.0.0/22", "internalapi": "172.17.0.0/22", "storage": "172.18.0.0/22", "tenant": "172.19.0.0/22",
    "storagemgmt": "172.20.0.0/22", "designate": "172.28.0.0/22", "designateext": "172.29.0.0/22",
}


def fleet(nodes, networks):
    """A package with the functionConfig for 50 instances, and how to render it."""
    folder = inputs.fresh(f"fleet-{nodes}")
    lines = ["apiVersion: fn.rhoso.dev/v1alpha1", "kind: GenerateInstances", "metadata: {name: fleet}", "spec:",
             f"  nodes: [{', '.join(f'worker-{number}' for number in range(nodes))}]", "  interface: enp6s0",
             "  networks:" if networks else "  networks: {}",
             *(f"    {name}: {{cidr: {cidr}, nodes: 300}}" for name, cidr in networks.items()), "  instances:",
             *(f"  - namespace: openstack{number + 1}" for number in range(50))]
    (folder / "fleet.yaml").write_text("\n".join(lines) + "\n")
    return Command([OURS, "render", folder])


def plans():
    """`check` and a bare parse, by number of resources."""
    figures = {}
    for count in (MIDDLE, LARGE):
        path = inputs.generated(WORK / f"plan-{count}.yaml", "plan", count)
        figures[count] = measure({"check": Command([OURS, "check", "-"], path), "bare parse": Command([BARE_PARSE], path)},
                                 rounds(15))
    return figures


def measure_all():
    fleets = {20: fleet(20, {}), 100: fleet(100, LARGE_NETWORKS)}
    resources = {nodes: len(re.findall(rb"^kind: ", output(it.args) or b"", re.M)) for nodes, it in fleets.items()}
    examples = sorted(path for path in (ROOT / "functions").glob("*/example") if path.is_dir())
    return {"plans": plans(), "fleets": measure(fleets, rounds(9)), "resources": resources,
            "examples": measure({path.parent.name: Command([OURS, "render", path]) for path in examples}, rounds(20))}


def goals(_):
    return []


def render(data):
    checks, fleets, resources = data["plans"], data["fleets"], data["resources"]
    yield "## `check` on an address plan\n"
    yield ("One in ten resources is a pool, and for every 50 there is one network with an attachment, an advertisement, a\n"
           "subnet and an interface on three nodes. Nothing collides.\n")
    yield table(["", *(f"{count:,}" for count in checks)],
                [[name, *(wall(checks[count][name]) for count in checks)] for name in ("check", "bare parse")])
    first, last = checks[MIDDLE]["check"].time, checks[LARGE]["check"].time
    cost = (last / LARGE) / (first / MIDDLE) if first and last else None
    yield f"A resource costs {number(cost)} times as much at {LARGE:,} as at {MIDDLE:,}.\n"
    yield "## 50 OpenStack instances with `GenerateInstances`\n"
    yield table(["", "resources", "wall time"],
                [["20 nodes, default plan", f"{resources[20]:,}", wall(fleets[20])],
                 ["100 nodes, /22 networks", f"{resources[100]:,}", wall(fleets[100])]])
    yield "## Every function on its example\n"
    yield table(["`rhoso-fn render functions/…/example`", "wall time"],
                [[name, wall(figure)] for name, figure in data["examples"].items()])
