"""Compares rhoso-fn with alternatives on the same edit, in one run.

`make bench` builds everything and runs this. It writes benches/RESULTS.md and benches/results.svg.
"""

import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from plot import plot

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target/bench"
OURS = ROOT / "target/amd64/x86_64-unknown-linux-gnu/release/rhoso-fn"
EXAMPLES = ROOT / "target/release/examples"
PEER = WORK / "peer-kyaml"
PYTHON = WORK / "python/bin/python"
KUSTOMIZE = Path(sys.argv[1]).resolve()

COUNTS = [10, 100, 1000, 10000]
PLANS = [1000, 10000]
# Rounds of interleaved runs. Slow contestants take part in fewer rounds.
ROUNDS = {10: 40, 100: 20, 1000: 9, 10000: 5}
# Skip a contestant if one run would take longer than this, in seconds.
PATIENCE = 30.0

CONTESTANTS = {
    "rhoso-fn": [OURS],
    "kyaml (Go)": [PEER],
    "kustomize patches": None,
    "PyYAML": [PYTHON, ROOT / "benches/peer_pyyaml.py"],
    "ruamel.yaml": [PYTHON, ROOT / "benches/peer_ruamel.py"],
    "bare parse": [EXAMPLES / "bare_parse"],
    "cat": ["/bin/cat"],
}
LIMITS = ["bare parse", "cat"]
# The goals refer to these, so they always run.
ALWAYS = ["rhoso-fn", "kyaml (Go)", *LIMITS]


def run(args, stdin="/dev/null"):
    """The wall time of one run, in seconds. stdout goes to /dev/null for all contestants."""
    args = [str(arg) for arg in args]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        *([(os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)] if Path(stdin).name == "empty.yaml" else []),
    ]
    start = time.perf_counter()
    pid = os.posix_spawn(args[0], args, ENVIRONMENT, file_actions=actions)
    _, status = os.waitpid(pid, 0)
    taken = time.perf_counter() - start
    # An empty list has no control plane, which rhoso-fn reports as an error.
    if status != 0 and Path(stdin).name != "empty.yaml":
        sys.exit(f"{args} < {stdin} failed")
    return taken


ENVIRONMENT = {"PATH": f"{OURS.parent}:{os.environ['PATH']}", "HOME": str(WORK)}


def interleaved(commands, rounds):
    """Medians of interleaved runs, so that a noisy minute affects all contestants."""
    taken = {name: [] for name in commands}
    for number in range(rounds):
        for name, (args, stdin) in commands.items():
            if number == 0 or sum(taken[name]) < (60 if number < 3 else 30):
                taken[name].append(run(args, stdin))
    return {name: statistics.median(times) for name, times in taken.items()}


GROWTH_ROUNDS = 7
BLOCK = 10


def growth_of_blocks():
    """The cost of a resource at 10,000 relative to its cost at 1,000. The runs of each size are in separate blocks."""
    taken = {1000: [], 10000: []}
    for _ in range(4):
        for count, times in taken.items():
            args, stdin = command("rhoso-fn", "kustomize", count)
            times.extend([run(args, stdin) for _ in range(2 + BLOCK)][2:])
    return (statistics.median(taken[10000]) / 10000) / (statistics.median(taken[1000]) / 1000)


def peak(args, stdin="/dev/null"):
    """Peak resident memory in bytes, measured by a small program, because the memory of the parent counts too."""
    with open(stdin) as source:
        said = subprocess.run(["/usr/bin/time", "-f", "%M", *map(str, args)], stdin=source,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    return int(said.stderr.split()[-1]) * 1024


def instructions(args, stdin):
    out = WORK / "callgrind.out"
    with open(stdin) as source:
        said = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, args)],
                              stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(re.search(r"Collected : (\d+)", said.stderr).group(1))


def made(*args):
    """What benches/generate.rs writes, with the line breaks that it writes."""
    return subprocess.run([EXAMPLES / "generate", *map(str, args)], capture_output=True, check=True).stdout.decode()


