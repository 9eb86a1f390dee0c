"""The InjectGpuAlias edit in a script that keeps comments, with ruamel.yaml, which is pure Python."""

import sys

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from peer_alias import add

yaml = YAML()
yaml.preserve_quotes = True
yaml.width = 4096
resource_list = yaml.load(sys.stdin)
for item in resource_list["items"]:
    if item["kind"] == "OpenStackControlPlane":
        template = item["spec"]["nova"]["template"]["apiServiceTemplate"]
        for alias in resource_list["functionConfig"]["spec"]["aliases"]:
            text = add(template.get("customServiceConfig", ""), alias)
            template["customServiceConfig"] = LiteralScalarString(text)
yaml.dump(resource_list, sys.stdout)
