"""How figures and tables are written."""


def of(figure, write):
    """A figure, or why there is none."""
    if figure is None or (figure.problem is None and figure.time is None):
        return "–"
    return figure.problem or write(figure)


def seconds(time):
    if time is None:
        return "–"
    return f"{time * 1000:.1f} ms" if time < 1 else f"{time:.2f} s"


def wall(figure):
    return of(figure, lambda figure: seconds(figure.time))


def megabytes(size):
    return "–" if size is None else f"{size / 1e6:.1f} MB"


def memory(figure):
    return of(figure, lambda figure: megabytes(figure.memory))


def number(value, form=".2f"):
    return "–" if value is None else format(value, form)


def ratio(figure, base):
    """How much longer a run took than another one. None if one of them was not measured."""
    return figure.time / base.time if figure and base and figure.time and base.time else None


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"
