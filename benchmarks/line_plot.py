"""Lines over a logarithmic axis as SVG: a plotting library would be far larger than the two plots that are drawn."""

from collections.abc import Mapping, Sequence
from math import log10
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 60, 290, 30, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
Points = Sequence[tuple[float, float]]


def line_plot(lines: Mapping[str, Points], across: str, up: str) -> str:
    """Return a plot of lines by name; the axis across is logarithmic, that upwards begins at zero."""
    places = sorted({x for points in lines.values() for x, _ in points})
    most = max(y for points in lines.values() for _, y in points) * 1.1

    def at(x: float, y: float) -> tuple[float, float]:
        share = (log10(x) - log10(places[0])) / (log10(places[-1]) - log10(places[0]))
        return LEFT + share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y / most * (HEIGHT - TOP - BOTTOM)

    parts = [_axes(across, up)]
    parts += [_tick(at(x, 0)[0], HEIGHT - BOTTOM + 18, f"{x:,.0f}", "middle") for x in places]
    parts += [_tick(LEFT - 8, at(places[0], y)[1] + 4, f"{y:.0f}", "end") for y in _steps(most)]
    for number, (name, points) in enumerate(lines.items()):
        parts.append(_line(name, [at(x, y) for x, y in points], number))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>"]) + "\n"


def _steps(most: float) -> list[float]:
    step = next(one for one in (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000) if most / one <= 8)
    return [step * number for number in range(int(most / step) + 1)]


def _axes(across: str, up: str) -> str:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    lines = f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#444"/>'
    return "\n".join(
        [lines, _tick((LEFT + right) / 2, HEIGHT - 10, across, "middle"), _tick(LEFT, TOP - 12, up, "start")]
    )


def _tick(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}" fill="#222">{escape(text)}</text>'


def _line(name: str, points: Sequence[tuple[float, float]], number: int) -> str:
    colour, y = COLOURS[number % len(COLOURS)], TOP + 10 + 20 * number
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
    legend = f'<rect x="{WIDTH - RIGHT + 15}" y="{y - 9}" width="12" height="4" fill="{colour}"/>'
    drawn = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return "\n".join([drawn, dots, legend, _tick(WIDTH - RIGHT + 33, y - 2, name, "start")])
