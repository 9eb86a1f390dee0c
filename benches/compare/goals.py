"""The goals, and what RESULTS.md says about those that are missed."""

from dataclasses import dataclass

from tables import table

UNKNOWN = "The reason is not known."


@dataclass
class Goal:
    text: str
    # As the table shows it.
    measured: str
    # None if it was not measured.
    met: bool | None
    # What misses it, and why, for the reader of the results.
    missed: list[tuple[str, str]]


def at_least(text, value, least, form, reason=UNKNOWN):
    return alone(text, value, form, value is not None and value >= least, reason)


def at_most(text, value, most, form, reason=UNKNOWN):
    return alone(text, value, form, value is not None and value <= most, reason)


def alone(text, value, form, met, reason):
    if value is None:
        return Goal(text, "–", None, [])
    measured = format(value, form)
    return Goal(text, measured, met, [] if met else [(f"{text}: {measured}", reason)])


def each_at_least(text, values, least, form, unit, reasons):
    """One goal for several values, of which the table shows the smallest one."""
    known = {name: value for name, value in values.items() if value is not None}
    if not known:
        return Goal(text, "–", None, [])
    worst = min(known, key=known.get)
    missed = [(f"{name}: {format(value, form)} {unit} instead of {least}", reasons.get(name, UNKNOWN))
              for name, value in known.items() if value < least]
    return Goal(text, f"{format(known[worst], form)} or more ({worst})", not missed, missed)


def render(goals):
    shown = {True: "yes", False: "**no**", None: "not measured"}
    yield "## Goals\n"
    yield table(["goal", "measured", ""], [[goal.text, goal.measured, shown[goal.met]] for goal in goals])
    yield "## Slower or larger than we want\n"
    missed = [miss for goal in goals for miss in goal.missed]
    if not missed:
        yield "Every measured goal is met.\n"
    # Misses for the same reason are listed together.
    for reason in dict.fromkeys(reason for _, reason in missed):
        yield f"{reason}\n"
        yield "\n".join(f"- {what}" for what, why in missed if why == reason) + "\n"
