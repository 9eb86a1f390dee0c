"""What was measured on which machine, with which versions."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from settings import ROOT


def version(*args):
    try:
        said = subprocess.run([str(arg) for arg in args], capture_output=True, text=True, timeout=60)
        return (said.stdout + said.stderr).strip().splitlines()[0]
    except (OSError, IndexError, subprocess.TimeoutExpired):
        return "unknown"


def module_version(program):
    """The version of the Go module that a program was built from."""
    try:
        said = subprocess.run(["go", "version", "-m", str(program)], capture_output=True, text=True, timeout=60).stdout
        return re.search(r"^\s*mod\s+\S+\s+(\S+)", said, re.M).group(1)
    except (OSError, AttributeError, subprocess.TimeoutExpired):
        return "unknown"


def machine():
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return (f"{cpu.group(1) if cpu else platform.machine()}, {os.cpu_count()} cores, "
            f"{kilobytes('MemTotal') / 1e6:.0f} GB, Linux {platform.release().split('-')[0]}")


def kilobytes(name):
    return int(re.search(rf"{name}:\s*(\d+)", Path("/proc/meminfo").read_text()).group(1))


def available_memory():
    return kilobytes("MemAvailable") * 1024


def image_size():
    """The image in the local store, if `make image` has built it."""
    if not shutil.which("podman"):
        return None
    name = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
    said = subprocess.run(["podman", "image", "inspect", "--format", "{{.Size}}", f"localhost/rhoso-fn:{name}"],
                          capture_output=True, text=True)
    return int(said.stdout) if said.returncode == 0 else None
