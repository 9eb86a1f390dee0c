"""Runs programs and measures them: wall time, peak memory, instructions."""

import os
import re
import signal
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from settings import BUDGET, ENOUGH, LONGEST_RUN, OURS, WORK

ENVIRONMENT = {"PATH": f"{OURS.parent}:{os.environ['PATH']}", "HOME": str(WORK)}
STARTED = time.monotonic()


@dataclass
class Command:
    args: list
    stdin: Path = Path("/dev/null")
    # The exit codes of a run that did its work. Linters exit with 1 if they find something.
    codes: tuple = (0,)
    # The seconds that all runs together may take, unless the first run exceeds them.
    budget: float = BUDGET


@dataclass
class Figure:
    """What was measured, or why it was not."""
    time: float | None = None
    memory: int | None = None
    problem: str | None = None
    runs: list = field(default_factory=list)


def run(args, stdin="/dev/null", codes=(0,)):
    """The wall time of one run in seconds, and what went wrong. stdout goes to /dev/null for all contestants."""
    args = [str(arg) for arg in args]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, str(WORK / "stderr.txt"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
    ]
    start = time.perf_counter()
    try:
        pid = os.posix_spawn(args[0], args, ENVIRONMENT, file_actions=actions, setpgroup=0)
    except OSError:
        return None, "not available"
    timer = threading.Timer(LONGEST_RUN, os.killpg, (pid, signal.SIGKILL))
    timer.start()
    _, status = os.waitpid(pid, 0)
    taken = time.perf_counter() - start
    timer.cancel()
    if taken >= LONGEST_RUN:
        return taken, "too slow"
    code = os.waitstatus_to_exitcode(status)
    if code not in codes:
        said = (WORK / "stderr.txt").read_text(errors="replace").strip()
        print(f"failed with {code}: {' '.join(args)} < {stdin}\n{said[-600:]}", flush=True)
        return taken, "fails"
    return taken, None


def trial(command):
    """One run under GNU time, which measures the peak memory. If it is slow, it also counts as a measured time; otherwise
    GNU time itself would matter."""
    noted = WORK / "memory.txt"
    noted.unlink(missing_ok=True)
    taken, problem = run(["/usr/bin/time", "--quiet", "-f", "%M", "-o", noted, *command.args], command.stdin, command.codes)
    if problem:
        # GNU time exits with 127 for a missing program.
        missing = not Path(command.args[0]).exists()
        return Figure(problem="not available" if missing else problem)
    memory = int(noted.read_text().split()[-1]) * 1024
    return Figure(memory=memory, runs=[taken] if taken > 0.5 else [])


def continues(figure, command, number, rounds):
    """Whether something that has run before runs in this round, too."""
    late = time.monotonic() - STARTED > ENOUGH and number >= 2
    return not late and len(figure.runs) < rounds and sum(figure.runs) + figure.runs[-1] <= command.budget


def measure(commands, rounds):
    """Figures of interleaved runs, so that a noisy minute affects all contestants. The time is the median."""
    figures = {name: trial(command) for name, command in commands.items()}
    for number in range(rounds):
        for name, command in commands.items():
            figure = figures[name]
            if figure.problem or (figure.runs and not continues(figure, command, number, rounds)):
                continue
            taken, figure.problem = run(command.args, command.stdin, command.codes)
            figure.runs.append(taken)
    for figure in figures.values():
        figure.time = None if figure.problem else statistics.median(figure.runs)
    return figures


def instructions(args, stdin):
    """Instructions of one run, counted by callgrind. None without valgrind."""
    out = WORK / "callgrind.out"
    try:
        with open(stdin) as source:
            said = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, args)],
                                  stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LONGEST_RUN)
    except (OSError, subprocess.TimeoutExpired):
        return None
    counted = re.search(rb"Collected : (\d+)", said.stderr)
    return int(counted.group(1)) if counted else None


def instructions_per_byte(args, smaller, larger):
    """From the difference between two inputs, which excludes the start-up."""
    counts = [instructions(args, path) for path in (smaller, larger)]
    if None in counts:
        return None
    return (counts[1] - counts[0]) / (larger.stat().st_size - smaller.stat().st_size)


def output(args, stdin="/dev/null"):
    """What a program prints on stdout, or None if it fails."""
    try:
        with open(stdin, "rb") as source:
            ended = subprocess.run([str(arg) for arg in args], stdin=source, capture_output=True, env=ENVIRONMENT,
                                   timeout=LONGEST_RUN)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ended.stdout if ended.returncode == 0 else None
