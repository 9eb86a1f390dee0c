"""The InjectGpuAlias edit in a typical script: load, change and dump with PyYAML and libyaml. It loses comments,
quotes and the order of keys."""

import sys

import yaml

from peer_alias import add

resource_list = yaml.load(sys.stdin, Loader=yaml.CSafeLoader)
for item in resource_list["items"]:
    if item["kind"] == "OpenStackControlPlane":
        template = item["spec"]["nova"]["template"]["apiServiceTemplate"]
        for alias in resource_list["functionConfig"]["spec"]["aliases"]:
            template["customServiceConfig"] = add(template.get("customServiceConfig", ""), alias)
yaml.dump(resource_list, sys.stdout, Dumper=yaml.CSafeDumper)
