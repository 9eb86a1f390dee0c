"""Measures what a render costs in Argo CD, as a plugin and with Argo CD's own kustomize, 1 to 8 at a time.

`make bench-argocd` builds everything and runs this. It writes benches/ARGOCD.md.
"""

import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "target/amd64/x86_64-unknown-linux-gnu/release/rhoso-fn"
TOOLS = Path(sys.argv[1]).resolve()

AT_ONCE = [1, 2, 4, 8]
# Renders per measurement: at least this many, and enough for this many seconds one at a time.
RENDERS = 8
SECONDS = 1
BUILD_OPTIONS = "--enable-alpha-plugins --enable-exec"

# What is rendered: the directory that Argo CD sends to a plugin, and the directory of the application.
APPLICATIONS = {
    "plain files, 1 function": ("examples/argocd/app-with-plain-files", "."),
    "kustomization, 1 function": ("examples/argocd/app-with-kustomization", "."),
    "kustomization, 5 functions, 77 resources": ("examples/nvidia-l4-passthrough", "overlays/rhoso1"),
    "the same, rendered in CI": ("rendered", "."),
}
# Which of these each way can render. Plain files with a functionConfig need a plugin.
PLUGIN = list(APPLICATIONS)[:3]
NATIVE = list(APPLICATIONS)[1:]
ALONE = list(APPLICATIONS)[2:3]
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    def cpu(self):
        """CPU seconds of the server and of the children that it has waited for."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / TICK


def environment(home):
    """kustomize and rhoso-fn are where Argo CD finds them."""
    bin = home / "bin"
    bin.mkdir()
    (bin / "kustomize").symlink_to(TOOLS / "kustomize")
    (bin / "rhoso-fn").symlink_to(OURS)
    return {"PATH": f"{bin}:/usr/bin:/bin", "HOME": str(home)}


class Plugin(Server):
    """The plugin server, in the sidecar of a repo server."""

    name = "plugin"
    applications = PLUGIN

    def __init__(self, home, repository):
        for name in ["config", "plugins", "work"]:
            (home / name).mkdir()
        shutil.copy(ROOT / "examples/argocd/plugin/plugin.yaml", home / "config")
        self.env = environment(home)
        self.repository = repository
        self.socket = home / "plugins/rhoso-fn-v1.0.sock"
        self.process = subprocess.Popen(
            [TOOLS / "argocd-cmp-server", "--config-dir-path", home / "config"],
            env={
                **self.env,
                "ARGOCD_PLUGINSOCKFILEPATH": str(home / "plugins"),
                "ARGOCD_CMP_WORKDIR": str(home / "work"),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not self.socket.exists():
            time.sleep(0.05)

    def render(self, package, path, times, at_once):
        sent = self.repository / package
        ask = [TOOLS / "argocd-cmp-ask", self.socket, sent, sent / path, str(times), str(at_once)]
        subprocess.run(ask, env=self.env, check=True)

    def close(self):
        # It ignores a request to terminate while clients are connected.
        self.process.kill()
        self.process.wait()


class Native(Server):
    """The repo server, which runs kustomize."""

    name = "native"
    applications = NATIVE

    def __init__(self, home, repository):
        data = home / "data"
        data.mkdir()
        self.repository = repository
        self.process = subprocess.Popen(
            [TOOLS / "argocd-repo-judge", "--data", data],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.process.stdout.readline()

    def render(self, package, path, times, at_once):
        question = {
            "repository": str(self.repository),
            "path": os.path.normpath(f"{package}/{path}"),
            "buildOptions": BUILD_OPTIONS,
        }
        asked = 0
        for answered in range(-at_once, times):
            if answered >= 0:
                answer = json.loads(self.process.stdout.readline())
                if answer["error"]:
                    raise RuntimeError(answer["error"])
            if asked < times:
                asked += 1
                print(json.dumps({**question, "id": asked}), file=self.process.stdin, flush=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Alone:
    """rhoso-fn on the files, without Argo CD and kustomize, as CI renders them."""

    name = "rhoso-fn"
    applications = ALONE

    def __init__(self, home, repository):
        self.repository = repository

    def cpu(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def render(self, package, path, times, at_once):
        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(lambda _: rendered(self.repository / package, path), range(times)))

    def close(self):
        pass


def rendered(package, path):
    """What `rhoso-fn render` prints for an overlay and its base."""
    return subprocess.run([OURS, "render", "base", path], cwd=package, stdout=subprocess.PIPE, check=True).stdout


def enough(way, package, path):
    """How many renders to measure."""
    way.render(package, path, 1, 1)
    began = time.monotonic()
    way.render(package, path, 1, 1)
    return max(RENDERS, round(SECONDS / (time.monotonic() - began)))


def measure(way, package, path, renders, at_once):
    """Renders per second, and CPU seconds per render."""
    used, began = way.cpu(), time.monotonic()
    way.render(package, path, renders, at_once)
    took = time.monotonic() - began
    return renders / took, (way.cpu() - used) / renders


def git(*args, cwd):
    author = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
    subprocess.run(["git", *author, *args], cwd=cwd, check=True)


def rows(temporary):
    repository = temporary / "repository"
    shutil.copytree(ROOT / "examples", repository / "examples")
    (repository / "rendered").mkdir()
    [title] = ALONE
    (repository / "rendered/all.yaml").write_bytes(rendered(repository / APPLICATIONS[title][0], APPLICATIONS[title][1]))
    git("init", "--quiet", cwd=repository)
    git("add", ".", cwd=repository)
    git("commit", "--quiet", "--message", "examples", cwd=repository)
    for kind in [Plugin, Native, Alone]:
        home = temporary / kind.name
        home.mkdir()
        way = kind(home, repository)
        for title in kind.applications:
            package, path = APPLICATIONS[title]
            renders = enough(way, package, path)
            measured = [measure(way, package, path, renders, at_once) for at_once in AT_ONCE]
            yield kind.name, title, measured
            print(f"{kind.name}, {title}: {measured}", file=sys.stderr)
        way.close()


def table(head, lines):
    rule = ["---", "---"] + ["---:"] * (len(head) - 2)
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *lines])


def main():
    with tempfile.TemporaryDirectory() as temporary:
        measured = list(rows(Path(temporary)))
    head = ["way", "application", *map(str, AT_ONCE)]
    rates = [[way, title, *(f"{rate:.1f}" for rate, _ in row)] for way, title, row in measured]
    costs = [[way, title, *(f"{cost:.3f}" for _, cost in row)] for way, title, row in measured]
    load = os.getloadavg()[0]
    (ROOT / "benches/ARGOCD.md").write_text(
        f"""# What a render costs in Argo CD

Written by `make bench-argocd`; do not edit. Argo CD's own servers render applications from `examples`, so many at a
time, without their cache. Each figure is from at least {RENDERS} renders, on
{os.cpu_count()} cores ({platform.machine()}). The load average at the end was {load:.1f}: other programs ran at the same time if it is much
higher than the number of cores. CPU seconds depend on that less than rates.

## CPU seconds per render

Of the server and the programs that it runs: Git, kustomize and rhoso-fn.

{table(head, costs)}

## Renders per second

{table(head, rates)}
"""
    )


if __name__ == "__main__":
    main()
