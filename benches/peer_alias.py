"""The edit of the Python peers in the text of Nova's configuration: adds an alias to its `[pci]` section."""


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
