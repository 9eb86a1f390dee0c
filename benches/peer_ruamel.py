"""The InjectGpuAlias edit in a script that keeps comments, with ruamel.yaml, which is pure Python."""

import sys

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString


def line(alias):
    pairs = [("vendor_id", "vendorId"), ("product_id", "productId"), ("device_type", "deviceType"),
             ("name", "name"), ("numa_policy", "numaPolicy")]
    return "alias = { %s }" % ", ".join(f'"{key}":"{alias[field]}"' for key, field in pairs if field in alias)


def add(text, alias):
    if f'"name":"{alias["name"]}"' in text:
        return text
    if "[pci]\n" in text:
        return text.replace("[pci]\n", "[pci]\n" + line(alias) + "\n", 1)
    return (text.rstrip("\n") + "\n\n" if text else "") + "[pci]\n" + line(alias) + "\n"


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
