"""Bars side by side as an SVG: shares from nothing to all, in groups that have names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 960, 360, 56, 48, 56
COLOURS: Final = ("#1b6ca8", "#e08e0b", "#b0b0b0", "#5a9367")


def bar_plot(title: str, groups: Sequence[str], shares: Mapping[str, Sequence[float]]) -> str:
    """Return a plot with a bar for every series in every group."""
    return "\n".join(_lines(title, groups, shares)) + "\n"


def _lines(title: str, groups: Sequence[str], shares: Mapping[str, Sequence[float]]) -> Iterator[str]:
    look = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {look}>'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{LEFT}" y="18" font-size="14">{escape(title)}</text>'
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = _height(share)
        yield f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e0e0e0"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>'
    for number, name in enumerate(shares):
        x = LEFT + number * 250
        yield f'<rect x="{x}" y="27" width="12" height="12" fill="{COLOURS[number]}"/>'
        yield f'<text x="{x + 17}" y="37">{escape(name)}</text>'
    yield from _groups(groups, list(shares.values()))
    yield "</svg>"


def _groups(groups: Sequence[str], series: Sequence[Sequence[float]]) -> Iterator[str]:
    room = (WIDTH - LEFT - 8) / len(groups)
    bar = 0.8 * room / len(series)
    for place, group in enumerate(groups):
        first = LEFT + place * room
        for number, shares in enumerate(series):
            x, y = first + 0.1 * room + number * bar, _height(shares[place])
            size = f'width="{bar:.1f}" height="{_height(0) - y:.1f}"'
            yield f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{COLOURS[number]}"/>'
        for line, text in enumerate(group.split("\n")):
            at = f'x="{first + room / 2:.1f}" y="{HEIGHT - BOTTOM + 16 + 14 * line}"'
            yield f'<text {at} text-anchor="middle">{escape(text)}</text>'


def _height(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
