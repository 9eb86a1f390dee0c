"""Lists of 20 MB in every style that people, editors and tools write, and with several functions."""

import re

import inputs
from goals import at_least, at_most, each_at_least
from lists import COPIES, COUNTED, READING
from measure import Command, Figure, instructions_per_byte, measure, output, run
from settings import OURS, PEER, STYLE_LARGE, WORK, rounds
from tables import number, of, ratio, table

US, WAVES, PLAIN, KYAML = "InjectGpuAlias", "SetSyncWaves", "plain", "kyaml"

MEANING = {
    "plain": "block style, as kustomize writes it",
    "config-comment": "a comment in the functionConfig",
    "config-flow": "braces in the functionConfig",
    "marker": "`---` before the list",
    "bom": "a byte order mark",
    "open-end": "no line break at the end",
    "crlf": "CRLF line ends",
    "flow": "every item: `{name: A, value: \"on\"}`",
    "flow-words": "every item: `[\"sh\", \"-c\"]`",
    "folded": "every item: `>-`",
    "lines": "every item: a plain value on three lines",
    "quoted-lines": "every item: a quoted value on three lines",
    "escapes": "every item: `\"\\u00e9\"`",
    "indicator": "every item: `\\|2-`",
    "header-comment": "every item: `\\| # by hand`",
    "tags": "every item: `!!str 1`",
    "anchors": "every item: an anchor and an alias",
    "one-separator": "one item with U+0085",
    "one-alias": "one alias to an anchor of another item",
    "json": "indented JSON",
    "json-line": "JSON on one line",
}


def meaning(style):
    return MEANING.get(style, style)


LOOKS_INTO = {
    "InjectGpuAlias": "control planes, 2 of 25 items",
    "SetServiceConfig": "control planes, 2 of 25 items",
    "GenerateVolumes": "no items",
    "PrefixAddressPools": "control planes, Services and pools; changes those of one namespace",
    "SetSyncWaves": "every item; changes 5 of 25",
    "ValidateSecrets": "control planes and Secrets; changes nothing",
}

# The least speed relative to the plain style. Styles that differ only in one place should not be slower at all; 0.9 allows
# for noise.
ONE_PLACE = ["config-comment", "config-flow", "marker", "bom", "open-end", "one-separator", "one-alias"]
LEAST = {"plain": 0, "crlf": 0.7, "json": 0, "json-line": 0, **dict.fromkeys(ONE_PLACE, 0.9)}
IN_EVERY_ITEM = 0.6
# In bytes per second, whatever the speed of the plain style is.
LEAST_JSON = 150e6
LEAST_KYAML, LEAST_KYAML_PLAIN = 40, 100
MOST_COPIES = {"plain": 1.5, "json": 2.5, "json-line": 2.5}

# A run takes some hundredths of a second, so that the median of a few runs differs by more than the styles do.
STYLE_ROUNDS = 25

# Why goals are missed; RESULTS.md says so only if they are.
DENSE = "JSON has more quotes and brackets per byte than block style, and a tree of the same size from fewer bytes."
REASONS = {
    "plain": READING,
    "json": DENSE,
    "json-line": DENSE,
}


def sized(style, count, function=None):
    name = f"style-{style}-{count}{f'-{function}' if function else ''}.yaml"
    return inputs.generated(WORK / name, style, count, *([function] if function else []))


def edits(args, path, count):
    """Why a program's result is not the expected one. None if it is."""
    out = output(args, path)
    if out is None:
        return "fails"
    return None if out.count(inputs.EDIT) == inputs.control_planes(count) else "different result"


def kyaml(path):
    """The peer on the same list. It takes seconds, so it runs only a few times."""
    wrong = edits([PEER], path, STYLE_LARGE)
    return Figure(problem=wrong) if wrong else measure({KYAML: Command([PEER], path, budget=15.0)}, rounds(3))[KYAML]


def measured(style, plain):
    paths = {US: sized(style, STYLE_LARGE), WAVES: sized(style, STYLE_LARGE, WAVES)}
    if wrong := edits([OURS], paths[US], STYLE_LARGE):
        raise RuntimeError(f"{style}: {wrong}")
    commands = {PLAIN: Command([OURS], plain), **{name: Command([OURS], path) for name, path in paths.items()}}
    figures = {**measure(commands, rounds(STYLE_ROUNDS)), KYAML: kyaml(paths[US])}
    sizes = {PLAIN: plain.stat().st_size, **{name: path.stat().st_size for name, path in paths.items()}}
    sizes[KYAML] = sizes[US]
    row = {"figures": figures, "sizes": sizes,
           "instructions": instructions_per_byte([OURS], *(sized(style, count) for count in COUNTED))}
    for path in WORK.glob(f"style-{style}-*.yaml"):
        path.unlink()
    return row


def speed(row, name):
    figure = row["figures"][name]
    return row["sizes"][name] / figure.time if figure.time else None


def relative(row, name):
    """The speed relative to that of InjectGpuAlias on the plain style, in interleaved runs."""
    return speed(row, name) / speed(row, PLAIN) if speed(row, name) and speed(row, PLAIN) else None


def copies(row, name):
    figure = row["figures"][name]
    return figure.memory / row["sizes"][name] if figure.memory else None


def times_kyaml(row):
    return ratio(row["figures"][KYAML], row["figures"][US])