def generate():
    """Writes the input: lists for functions, directories for kustomize."""
    (WORK / "empty.yaml").write_text(EMPTY)
    for count in PLANS:
        (WORK / f"plan-{count}.yaml").write_text(made("plan", count))
    for count in COUNTS:
        (WORK / f"kustomize-{count}.yaml").write_text(made("kustomize", count))
        (WORK / f"kpt-{count}.yaml").write_text(made("kpt", count))
        documents, config = made("documents", count), made("config")
        for name, extra in [("without", ""), ("with", "transformers: [config.yaml]\n"), ("patches", PATCH)]:
            folder = WORK / f"build-{count}-{name}"
            folder.mkdir(exist_ok=True)
            (folder / "resources.yaml").write_text(documents)
            (folder / "config.yaml").write_text(config)
            (folder / "kustomization.yaml").write_text(f"resources: [resources.yaml]\n{extra}")


EMPTY = """apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
functionConfig:
  apiVersion: fn.rhoso.dev/v1alpha1
  kind: InjectGpuAlias
  metadata:
    name: nvidia-l4
  spec:
    aliases:
    - {deviceType: type-PF, name: nvidia, productId: "27b8", vendorId: "10de"}
"""

PATCH = """patches:
- target: {kind: OpenStackControlPlane}
  patch: |-
    - op: replace
      path: /spec/nova/template/apiServiceTemplate/customServiceConfig
      value: |
        [DEFAULT]
        debug = true

        [pci]
        alias = { "vendor_id":"10de", "product_id":"27b8", "device_type":"type-PF", "name":"nvidia", "numa_policy":"preferred" }
"""


def build(count, name):
    flags = ["--enable-alpha-plugins", "--enable-exec"] if name == "with" else []
    return [KUSTOMIZE, "build", *flags, WORK / f"build-{count}-{name}"], "/dev/null"


def command(name, wire, count):
    if name == "kustomize patches":
        return build(count, "patches")
    return CONTESTANTS[name], WORK / f"{wire}-{count}.yaml"


def check_work():
    """Checks that every contestant adds the alias to every control plane; otherwise the times are not comparable."""
    planes = (WORK / "kustomize-100.yaml").read_text().count("\n  kind: OpenStackControlPlane\n")
    assert planes == 8, planes
    for name, wire in ((name, wire) for name in CONTESTANTS for wire in ("kustomize", "kpt")):
        if name in LIMITS:
            continue
        args, stdin = command(name, wire, 100)
        with open(stdin) as source:
            out = subprocess.run([str(arg) for arg in args], stdin=source, capture_output=True, text=True,
                                 check=True).stdout
        in_config = 0 if name == "kustomize patches" else 1
        found = out.count("type-PF") - in_config
        assert found == planes, f"{name} changed {found} of {planes} control planes"


def measure_check():
    """Times of `check` and of a bare parse, by number of resources."""
    bare = EXAMPLES / "bare_parse"
    return {count: interleaved({"check": ([OURS, "check", "-"], WORK / f"plan-{count}.yaml"),
                                "bare parse": ([bare], WORK / f"plan-{count}.yaml")}, 15) for count in PLANS}


# A list of 20 MB, and a smaller one on which kyaml takes about a second.
LARGE_STYLE, SMALL_STYLE = 5600, 1000


def measure_styles():
    """The speed and the memory of rhoso-fn on a list in each style, and how much longer kyaml takes."""
    rows = {}
    for style in made("styles").split():
        large, small = WORK / f"style-{style}.yaml", WORK / f"style-{style}-small.yaml"
        large.write_bytes(made(style, LARGE_STYLE).encode())
        small.write_bytes(made(style, SMALL_STYLE).encode())
        taken = interleaved({"rhoso-fn": ([OURS], large)}, 5)["rhoso-fn"]
        # The peer has one function, which is not the one of this list.
        contestants = ["rhoso-fn"] if style == "waves" else ["rhoso-fn", "kyaml (Go)"]
        both = interleaved({name: (CONTESTANTS[name], small) for name in contestants}, 5)
        size = large.stat().st_size
        rows[style] = {"size": size, "speed": size / taken, "memory": peak([OURS], large) / size,
                       "kyaml": both["kyaml (Go)"] / both["rhoso-fn"] if len(both) > 1 else None}
        print(style, {name: value and round(value, 2) for name, value in rows[style].items()}, flush=True)
    return rows


