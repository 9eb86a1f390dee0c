"""Reads documents as PyYAML does, the reader of Ansible. Each line of stdin is a JSON string with one
document; each line of stdout is {"value": ...} or {"error": "..."}.

Scalars stay as they are written, because YAML 1.1 resolves many of them in a way of its own; mappings are
lists of pairs, aliases stand for what they name."""

import json
import sys

import yaml


def convert(node, budget):
    budget[0] -= 1
    if budget[0] < 0:
        raise ValueError("the aliases multiply")
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [convert(child, budget) for child in node.value]
    return {"pairs": [[convert(key, budget), convert(value, budget)] for key, value in node.value]}


def read(text):
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    return None if node is None else convert(node, [5_000_000])


for line in sys.stdin:
    try:
        answer = {"value": read(json.loads(line))}
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        answer = {"error": " ".join(str(error).split())}
    print(json.dumps(answer), flush=True)
