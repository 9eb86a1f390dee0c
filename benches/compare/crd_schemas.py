"""JSON schemas for kubeconform, from CRDs."""

import json

import yaml


def write(crds, folder):
    """Writes GROUP/KIND_VERSION.json below the folder for every version of every CRD, and returns the folder."""
    for path in sorted(crds.glob("*.yaml")):
        for crd in yaml.load_all(path.read_text(), Loader=yaml.CSafeLoader):
            if not crd or crd.get("kind") != "CustomResourceDefinition":
                continue
            group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"].lower()
            for version in crd["spec"]["versions"]:
                schema = version.get("schema", {}).get("openAPIV3Schema")
                if schema:
                    # Every resource has these, also where the CRD does not mention them.
                    common = dict.fromkeys(["apiVersion", "kind", "metadata"], {})
                    schema["properties"] = {**common, **schema.get("properties", {})}
                    (folder / group).mkdir(parents=True, exist_ok=True)
                    (folder / group / f"{kind}_{version['name']}.json").write_text(json.dumps(strict(schema)))
    return folder


def strict(schema):
    """The schema without unknown fields, as an API server with strict validation reads it."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {}
    for key, value in schema.items():
        # The names of properties are not keywords of the schema.
        result[key] = {name: strict(part) for name, part in value.items()} if key == "properties" else strict(value)
    if schema.get("x-kubernetes-int-or-string"):
        result.pop("type", None)
        result.setdefault("anyOf", [{"type": "integer"}, {"type": "string"}])
    keeps = schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("x-kubernetes-embedded-resource")
    if schema.get("type") == "object" and "properties" in schema and "additionalProperties" not in schema and not keeps:
        result["additionalProperties"] = False
    return result