STYLE_MEANING = {
    "plain": "block style, as kustomize writes it",
    "config-comment": "a comment in the functionConfig",
    "config-flow": "braces in the functionConfig",
    "marker": "`---` before the list",
    "bom": "a byte order mark",
    "open-end": "no line break at the end",
    "crlf": "CRLF line ends",
    "flow": "every item: `{name: A, value: \"on\"}`",
    "flow-words": "every item: `[\"sh\", \"-c\"]`",
    "folded": "every item: `>-`",
    "lines": "every item: a plain value on three lines",
    "quoted-lines": "every item: a quoted value on three lines",
    "escapes": "every item: `\"\\u00e9\"`",
    "indicator": "every item: `\\|2-`",
    "header-comment": "every item: `\\| # by hand`",
    "tags": "every item: `!!str 1`",
    "anchors": "every item: an anchor and an alias",
    "one-separator": "one item with U+0085",
    "one-alias": "one alias to an anchor of another item",
    "json": "indented JSON",
    "json-line": "JSON on one line",
    "waves": "block style, with SetSyncWaves, which looks into every item",
}


def style_rows(styles):
    plain = styles["plain"]["speed"]
    return [[STYLE_MEANING[name], f"{row['speed'] / 1e6:.0f} MB/s", f"{row['speed'] / plain:.2f}", f"{row['memory']:.2f}",
             f"{row['kyaml']:.0f}" if row["kyaml"] else "–"] for name, row in styles.items()]


# Networks that have room for the addresses of 100 nodes.
LARGE_NETWORKS = {
    "ctlplane": "192.168.0.0/22", "internalapi": "172.17.0.0/22", "storage": "172.18.0.0/22", "tenant": "172.19.0.0/22",
    "storagemgmt": "172.20.0.0/22", "designate": "172.28.0.0/22", "designateext": "172.29.0.0/22",
}


def fleet(nodes, networks):
    """A package with the functionConfig for 50 instances, and how to render it."""
    folder = WORK / f"fleet-{nodes}"
    folder.mkdir(exist_ok=True)
    lines = ["apiVersion: fn.rhoso.dev/v1alpha1", "kind: GenerateInstances", "metadata: {name: fleet}", "spec:",
             f"  nodes: [{', '.join(f'worker-{number}' for number in range(nodes))}]", "  interface: enp6s0",
             "  networks:" if networks else "  networks: {}",
             *(f"    {name}: {{cidr: {cidr}, nodes: 300}}" for name, cidr in networks.items()), "  instances:",
             *(f"  - namespace: openstack{number + 1}" for number in range(50))]
    (folder / "fleet.yaml").write_text("\n".join(lines) + "\n")
    return [OURS, "render", folder], "/dev/null"


def measure_fleets():
    """Times of rendering 50 instances, by number of nodes, and how many resources that gives."""
    commands = {20: fleet(20, {}), 100: fleet(100, LARGE_NETWORKS)}
    resources = {nodes: subprocess.run([str(arg) for arg in args], capture_output=True, text=True, check=True)
                 .stdout.count("\nkind: ") for nodes, (args, _) in commands.items()}
    return interleaved(commands, 9), resources


def expected(before):
    """An estimate for ten times the resources, from the growth of the last step."""
    if not before:
        return 0
    if None in before:
        return PATIENCE
    return before[-1] * max(10, before[-1] / before[-2] if len(before) > 1 else 10)


def measure_lists(wire, counts):
    """Times by count and contestant; None for contestants that were skipped."""
    times = {}
    for number, count in enumerate(counts):
        commands = {name: command(name, wire, count) for name in CONTESTANTS
                    if name in ALWAYS or expected([times[before][name] for before in counts[:number]]) < PATIENCE}
        measured = interleaved(commands, ROUNDS[count])
        times[count] = {name: measured.get(name) for name in CONTESTANTS}
        print(wire, count, {name: t and round(t, 4) for name, t in times[count].items()}, flush=True)
    return times


def seconds(time):
    if time is None:
        return "–"
    return f"{time * 1000:.1f} ms" if time < 1 else f"{time:.2f} s"


