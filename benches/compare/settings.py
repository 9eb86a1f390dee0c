"""Where everything is, and how much is measured."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "target/bench"
BIN = WORK / "bin"
CRDS = ROOT / ".tools/crds"
EXAMPLES = ROOT / "target/release/examples"

OURS = ROOT / "target/amd64/x86_64-unknown-linux-gnu/release/rhoso-fn"
BARE_PARSE = EXAMPLES / "bare_parse"
PEER = WORK / "peer-kyaml"
PYTHON = Path(sys.executable)

# QUICK=1 tries everything once on small inputs. Its figures say nothing, so it does not write benches/RESULTS.md.
QUICK = bool(os.environ.get("QUICK"))
# So does a run of some sections only, whose names are the arguments.
RESULTS = WORK if QUICK or sys.argv[1:] else ROOT / "benches"

COUNTS = [10, 100, 1000] if QUICK else [10, 100, 1000, 10000, 100000]
# The sizes that the goals and the tables of memory refer to.
MIDDLE, LARGE = (100, 1000) if QUICK else (1000, 10000)
# A list of 20 MB.
STYLE_LARGE = 1000 if QUICK else 5600

# How often something runs at most, and for how many seconds all of its runs may take together. Both can be exceeded by
# the first run.
BUDGET = 2.0 if QUICK else 12.0
# A peer is skipped if a run would take longer, in seconds. kyaml gets more time, because goals refer to it.
PATIENCE = 10.0 if QUICK else 30.0
PATIENCE_FOR_KYAML = 120.0
# A run that takes longer is ended.
LONGEST_RUN = 180.0
# After so many seconds, everything is measured only twice, so that a slow machine finishes, too.
ENOUGH = 900.0


def rounds(wanted):
    return min(wanted, 2) if QUICK else wanted
