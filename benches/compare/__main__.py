"""Compares rhoso-fn with alternatives on the same work, in one run.

`make bench` builds everything and runs this. It writes benches/RESULTS.md and benches/results.svg, or with QUICK=1 tries
everything on small inputs and writes to target/bench. A tool that fails or takes too long does not end the run: the
tables say so.
"""

import os
import re
import sys
import time
import traceback
from pathlib import Path

import commands
import goals
import linters
import lists
import packages
import styles
from machine import image_size, machine, module_version, version
from measure import STARTED
from plot import plot
from settings import BARE_PARSE, BIN, COUNTS, EXAMPLES, OURS, PEER, PYTHON, RESULTS, ROOT, WORK
from tables import megabytes, table

SECTIONS = {"lists": lists, "styles": styles, "packages": packages, "linters": linters, "commands": commands}

INTRODUCTION = """# Benchmarks: rhoso-fn and alternatives

Written by `make bench`; do not edit. Unless a section says otherwise, each tool makes the same edit: it adds the PCI alias
of `InjectGpuAlias` to every OpenStackControlPlane in a ResourceList.

![Wall time by number of resources](results.svg)
"""

PYTHON_LIBRARIES = """
import ruamel.yaml, yaml
print("PyYAML", yaml.__version__, "with libyaml, ruamel.yaml", ruamel.yaml.__version__)
"""


def size_section():
    binary, image = OURS.stat().st_size, image_size()
    # An image that is smaller than the binary contains an older one.
    image = image if image and image >= binary else None
    yield "## Size\n"
    yield table(["", "size"], [["rhoso-fn, static binary", megabytes(binary)],
                               *([["rhoso-fn, image", megabytes(image)]] if image else []),
                               ["kyaml peer, static binary", megabytes(PEER.stat().st_size)]])


def readings_section():
    noted = WORK / "readings.txt"
    if not noted.exists():
        return
    yield "## Comparison of the two readers\n"
    yield ("Both readers parsed randomly damaged documents and lists from all test data. Any difference would have ended\n"
           "the run:\n")
    yield "\n".join(f"- {line}" for line in noted.read_text().strip().splitlines()) + "\n"


def method_section(load):
    kyaml = re.search(r"kyaml (v[0-9.]+)", (ROOT / "benches/peer-kyaml/go.mod").read_text()).group(1)
    kpt = re.search(r"kptdev/kpt (v\S+)", (ROOT / "testdata/tools/kpt/go.mod").read_text()).group(1)
    yield "## Method\n"
    yield (
        f"- {machine()}; load {load:.1f} at the start.\n"
        f"- rhoso-fn: {version('rustc', '--version')}, static, as released. kyaml: benches/peer-kyaml, "
        f"{version('go', 'version')}, kyaml {kyaml}. kustomize {version(BIN / 'kustomize', 'version')}, kpt {kpt}, "
        f"kubeconform {module_version(linters.program('kubeconform'))}, kube-linter "
        f"{version(linters.program('kube-linter'), 'version')}, all with the optimizations of their releases. "
        f"{version(PYTHON, '--version')}, {version(PYTHON, '-c', PYTHON_LIBRARIES)}.\n"
        "- Wall time is the median of interleaved runs, with stdin from a file and stdout to /dev/null. Peak memory is "
        "measured\n  with GNU time, in a run of its own unless the program takes more than half a second.\n"
        "- All tools that edit lists and packages make the same edit, and the benchmark checks the result. None of them "
        "validates\n  as much as rhoso-fn. kustomize patches cannot append to a string, so the patch contains the complete string.\n"
        "- `cat` and the bare parse are lower limits. `cat` copies the input, and the bare parse reads and discards the "
        "events of\n  the parser crate that rhoso-fn falls back on.\n"
        "- The lists come from benches/resources.rs. Of 25 resources, 10 are Deployments, 5 Services, 5 ConfigMaps,\n"
        "  3 PersistentVolumes and 2 large OpenStackControlPlanes.\n")


def measured(name, section, results, wanted):
    """Measures a section, adds its text to the results, and its goals. False if that failed."""
    print(f"---- {name}, after {time.monotonic() - STARTED:.0f} s", flush=True)
    try:
        data = section.measure_all()
        wanted.extend(section.goals(data))
        results.extend(section.render(data))
        if section is lists:
            times = {count: {name: figure.time for name, figure in data["figures"][count].items()} for count in COUNTS}
            (RESULTS / "results.svg").write_text(plot(COUNTS, times))
        return True
    except Exception as error:  # noqa: BLE001 - the other sections are worth their minutes
        traceback.print_exc()
        results.append(f"## {name}: could not be measured\n\n{type(error).__name__}: {error}\n")
        return False


def main():
    for needed in (OURS, PEER, EXAMPLES / "generate", BARE_PARSE, Path("/usr/bin/time")):
        if not needed.exists():
            sys.exit(f"{needed} is missing; run `make bench`, which builds or installs everything")
    load = os.getloadavg()[0]
    if load > 1:
        print(f"the load is {load:.1f}: other programs are running, so that the figures will be wrong")
    WORK.mkdir(parents=True, exist_ok=True)
    for path in [*WORK.glob("kustomize-*.yaml"), *WORK.glob("kpt-*.yaml")]:
        path.unlink()
    chosen = sys.argv[1:] or list(SECTIONS)
    results, wanted = [], []
    # A list, so that all sections are measured.
    fine = all([measured(name, SECTIONS[name], results, wanted) for name in chosen])
    wanted.append(goals.at_most("size of the binary: at most 5 MB", OURS.stat().st_size / 1e6, 5, ".2f"))
    parts = [INTRODUCTION, *goals.render(wanted), *results, *size_section(), *readings_section(), *method_section(load)]
    (RESULTS / "RESULTS.md").write_text("\n".join(parts))
    print(f"wrote {RESULTS / 'RESULTS.md'} after {time.monotonic() - STARTED:.0f} s")
    if not fine:
        sys.exit("a section could not be measured; its place in RESULTS.md says why")


if __name__ == "__main__":
    main()