def megabytes(size):
    return "–" if size is None else f"{size / 1e6:.1f} MB"


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def version(*args):
    try:
        said = subprocess.run([str(arg) for arg in args], capture_output=True, text=True)
        return (said.stdout + said.stderr).strip().splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def machine():
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text()).group(1))
    return (f"{cpu.group(1) if cpu else platform.machine()}, {os.cpu_count()} cores, "
            f"{memory / 1e6:.0f} GB, Linux {platform.release().split('-')[0]}")


PYTHON_LIBRARIES = """
import ruamel.yaml, yaml
print("PyYAML", yaml.__version__, "with libyaml, ruamel.yaml", ruamel.yaml.__version__)
"""


def image_size():
    """The image in the local store, if `make image` has built it."""
    if not shutil.which("podman"):
        return None
    said = subprocess.run(["podman", "image", "inspect", "--format", "{{.Size}}", "localhost/rhoso-fn:latest"],
                          capture_output=True, text=True)
    if said.returncode != 0:
        name = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
        said = subprocess.run(["podman", "image", "inspect", "--format", "{{.Size}}", f"localhost/rhoso-fn:{name}"],
                              capture_output=True, text=True)
    return int(said.stdout) if said.returncode == 0 else None


def main():
    load = os.getloadavg()[0]
    generate()
    check_work()
    size = {count: (WORK / f"kustomize-{count}.yaml").stat().st_size for count in COUNTS}
    times = measure_lists("kustomize", COUNTS)
    kpt = measure_lists("kpt", COUNTS[:3])

    print("start-up", flush=True)
    starters = {"/bin/true": ["/bin/true"], "cat": ["/bin/cat"], "rhoso-fn": [OURS], "kyaml (Go)": [PEER],
                "PyYAML": CONTESTANTS["PyYAML"], "ruamel.yaml": CONTESTANTS["ruamel.yaml"]}
    start = interleaved({name: (args, WORK / "empty.yaml") for name, args in starters.items()}, 100)
    ten = interleaved({"/bin/true": (["/bin/true"], "/dev/null"), "rhoso-fn": command("rhoso-fn", "kustomize", 10)}, 200)
    print("growth", flush=True)
    rounds = [growth_of_blocks() for _ in range(GROWTH_ROUNDS)]

    print("memory", flush=True)
    memory = {count: {name: peak(*command(name, "kustomize", count)) if times[count][name] else None
                      for name in CONTESTANTS} for count in (10, 10000)}

    print("instructions", flush=True)
    count_of = {count: instructions([OURS], WORK / f"kustomize-{count}.yaml") for count in (100, 1000)}
    parse_of = {count: instructions([EXAMPLES / "bare_parse"], WORK / f"kustomize-{count}.yaml") for count in (100, 1000)}
    each = (count_of[1000] - count_of[100]) / 900
    each_parse = (parse_of[1000] - parse_of[100]) / 900

    print("styles", flush=True)
    styles = measure_styles()

    print("check", flush=True)
    checks = measure_check()

    print("instances", flush=True)
    fleets, generated = measure_fleets()

    print("kustomize build", flush=True)
    builds = {count: interleaved({name: build(count, name) for name in ("without", "with")}, 5 if count < 1000 else 3)
              for count in COUNTS[:3]}

    print("examples", flush=True)
    examples = sorted(path.parent for path in (ROOT / "functions").glob("*/example") if path.is_dir())
    on_example = interleaved({path.name: ([OURS, "render", path / "example"], "/dev/null") for path in examples}, 20)

    binary, peer_binary = OURS.stat().st_size, PEER.stat().st_size
    growth = statistics.median(rounds)
    growth_of_tables = (times[10000]["rhoso-fn"] / 10000) / (times[1000]["rhoso-fn"] / 1000)
    over_peer = {count: times[count]["kyaml (Go)"] / times[count]["rhoso-fn"] for count in COUNTS}
    over_parse = {count: times[count]["bare parse"] / times[count]["rhoso-fn"] for count in COUNTS}
    goals = [
        ["1,000 resources: at least 25 times as fast as kyaml", f"{over_peer[1000]:.1f}", over_peer[1000] >= 25],
        ["10,000 resources: at least 25 times as fast as kyaml", f"{over_peer[10000]:.1f}", over_peer[10000] >= 25],
        ["1,000 and 10,000: faster than a bare parse", f"{over_parse[1000]:.1f} and {over_parse[10000]:.1f} times",
         min(over_parse[1000], over_parse[10000]) > 1],
        ["10 resources: at most a third of the time of kyaml", f"1/{over_peer[10]:.1f}", over_peer[10] >= 3],
        ["10 resources: within 1 ms of `/bin/true`", f"{(ten['rhoso-fn'] - ten['/bin/true']) * 1000:.2f} ms",
         ten["rhoso-fn"] - ten["/bin/true"] <= 0.001],
        ["10,000: peak memory at most 2.2 times the input", f"{memory[10000]['rhoso-fn'] / size[10000]:.2f}",
         memory[10000]["rhoso-fn"] <= 2.2 * size[10000]],
        ["10: peak memory below 6 MB", megabytes(memory[10]["rhoso-fn"]), memory[10]["rhoso-fn"] < 6e6],
        ["cost of a resource at 10,000: at most 1.15 times the cost at 1,000", f"{growth:.2f}", growth <= 1.15],
        ["size of the binary: at most 5 MB", megabytes(binary), binary <= 5e6],
    ]
    readings = (WORK / "readings.txt").read_text().strip()
    image = image_size()
    # An image that is smaller than the binary contains an older one.
    image = image if image and image >= binary else None
    parts = [
        "# Benchmarks: rhoso-fn and alternatives\n",
        "Written by `make bench`; do not edit. Each tool makes the same edit: it adds the PCI alias of `InjectGpuAlias` to "
        "every\nOpenStackControlPlane in a ResourceList.\n\n![Wall time by number of resources](results.svg)\n",
        "## Goals\n", table(["goal", "measured", ""], [[g, m, "yes" if ok else "**no**"] for g, m, ok in goals]),
        "## Wall time\n",
        f"Lists as kustomize sends them: {', '.join(f'{c:,} resources {megabytes(size[c])}' for c in COUNTS)}.\n",
        table(["", *(f"{count:,}" for count in COUNTS)],
              [[name, *(seconds(times[count][name]) for count in COUNTS)] for name in CONTESTANTS]),
        "Relative to rhoso-fn:\n",
        table(["", *(f"{count:,}" for count in COUNTS)],
              [[name, *(f"{times[count][name] / times[count]['rhoso-fn']:.1f}" if times[count][name] else "–"
                        for count in COUNTS)] for name in CONTESTANTS if name != "rhoso-fn"]),
        "Lists as kpt sends them, with comments:\n",
        table(["", *(f"{count:,}" for count in COUNTS[:3])],
              [[name, *(seconds(kpt[count][name]) for count in COUNTS[:3])]
               for name in CONTESTANTS if name != "kustomize patches"]),
        f"A dash means that one run would have taken more than {PATIENCE:.0f} seconds, estimated from the smaller sizes.\n",
        "## Start-up time, on an empty list\n", table(["", "wall time"], [[name, seconds(time)] for name, time in start.items()]),
        f"On 10 resources, rhoso-fn takes {seconds(ten['rhoso-fn'])} and `/bin/true` {seconds(ten['/bin/true'])} "
        "(medians of 200 interleaved runs).\n",
        "## Growth\n",
        f"The cost of a resource at 10,000 relative to its cost at 1,000 is {growth:.2f}, the median of "
        f"{GROWTH_ROUNDS} rounds\nthat range from {min(rounds):.2f} to {max(rounds):.2f}. A round is the ratio of the medians "
        f"of four blocks of {BLOCK} runs per size. The first two\nruns of each block are discarded, so that one size does "
        f"not affect the other. The table of wall times gives {growth_of_tables:.2f},\nbecause its columns were measured "
        f"minutes apart on a machine whose speed varies.\n",
        "## Peak memory\n",
        table(["", "10", "10,000", "relative to the input"],
              [[name, megabytes(memory[10][name]), megabytes(memory[10000][name]),
                f"{memory[10000][name] / size[10000]:.2f}" if memory[10000][name] else "–"] for name in CONTESTANTS]),
        "## Instructions\n",
        table(["", "per resource", "per byte"],
              [[name, f"{value:,.0f}", f"{value / (size[1000] / 1000):.1f}"]
               for name, value in (("rhoso-fn", each), ("bare parse", each_parse))]),
        "Counted by callgrind, from the difference between 100 and 1,000 resources.\n",
        "## Styles\n",
        f"Lists of {LARGE_STYLE:,} resources, about 20 MB. The last column is the wall time of kyaml relative to that of "
        f"rhoso-fn on\n{SMALL_STYLE:,} resources.\n",
        table(["", "speed", "relative to the first", "memory relative to the input", "kyaml"], style_rows(styles)),
        "Items with anchors, aliases or tags are read by the complete reader, which is slower. An alias to another item "
        "makes the\nwhole list slow. Edited items are in memory a second time.\n",
        "## Size\n",
        table(["", "size"], [["rhoso-fn, static binary", megabytes(binary)],
                             *([["rhoso-fn, image", megabytes(image)]] if image else []),
                             ["kyaml peer, static binary", megabytes(peer_binary)]]),
        "## A complete `kustomize build`\n",
        table(["", *(f"{count:,}" for count in COUNTS[:3])],
              [["without a function", *(seconds(builds[count]["without"]) for count in COUNTS[:3])],
               ["with rhoso-fn", *(seconds(builds[count]["with"]) for count in COUNTS[:3])]]),
        "Most of the additional time is kustomize writing the list and reading it again.\n",
        "## `check` on an address plan\n",
        "One in ten resources is a pool, and for every 50 there is one network with an attachment, an advertisement, a\n"
        "subnet and an interface on three nodes. Nothing collides.\n",
        table(["", *(f"{count:,}" for count in PLANS)],
              [[name, *(seconds(checks[count][name]) for count in PLANS)] for name in ("check", "bare parse")]),
        f"A resource costs {checks[PLANS[-1]]['check'] / PLANS[-1] / (checks[PLANS[0]]['check'] / PLANS[0]):.2f} times as "
        f"much at {PLANS[-1]:,} as at {PLANS[0]:,}.\n",
        "## 50 OpenStack instances with `GenerateInstances`\n",
        table(["", "resources", "wall time"],
              [["20 nodes, default plan", f"{generated[20]:,}", seconds(fleets[20])],
               ["100 nodes, /22 networks", f"{generated[100]:,}", seconds(fleets[100])]]),
        "## Every function on its example\n",
        table(["`rhoso-fn render functions/…/example`", "wall time"],
              [[name, seconds(time)] for name, time in on_example.items()]),
        "## Comparison of the two readers\n",
        "Both readers parsed randomly damaged documents and lists from all test data. Any difference would have ended\n"
        "the run:\n", "\n".join(f"- {line}" for line in readings.splitlines()) + "\n",
        "## Method\n",
        f"- {machine()}; load {load:.1f} at the start.\n"
        f"- rhoso-fn: {version('rustc', '--version')}, static, as released. kyaml: benches/peer-kyaml, "
        f"{version('go', 'version')}, kyaml {re.search(r'kyaml (v[0-9.]+)', (ROOT / 'benches/peer-kyaml/go.mod').read_text()).group(1)}. "
        f"kustomize {version(KUSTOMIZE, 'version')}. {version(PYTHON, '--version')}, "
        f"{version(PYTHON, '-c', PYTHON_LIBRARIES)}.\n"
        "- Wall time is the median of interleaved runs, with stdin from a file and stdout to /dev/null. Peak memory is "
        "measured\n  with GNU time.\n"
        "- All tools make the same edit, and the benchmark checks the result. None of them validates as much as rhoso-fn.\n"
        "  kustomize patches cannot append to a string, so the patch contains the complete string.\n"
        "- `cat` and the bare parse are lower limits. `cat` copies the input, and the bare parse reads and discards the "
        "events of\n  the parser crate that rhoso-fn falls back on.\n"
        "- The lists come from benches/resources.rs. Of 25 resources, 10 are Deployments, 5 Services, 5 ConfigMaps,\n"
        "  3 PersistentVolumes and 2 large OpenStackControlPlanes.\n",
    ]
    (ROOT / "benches/RESULTS.md").write_text("\n".join(parts))
    (ROOT / "benches/results.svg").write_text(plot(COUNTS, times))
    print((ROOT / "benches/RESULTS.md").read_text())


if __name__ == "__main__":
    main()
