"""The same edit by every tool, on lists of up to 100,000 resources."""

import statistics
import time

import inputs
import machine
from goals import at_least, at_most, each_at_least
from measure import Command, Figure, instructions, measure, output, run
from settings import (BARE_PARSE, BIN, COUNTS, LARGE, MIDDLE, OURS, PATIENCE, PATIENCE_FOR_KYAML, PEER, PYTHON, QUICK,
                      ROOT, WORK, rounds)
from tables import megabytes, memory, number, ratio, seconds, table, wall

US, KYAML = "rhoso-fn", "kyaml (Go)"
CONTESTANTS = {
    US: [OURS],
    KYAML: [PEER],
    "kustomize patches": None,
    "PyYAML": [PYTHON, ROOT / "benches/peer_pyyaml.py"],
    "ruamel.yaml": [PYTHON, ROOT / "benches/peer_ruamel.py"],
    "bare parse": [BARE_PARSE],
    "cat": ["/bin/cat"],
}
LIMITS = ["bare parse", "cat"]
# Programs for lists as kpt sends them. kustomize does not read these.
FOR_KPT = [name for name in CONTESTANTS if name != "kustomize patches"]

# Why goals are missed; RESULTS.md says so only if they are.
READING = "What remains is reading the list, at as many instructions per byte as the table of styles shows."
SHORT = ("Starting the program, and the pages that the system adds to its memory, take about as long as reading so short a "
         "list.\nThe table of styles has the same comparison on lists of 20 MB.")
COPIES = ("The input is in memory once, and what a function changed a second time. The control planes, which InjectGpuAlias "
          "changes,\nare a third of the input.")

STARTING = ("Most of this is the time that the system takes to start a program and to load its pages, which depends on the "
            "machine.")

ROUNDS = {10: 40, 100: 20, 1000: 9, 10000: 5, 100000: 3}
GROWTH_ROUNDS = 5
# Both are multiples of 25, after which the kinds of resources repeat, and so large that all cores read them: starting
# threads is not a cost of a resource.
COUNTED = (125, 325)
BLOCK = 10


def command(name, wire, count):
    # Enough for three runs of kyaml on 10,000 resources.
    budget = {"budget": 45.0} if name == KYAML and not QUICK else {}
    if name == "kustomize patches":
        return Command([BIN / "kustomize", "build", WORK / f"package-{count}-patches"])
    return Command(CONTESTANTS[name], inputs.list_of(wire, count), **budget)


def different():
    """The contestants that do not add the alias to every control plane, so that their times are not comparable."""
    inputs.package(100, "patches", inputs.PATCH)
    found = {}
    for name in CONTESTANTS:
        for wire in ("kustomize", "kpt"):
            if name in LIMITS or (wire == "kpt" and name not in FOR_KPT):
                continue
            it = command(name, wire, 100)
            out = output(it.args, it.stdin)
            if out is None or out.count(inputs.EDIT) != inputs.control_planes(100):
                found[name] = "fails" if out is None else "different result"
    if US in found:
        raise RuntimeError(f"rhoso-fn: {found[US]}")
    return found


def expected(before, name):
    """Why a contestant is not measured on ten times the resources, estimated from the growth of the last step."""
    if not before:
        return None
    if before[-1].problem:
        return before[-1].problem
    growth = before[-1].time / before[-2].time if len(before) > 1 else 10
    patience = PATIENCE_FOR_KYAML if name == KYAML else PATIENCE
    if name != US and before[-1].time * max(10, growth) > patience:
        return "too slow"
    if before[-1].memory * 10 > 0.8 * machine.available_memory() and before[-1].memory > 1e8:
        return "too large"
    return None


def by_count(wire, counts, names, wrong):
    """Figures by count and contestant."""
    figures = {}
    for position, count in enumerate(counts):
        problems = {name: wrong.get(name) or expected([figures[before][name] for before in counts[:position]], name)
                    for name in names}
        if wire == "kustomize" and not problems["kustomize patches"]:
            inputs.package(count, "patches", inputs.PATCH)
        commands = {name: command(name, wire, count) for name in names if not problems[name]}
        measured = measure(commands, rounds(ROUNDS[count]))
        figures[count] = {name: measured.get(name) or Figure(problem=problems[name]) for name in names}
        print(wire, count, {name: wall(figure) for name, figure in figures[count].items()}, flush=True)
    return figures


def growth_of_blocks():
    """The cost of a resource at 10,000 relative to its cost at 1,000. The runs of each size are in separate blocks."""
    taken = {MIDDLE: [], LARGE: []}
    for _ in range(rounds(4)):
        for count, times in taken.items():
            path = inputs.list_of("kustomize", count)
            times.extend([run([OURS], path)[0] for _ in range(2 + rounds(BLOCK))][2:])
    return (statistics.median(taken[LARGE]) / LARGE) / (statistics.median(taken[MIDDLE]) / MIDDLE)


def start_up():
    """Times on an empty list, and on 10 resources next to /bin/true."""
    empty = WORK / "empty.yaml"
    empty.write_text(inputs.EMPTY)
    starters = {"/bin/true": ["/bin/true"], **{name: CONTESTANTS[name] for name in ("cat", US, KYAML, "PyYAML", "ruamel.yaml")}}
    # An empty list has no control plane, which rhoso-fn reports as an error.
    start = measure({name: Command(args, empty, codes=(0, 1)) for name, args in starters.items()}, rounds(100))
    ten = measure({"/bin/true": Command(["/bin/true"]), US: command(US, "kustomize", 10)}, rounds(200))
    return start, ten


