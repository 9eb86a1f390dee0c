"""The InjectGpuAlias edit in a typical script: load, change and dump with PyYAML and libyaml. It loses comments,
quotes and the order of keys."""

import sys

import yaml


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


resource_list = yaml.load(sys.stdin, Loader=yaml.CSafeLoader)
for item in resource_list["items"]:
    if item["kind"] == "OpenStackControlPlane":
        template = item["spec"]["nova"]["template"]["apiServiceTemplate"]
        for alias in resource_list["functionConfig"]["spec"]["aliases"]:
            template["customServiceConfig"] = add(template.get("customServiceConfig", ""), alias)
yaml.dump(resource_list, sys.stdout, Dumper=yaml.CSafeDumper)
