"""The plot of RESULTS.md as SVG: wall time by number of resources, both on logarithmic scales."""

from math import ceil, floor, log10

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 160, 50, 50
COLOURS = {"rhoso-fn": "#c9190b", "kyaml (Go)": "#0066cc", "kustomize patches": "#5e40be", "PyYAML": "#3e8635",
           "ruamel.yaml": "#8f4700", "bare parse": "#6a6e73", "cat": "#b8bbbe"}


def plot(counts, times):
    points = {name: [(count, times[count][name]) for count in counts if times[count][name]] for name in COLOURS}
    points = {name: line for name, line in points.items() if line}
    values = [time for line in points.values() for _, time in line]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))

    def x(count):
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(count) - log10(counts[0])) / (log10(counts[-1]) - log10(counts[0]))

    def y(time):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - log10(time)) / (high - low)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="16" fill="#151515">One edit in a ResourceList: wall time by number of resources</text>',
    ]
    for exponent in range(low, high + 1):
        at = y(10.0**exponent)
        label = f"{10**exponent} s" if exponent >= 0 else f"{10**(exponent + 3):g} ms"
        out.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#e0e0e0"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end" fill="#4d4d4d">{label}</text>')
    for count in counts:
        out.append(f'<text x="{x(count):.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle" fill="#4d4d4d">{count:,}</text>')
    labels = []
    for name, line in points.items():
        path = "L".join(f"{x(count):.1f} {y(time):.1f}" for count, time in line)
        width = 3 if name == "rhoso-fn" else 1.8
        out.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="{width}"/>')
        out += [f'<circle cx="{x(count):.1f}" cy="{y(time):.1f}" r="{width + 1}" fill="{COLOURS[name]}"/>' for count, time in line]
        labels.append((y(line[-1][1]), x(line[-1][0]), name))
    # Move labels down if they would overlap.
    below = 0
    for at, right, name in sorted(labels):
        at = max(at, below + 16)
        below = at
        out.append(f'<text x="{WIDTH - RIGHT + 12}" y="{at + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