def measure_all():
    wrong = different()
    figures = by_count("kustomize", COUNTS, list(CONTESTANTS), wrong)
    kpt = by_count("kpt", COUNTS[:3], FOR_KPT, wrong)
    start, ten = start_up()
    growth, started = [growth_of_blocks()], time.monotonic()
    while len(growth) < rounds(GROWTH_ROUNDS) and time.monotonic() - started < 60:
        growth.append(growth_of_blocks())
    sizes = {count: inputs.list_of("kustomize", count).stat().st_size for count in COUNTS}
    (WORK / "kustomize-100000.yaml").unlink(missing_ok=True)
    each = {}
    for name, args in ((US, [OURS]), ("bare parse", [BARE_PARSE])):
        counted = [instructions(args, inputs.list_of("kustomize", count)) for count in COUNTED]
        each[name] = None if None in counted else (counted[1] - counted[0]) / (COUNTED[1] - COUNTED[0])
    few, many = (inputs.list_of("kustomize", count).stat().st_size for count in COUNTED)
    per_resource = (many - few) / (COUNTED[1] - COUNTED[0])
    return {"figures": figures, "kpt": kpt, "start": start, "ten": ten, "growth": growth, "sizes": sizes, "each": each,
            "per_resource": per_resource}


def goals(data):
    figures, sizes = data["figures"], data["sizes"]
    peer = {count: ratio(figures[count][KYAML], figures[count][US]) for count in COUNTS}
    parse = {f"{count:,} resources": ratio(figures[count]["bare parse"], figures[count][US]) for count in (MIDDLE, LARGE)}
    above_true = data["ten"][US].time - data["ten"]["/bin/true"].time
    return [
        *(at_least(f"{count:,} resources: at least 100 times as fast as kyaml", peer[count], 100, ".1f", reason)
          for count, reason in ((MIDDLE, SHORT), (LARGE, READING))),
        each_at_least(f"{MIDDLE:,} and {LARGE:,} resources: faster than a bare parse", parse, 1, ".1f",
                      "times as fast as a bare parse", {}),
        at_least("10 resources: at least 3 times as fast as kyaml", peer[10], 3, ".1f"),
        at_most("10 resources: at most 1 ms more than `/bin/true`", above_true * 1000, 1, ".2f", STARTING),
        at_most(f"{LARGE:,} resources: peak memory at most 1.5 times the input", figures[LARGE][US].memory / sizes[LARGE], 1.5,
                ".2f", COPIES),
        at_most("10 resources: peak memory at most 6 MB", figures[10][US].memory / 1e6, 6, ".1f"),
        at_most(f"cost of a resource at {LARGE:,}: at most 1.15 times the cost at {MIDDLE:,}",
                statistics.median(data["growth"]), 1.15, ".2f",
                "A small list fits into the cache of the processor, a large one does not."),
    ]


def render(data):
    figures, sizes, growth = data["figures"], data["sizes"], data["growth"]
    yield "## Wall time\n"
    yield f"Lists as kustomize sends them: {', '.join(f'{c:,} resources {megabytes(sizes[c])}' for c in COUNTS)}.\n"
    head = ["", *(f"{count:,}" for count in COUNTS)]
    yield table(head, [[name, *(wall(figures[count][name]) for count in COUNTS)] for name in CONTESTANTS])
    yield "Relative to rhoso-fn:\n"
    yield table(head, [[name, *(number(ratio(figures[count][name], figures[count][US]), ".1f") for count in COUNTS)]
                       for name in CONTESTANTS if name != US])
    yield "Peak memory:\n"
    yield table([*head, f"relative to the input, at {LARGE:,}"],
                [[name, *(memory(figures[count][name]) for count in COUNTS), relative(figures[LARGE][name], sizes[LARGE])]
                 for name in CONTESTANTS])
    yield (f"*Too slow* means that a run would take more than {PATIENCE:.0f} seconds, or {PATIENCE_FOR_KYAML:.0f} for kyaml; "
           "*too large*\nthat it would need more memory than this machine has. Both are estimated from the smaller sizes.\n")
    yield "Lists as kpt sends them, with comments:\n"
    yield table(["", *(f"{count:,}" for count in COUNTS[:3])],
                [[name, *(wall(data["kpt"][count][name]) for count in COUNTS[:3])] for name in FOR_KPT])
    yield "## Start-up time, on an empty list\n"
    yield table(["", "wall time"], [[name, wall(figure)] for name, figure in data["start"].items()])
    yield (f"On 10 resources, rhoso-fn takes {wall(data['ten'][US])} and `/bin/true` {wall(data['ten']['/bin/true'])} "
           f"(medians of {rounds(200)} interleaved runs).\n")
    yield "## Growth\n"
    yield (f"The cost of a resource at {LARGE:,} relative to its cost at {MIDDLE:,} is {statistics.median(growth):.2f}, the "
           f"median of {len(growth)} rounds\nthat range from {min(growth):.2f} to {max(growth):.2f}. A round is the ratio of "
           f"the medians of four blocks of {BLOCK} runs per size. The first two\nruns of each block are discarded, so that "
           "one size does not affect the other.\n")
    yield "## Instructions\n"
    yield table(["", "per resource", "per byte"],
                [[name, number(value, ",.0f"), number(value and value / data["per_resource"], ".1f")]
                 for name, value in data["each"].items()])
    yield f"Counted by callgrind on all threads, from the difference between {COUNTED[0]} and {COUNTED[1]} resources.\n"


def relative(figure, size):
    return f"{figure.memory / size:.2f}" if figure.memory else "–"
