"""The join graph as a picture: SVG, with the sizes of histories at the nodes and rates on the edges."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final

from cepheid.algebra.programs import Program
from cepheid.languages.parte.join_graph import Edge, GraphNode, JoinGraph, NodeKind
from cepheid.languages.parte.viable_sizes import minimum_viable_sizes

_COLUMN, _ROW, _MARGIN = 220, 110, 24
_WIDTH, _HEIGHT = 176, 54
_TWO_INPUT: Final = (NodeKind.JOIN, NodeKind.NOT, NodeKind.COLLECT)
_UNITS: Final = {"us": 1, "ms": 10**3, "s": 10**6, "min": 6 * 10**7, "h": 36 * 10**8, "day": 864 * 10**8}
_COLOURS: Final = {
    NodeKind.ENTRY: "#dbeafe",
    NodeKind.ALPHA: "#f1f5f9",
    NodeKind.JOIN: "#dcfce7",
    NodeKind.NOT: "#fee2e2",
    NodeKind.COLLECT: "#fef9c3",
    NodeKind.PRODUCTION: "#ede9fe",
    NodeKind.TERMINAL: "#ede9fe",
}


@dataclass(frozen=True, slots=True)
class _Place:
    """The middle of a node."""

    x: float
    y: float


def draw(program: Program) -> str:
    """Return the join graph of a program as SVG."""
    graph = minimum_viable_sizes(program)
    places = _places(graph)
    width = max((place.x for place in places.values()), default=0) + _WIDTH / 2 + _MARGIN
    height = max((place.y for place in places.values()), default=0) + _HEIGHT / 2 + _MARGIN
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="sans-serif" font-size="12">',
        *(line for edge in graph.edges for line in _edge(edge, places)),
        *(line for node in graph.nodes for line in _node(node, places[node.number])),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


def shown_rate(rate: Fraction) -> str:
    """Return a rate in the smallest unit in which it is a whole number, else in which it is at least one.

    >>> shown_rate(Fraction(10, 1000)), shown_rate(Fraction(1, 3_600_000_000)), shown_rate(Fraction(0))
    ('10 per ms', '1 per h', 'once')
    """
    if rate == 0:
        return "once"
    whole = next((name for name, ticks in _UNITS.items() if (rate * ticks).denominator == 1), None)
    unit = whole or next((name for name, ticks in _UNITS.items() if rate * ticks >= 1), "day")
    return f"{_shown(rate * _UNITS[unit])} per {unit}"


def _shown(number: Fraction) -> str:
    return f"{number.numerator:,}".replace(",", " ") if number.denominator == 1 else f"{float(number):.3g}"


def _places(graph: JoinGraph) -> dict[int, _Place]:
    """Return where the nodes are: templates in the first row, patterns below, then one row for every join."""
    columns = _columns(graph)
    rows = _rows(graph)
    return {
        number: _Place(_MARGIN + _WIDTH / 2 + column * _COLUMN, _MARGIN + _HEIGHT / 2 + rows[number] * _ROW)
        for number, column in columns.items()
    }


def _columns(graph: JoinGraph) -> dict[int, float]:
    """Return the column of each node: patterns side by side, all others where what they take in is, on average."""
    alphas = [node.number for node in graph.nodes if node.kind is NodeKind.ALPHA]
    columns: dict[int, float] = {number: float(place) for place, number in enumerate(alphas)}
    for node in graph.nodes:
        if node.kind in _TWO_INPUT:
            columns[node.number] = max(columns[edge.source] for edge in graph.edges if edge.target == node.number)
        elif node.kind in (NodeKind.PRODUCTION, NodeKind.TERMINAL):
            columns[node.number] = next(columns[edge.source] for edge in graph.edges if edge.target == node.number)
    columns |= _entry_columns(graph, columns)
    return columns


def _entry_columns(graph: JoinGraph, columns: Mapping[int, float]) -> dict[int, float]:
    """Return the columns of the templates: above their patterns, and never two in one place."""
    wanted: dict[int, float] = {}
    for node in graph.nodes:
        if node.kind is NodeKind.ENTRY:
            below = [columns[edge.target] for edge in graph.edges if edge.source == node.number]
            wanted[node.number] = sum(below) / len(below)
    taken = -1.0
    for number in sorted(wanted, key=lambda one: wanted[one]):
        taken = wanted[number] = max(wanted[number], taken + 1)
    return wanted


def _rows(graph: JoinGraph) -> dict[int, int]:
    """Return the row of each node: below all it takes in, within its rule."""
    rows: dict[int, int] = {}
    for node in graph.nodes:
        above = [rows[edge.source] for edge in graph.edges if edge.target == node.number and not edge.feeds]
        rows[node.number] = 0 if node.kind is NodeKind.ENTRY else max(above, default=0) + 1
    return rows


def _node(node: GraphNode, place: _Place) -> Iterator[str]:
    x, y = place.x - _WIDTH / 2, place.y - _HEIGHT / 2
    lines = _lines(node)
    yield (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="{_COLOURS[node.kind]}" '
        'stroke="#334155"/>'
    )
    for number, line in enumerate(lines):
        at = place.y + 4 + (number - (len(lines) - 1) / 2) * 15
        weight = ' font-weight="bold"' if number == 0 else ""
        yield f'<text x="{place.x:g}" y="{at:g}" text-anchor="middle"{weight}>{escape(line)}</text>'


def _lines(node: GraphNode) -> list[str]:
    named = node.name if node.kind in _TWO_INPUT else f"{node.kind.value} {node.name}"
    if not node.histories:
        return [named]
    left, right = (_shown(Fraction(size)) for size in node.histories)
    return [named, f"left {left}, right {right}", f"outbox {_shown(Fraction(node.outbox))}"]


def _edge(edge: Edge, places: Mapping[int, _Place]) -> Iterator[str]:
    source, target = places[edge.source], places[edge.target]
    top, bottom = source.y + _HEIGHT / 2, target.y - _HEIGHT / 2
    dashes = ' stroke-dasharray="5 4"' if edge.feeds else ""
    yield f'<path d="M {source.x:g} {top:g} L {target.x:g} {bottom:g}" stroke="#64748b" fill="none"{dashes}/>'
    x, y = (source.x + target.x) / 2 + 4, (top + bottom) / 2
    yield f'<text x="{x:g}" y="{y:g}" fill="#475569">{escape(shown_rate(edge.rate))}</text>'
