"""`check` next to kubeconform and kube-linter, on the same manifests. They look for different defects."""

import re
import shutil
import subprocess

import crd_schemas
import inputs
from lists import expected
from measure import ENVIRONMENT, Command, Figure, measure
from settings import BIN, CRDS, LARGE, LONGEST_RUN, MIDDLE, OURS, WORK, rounds
from tables import memory, number, ratio, table, wall

US, CONFORM, LINTER = "`rhoso-fn check`", "kubeconform", "kube-linter"
SIZES = [100, MIDDLE, LARGE] if MIDDLE > 100 else [MIDDLE, LARGE]


def program(name):
    """Below target/bench, or else on the PATH."""
    built = BIN / name
    return built if built.exists() else shutil.which(name) or built


def commands(folder, schemas):
    location = str(schemas / "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json")
    return {
        US: Command([OURS, "check", folder]),
        CONFORM: Command([program("kubeconform"), "-schema-location", location, "-ignore-missing-schemas", "-strict",
                          "-summary", folder]),
        # It reports defects of the Deployments, and then exits with 1.
        LINTER: Command([program("kube-linter"), "lint", folder], codes=(0, 1)),
    }


def said(command):
    """The last line that is not empty."""
    try:
        ended = subprocess.run([str(arg) for arg in command.args], capture_output=True, text=True, errors="replace",
                               env=ENVIRONMENT, timeout=LONGEST_RUN)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = (ended.stdout + ended.stderr).strip().splitlines()
    return lines[-1].strip() if lines else ""


def measure_all():
    schemas = crd_schemas.write(CRDS, WORK / "schemas")
    figures, reports = {}, {}
    for position, count in enumerate(SIZES):
        folder = inputs.fresh(f"plan-{count}")
        inputs.split("plan", count, folder)
        listed = commands(folder, schemas)
        problems = {name: expected([figures[before][name] for before in SIZES[:position]], "rhoso-fn" if name == US else name)
                    for name in listed}
        found = measure({name: it for name, it in listed.items() if not problems[name]}, rounds(5))
        figures[count] = {name: found.get(name) or Figure(problem=problems[name]) for name in listed}
        if count == MIDDLE:
            reports = {name: said(it) for name, it in listed.items() if figures[count][name].time}
        print("check", count, {name: wall(figure) for name, figure in figures[count].items()}, flush=True)
    return {"figures": figures, "reports": reports}


def goals(_):
    return []


def render(data):
    figures, reports = data["figures"], data["reports"]
    head = ["", *(f"{count:,}" for count in SIZES)]
    summary = re.search(r"Valid: (\d+).*Skipped: (\d+)", reports.get(CONFORM, ""))
    lint = re.search(r"found (\d+) lint errors", reports.get(LINTER, ""))
    yield "## `check` and other linters\n"
    yield (f"The address plan of the next section as a directory with files of {inputs.PER_FILE} resources. The tools look "
           "for different defects, so the\ntimes say what a run of each costs, not which one is better:\n")
    validated = (f"of {MIDDLE:,} resources, it validates {summary.group(1)}, and reads and skips {summary.group(2)}" if summary
                 else "it skips the other resources")
    found = f", and reports {lint.group(1)} defects of the Deployments and Services among {MIDDLE:,} resources" if lint else ""
    yield ("- `rhoso-fn check` knows the fields of these kinds, compares the resources with each other (addresses, names, "
           f"references)\n  and with OpenStack's rules. It prints: {reports.get(US, '–')}\n"
           "- kubeconform validates each resource by itself with a JSON schema. It has the schemas of the CRDs, but none of "
           f"Kubernetes'\n  own kinds, which it would download: {validated}.\n"
           f"- kube-linter runs its default checks{found}.\n")
    yield table(head, [[name, *(wall(figures[count][name]) for count in SIZES)] for name in (US, CONFORM, LINTER)])
    yield "Relative to `rhoso-fn check`:\n"
    yield table(head, [[name, *(number(ratio(figures[count][name], figures[count][US]), ".1f") for count in SIZES)]
                       for name in (CONFORM, LINTER)])
    yield "Peak memory:\n"
    yield table(head, [[name, *(memory(figures[count][name]) for count in SIZES)] for name in (US, CONFORM, LINTER)])