def measure_functions(plain):
    rows = {}
    for function in inputs.words("functions"):
        path = sized("plain", STYLE_LARGE, function)
        figures = measure({PLAIN: Command([OURS], plain), function: Command([OURS], path)}, rounds(STYLE_ROUNDS))
        # What the last run wrote to stderr.
        run([OURS], path)
        found = len(re.findall(r"^rhoso-fn: ", (WORK / "stderr.txt").read_text(), re.M))
        rows[function] = {"figures": figures, "sizes": {PLAIN: plain.stat().st_size, function: path.stat().st_size},
                          "findings": found, "instructions": instructions_per_byte(
                              [OURS], *(sized("plain", count, function) for count in COUNTED))}
        print(function, number(relative(rows[function], function)), flush=True)
    return rows


def measure_all():
    plain = inputs.generated(WORK / "plain.yaml", "plain", STYLE_LARGE)
    styles = {}
    for style in inputs.words("styles"):
        styles[style] = row = measured(style, plain)
        print(style, number(speed(row, US), ".3g"), number(relative(row, US)), number(copies(row, US)),
              number(row["instructions"], ".1f"), number(times_kyaml(row), ".0f"), flush=True)
    data = {"styles": styles, "functions": measure_functions(plain), "size": plain.stat().st_size}
    plain.unlink()
    return data


def goals(data):
    styles = data["styles"]
    plain = styles["plain"]
    yield at_most("plain style: at most 25 instructions per byte", plain["instructions"], 25, ".1f",
                  "The reader checks every byte, and the items that a function looks into are read again.")
    yield at_most("plain style: peak memory at most 1.5 times the input", copies(plain, US), 1.5, ".2f", COPIES)
    reasons = {meaning(style): reason for style, reason in REASONS.items()}
    for text, least in [("styles that differ in one place: at least 0.9 of the speed of plain", 0.9),
                        ("CRLF: at least 0.7 of the speed of plain", 0.7),
                        ("styles that differ in every item: at least 0.6 of the speed of plain", 0.6)]:
        values = {meaning(style): relative(row, US) for style, row in styles.items()
                  if LEAST.get(style, IN_EVERY_ITEM) == least}
        yield each_at_least(text, values, least, ".2f", "of the speed of plain", reasons)
    for style in ("json", "json-line"):
        value = speed(styles[style], US)
        yield at_least(f"{meaning(style)}: at least 150 MB/s", value and value / 1e6, LEAST_JSON / 1e6, ".0f", DENSE)
        yield at_most(f"{meaning(style)}: peak memory at most 2.5 times the input", copies(styles[style], US), 2.5, ".2f", DENSE)
    yield at_least("plain style: at least 100 times as fast as kyaml", times_kyaml(plain), LEAST_KYAML_PLAIN, ".0f", READING)
    yield each_at_least("every other style: at least 40 times as fast as kyaml",
                        {meaning(style): times_kyaml(row) for style, row in styles.items() if style != "plain"}, LEAST_KYAML,
                        ".0f", "times as fast as kyaml", reasons)
    waves = data["functions"][WAVES]
    reason = "The function looks into every item, which is read again for that, and changes a fifth of them."
    yield at_least("SetSyncWaves: at least 0.6 of the speed of InjectGpuAlias", relative(waves, WAVES), 0.6, ".2f", reason)
    yield at_most("SetSyncWaves: peak memory at most 2.5 times the input", copies(waves, WAVES), 2.5, ".2f", reason)


def shown_speed(row, name):
    return of(row["figures"][name], lambda figure: f"{row['sizes'][name] / figure.time / 1e6:.0f}")


def marked(text, missed):
    return f"**{text}**" if missed else text


def cells(style, row):
    """A line of the table, in which figures that miss a goal are bold."""
    of_plain, memory, kyaml = relative(row, US), copies(row, US), times_kyaml(row)
    slow_json = style.startswith("json") and (speed(row, US) or 0) < LEAST_JSON
    return [
        meaning(style),
        marked(shown_speed(row, US), slow_json),
        marked(number(of_plain), of_plain is not None and of_plain < LEAST.get(style, IN_EVERY_ITEM)),
        marked(number(memory), memory is not None and memory > MOST_COPIES.get(style, memory)),
        marked(number(row["instructions"], ".1f"), style == "plain" and (row["instructions"] or 0) > 25),
        shown_speed(row, WAVES), number(relative(row, WAVES)), number(copies(row, WAVES)),
        of(row["figures"][KYAML], lambda figure: f"{row['sizes'][KYAML] / figure.time / 1e6:.1f}"),
        marked(number(kyaml, ".0f"),
               kyaml is not None and kyaml < (LEAST_KYAML_PLAIN if style == "plain" else LEAST_KYAML)),
    ]


def render(data):
    yield "## Styles\n"
    yield (f"Lists of {STYLE_LARGE:,} resources; the plain one has {data['size'] / 1e6:.1f} MB. Speeds are in MB/s. *Of plain* "
           "is the speed relative to\nInjectGpuAlias on the plain style, in interleaved runs. Memory is the peak relative to "
           "the input. The last two columns are the\nspeed of kyaml with InjectGpuAlias and how many times as fast rhoso-fn "
           "is. Figures that miss a goal are bold.\n")
    yield table(["", "InjectGpuAlias", "of plain", "memory", "instructions per byte", "SetSyncWaves", "of plain", "memory",
                 "kyaml", "times as fast"], [cells(style, row) for style, row in data["styles"].items()])
    yield "## Functions\n"
    yield ("The same list in the plain style. Each finding is located in the source, so that functions that report many are "
           "slower.\n")
    yield table(["", "looks into", "findings", "speed", "of InjectGpuAlias", "memory", "instructions per byte"],
                [[name, LOOKS_INTO.get(name, "–"), row["findings"], shown_speed(row, name), number(relative(row, name)),
                  number(copies(row, name)), number(row["instructions"], ".1f")]
                 for name, row in data["functions"].items()])
