"""The input of the benchmark, which benches/generate.rs writes: lists for functions, directories for everything else."""

import shutil
import subprocess

from settings import EXAMPLES, WORK

# The edit of InjectGpuAlias, in a spelling that no input contains.
EDIT = b"numa_policy"
# Resources per file of a directory: those of a namespace.
PER_FILE = 25

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

KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: benchmark
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
  mutators:
  - exec: rhoso-fn
    configPath: config.yaml
"""


def generated(path, *args):
    """Writes what the generator prints, and returns the path."""
    with open(path, "wb") as out:
        subprocess.run([EXAMPLES / "generate", *map(str, args)], stdout=out, check=True)
    return path


def words(*args):
    return subprocess.run([EXAMPLES / "generate", *args], capture_output=True, check=True, text=True).stdout.split()


def list_of(wire, count):
    path = WORK / f"{wire}-{count}.yaml"
    return path if path.exists() else generated(path, wire, count)


def control_planes(count):
    """How many of so many resources are control planes, each of which InjectGpuAlias changes."""
    return sum(index % 25 in (0, 13) for index in range(count))


def fresh(name):
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def split(kind, count, folder):
    """Writes generated documents to files of one namespace each, and returns the names of the files."""
    whole = generated(WORK / "documents.yaml", kind, count).read_text()
    documents = whole.split("---\n")
    names = []
    for start in range(0, len(documents), PER_FILE):
        names.append(f"tenant-{start // PER_FILE}.yaml")
        (folder / names[-1]).write_text("---\n".join(documents[start:start + PER_FILE]))
    (WORK / "documents.yaml").unlink()
    return names


def package(count, name, addition):
    """A package for kustomize, kpt and rhoso-fn with so many resources."""
    folder = fresh(f"package-{count}-{name}")
    names = split("documents", count, folder)
    generated(folder / "config.yaml", "config")
    resources = "".join(f"- {name}\n" for name in names)
    (folder / "kustomization.yaml").write_text(f"resources:\n{resources}{addition}")
    (folder / "Kptfile").write_text(KPTFILE)
    return folder


def size(folder):
    return sum(path.stat().st_size for path in folder.glob("*.yaml"))
