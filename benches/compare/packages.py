"""`render` of a directory, next to `kustomize build` and `kpt fn render` of the same package."""

import inputs
from goals import at_most
from lists import expected
from measure import Command, Figure, measure, output
from settings import BIN, COUNTS, LARGE, OURS, rounds
from tables import memory, number, ratio, table, wall

SIZES = [count for count in COUNTS if count <= LARGE]
ROUNDS = {10: 20, 100: 10, 1000: 5, 10000: 5}

US = "`rhoso-fn render`"
PLAIN_BUILD = "`kustomize build` without functions"
BUILD = "`kustomize build` with rhoso-fn"
KPT = "`kpt fn render` with rhoso-fn"


def commands(count):
    folder = inputs.package(count, "functions", "transformers: [config.yaml]\n")
    without = inputs.package(count, "resources", "")
    return folder, {
        US: Command([OURS, "render", folder]),
        PLAIN_BUILD: Command([BIN / "kustomize", "build", without]),
        BUILD: Command([BIN / "kustomize", "build", "--enable-alpha-plugins", "--enable-exec", folder]),
        # To stdout. Without `--output`, kpt changes the package itself.
        KPT: Command([BIN / "kpt", "fn", "render", folder, "--allow-exec", "--output", "unwrap"]),
    }


def different():
    """The tools whose result does not have the alias in every control plane."""
    _, listed = commands(100)
    wrong = {}
    for name, it in listed.items():
        out = output(it.args)
        changed = 0 if name == PLAIN_BUILD else inputs.control_planes(100)
        if out is None or out.count(inputs.EDIT) != changed:
            wrong[name] = "not available" if not it.args[0].exists() else "fails" if out is None else "different result"
    return wrong


def measure_all():
    wrong = different()
    figures, sizes = {}, {}
    for position, count in enumerate(SIZES):
        folder, listed = commands(count)
        problems = {name: wrong.get(name) or expected([figures[before][name] for before in SIZES[:position]],
                                                      "rhoso-fn" if name == US else name) for name in listed}
        found = measure({name: it for name, it in listed.items() if not problems[name]}, rounds(ROUNDS[count]))
        figures[count] = {name: found.get(name) or Figure(problem=problems[name]) for name in listed}
        sizes[count] = inputs.size(folder)
        print("package", count, {name: wall(figure) for name, figure in figures[count].items()}, flush=True)
    return {"figures": figures, "sizes": sizes}


def copies(data):
    ours = data["figures"][LARGE][US]
    return ours.memory / data["sizes"][LARGE] if ours.memory else None


def goals(data):
    yield at_most(f"`render` of {LARGE:,} resources: memory at most 2.5 times the files", copies(data), 2.5, ".2f",
                  "All files and what changes in them are in memory until the last function has run, because nothing is "
                  "written if one of\nthem fails.")


def render(data):
    figures, sizes = data["figures"], data["sizes"]
    head = ["", *(f"{count:,}" for count in SIZES)]
    names = list(figures[SIZES[0]])
    yield "## `render` of a directory\n"
    yield (f"The same package for each tool: files of {inputs.PER_FILE} resources, and one InjectGpuAlias. "
           f"{SIZES[-1]:,} resources have {sizes[SIZES[-1]] / 1e6:.1f} MB.\nEach tool writes the result to stdout. kustomize "
           "and kpt run rhoso-fn as a function.\n")
    yield table(head, [[name, *(wall(figures[count][name]) for count in SIZES)] for name in names])
    yield "Relative to `rhoso-fn render`:\n"
    yield table(head, [[name, *(number(ratio(figures[count][name], figures[count][US]), ".1f") for count in SIZES)]
                       for name in names if name != US])
    yield "Peak memory of the largest process:\n"
    yield table(head, [[name, *(memory(figures[count][name]) for count in SIZES)] for name in names])
    yield (f"`rhoso-fn render` needs {number(copies(data))} times the size of the files at {LARGE:,} resources. kustomize does "
           "more than the others: it also\nresolves bases and overlays, sorts keys, and checks for duplicates. Most of the "
           "time that a function adds to it is spent on\nwriting the list and reading the result again.\n")
