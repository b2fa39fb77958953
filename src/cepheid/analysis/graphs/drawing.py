"""A processor as a picture: SVG, a box for each operation, and pipes that are coloured by the kind of their values."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

from cepheid.algebra.graphs.kinds import kinds_of
from cepheid.algebra.graphs.layout import INPUT, Graph, Wire, laid_out
from cepheid.algebra.graphs.processors import Processor

COLOURS: Final[Mapping[str, str]] = {
    "number": "#0d9488",
    "text": "#7c3aed",
    "truth": "#ca8a04",
    "record": "#ea580c",
    "list": "#2563eb",
    "set": "#16a34a",
    "any": "#64748b",
}
_COLUMN, _ROW, _WIDTH, _HEIGHT, _MARGIN = 250, 84, 196, 48, 24
_LONGEST: Final = 28


class _Box(NamedTuple):
    """The corner of a box, and what stands in it."""

    x: float
    y: float
    text: str
    title: str
    kind: str


def drawn(processor: Processor) -> str:
    """Return a picture of a processor, as SVG."""
    graph = laid_out(processor)
    kinds = kinds_of(processor)
    boxes = _boxes(graph, kinds)
    width = max(box.x for box in boxes.values()) + _WIDTH + _MARGIN
    height = max(box.y for box in boxes.values()) + _HEIGHT + _MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" font-family="sans-serif">'
    parts = [head, *_pipes(graph, boxes, kinds), *map(_drawn_box, boxes.values()), "</svg>"]
    return "\n".join(parts) + "\n"


def _boxes(graph: Graph, kinds: Mapping[Wire, str]) -> dict[Wire, _Box]:
    """Return a box for each input, node and output, by the wire that it gives; an output by a node behind the last."""
    columns = _columns(graph)
    last = max(columns.values(), default=0) + 1
    texts = {Wire(INPUT, place): (f"input {place}", "") for place in range(graph.inputs)}
    texts |= {Wire(place, 0): _told(graph, place) for place in range(len(graph.nodes))}
    texts |= {Wire(len(graph.nodes), place): (f"output {place}", "") for place in range(len(graph.outputs))}
    filled: dict[int, int] = {}
    boxes = {}
    for wire, (text, title) in texts.items():
        column = columns.get(wire, last)
        row = filled[column] = filled.get(column, -1) + 1
        kind = kinds.get(wire, "any")
        boxes[wire] = _Box(_MARGIN + column * _COLUMN, _MARGIN + row * _ROW, text, title, kind)
    return boxes


def _columns(graph: Graph) -> dict[Wire, int]:
    columns = {Wire(INPUT, place): 0 for place in range(graph.inputs)}
    for place, node in enumerate(graph.nodes):
        before = (columns[_giver(wire)] for wire in node.inputs)
        columns[Wire(place, 0)] = max(before, default=-1) + 1
    return columns


def _giver(wire: Wire) -> Wire:
    """Return the wire by which a box is known, whichever of its outputs this is."""
    return wire if wire.node == INPUT else Wire(wire.node, 0)


def _told(graph: Graph, place: int) -> tuple[str, str]:
    operation = graph.nodes[place].operation
    whole = operation.text(*map(repr, operation.bodies))
    short = operation.text(*("..." for _ in operation.bodies))
    return (short if len(short) <= _LONGEST else short[: _LONGEST - 3] + "..."), whole


def _pipes(graph: Graph, boxes: Mapping[Wire, _Box], kinds: Mapping[Wire, str]) -> Iterator[str]:
    for place, node in enumerate(graph.nodes):
        for number, wire in enumerate(node.inputs):
            yield _pipe(boxes[_giver(wire)], boxes[Wire(place, 0)], number, len(node.inputs), kinds.get(wire, "any"))
    for number, wire in enumerate(graph.outputs):
        yield _pipe(boxes[_giver(wire)], boxes[Wire(len(graph.nodes), number)], 0, 1, kinds.get(wire, "any"))


def _pipe(one: _Box, other: _Box, number: int, count: int, kind: str) -> str:
    x1, y1 = one.x + _WIDTH, one.y + _HEIGHT / 2
    x2, y2 = other.x, other.y + _HEIGHT * (number + 1) / (count + 1)
    middle = (x1 + x2) / 2
    path = f"M{x1:g} {y1:g} C{middle:g} {y1:g} {middle:g} {y2:g} {x2:g} {y2:g}"
    return (
        f'<path d="{path}" fill="none" stroke="{_colour(kind)}" stroke-width="3"><title>{escape(kind)}</title></path>'
    )


def _drawn_box(box: _Box) -> str:
    return (
        f'<g><title>{escape(box.title or box.text)}</title><rect x="{box.x:g}" y="{box.y:g}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" rx="6" fill="#ffffff" stroke="{_colour(box.kind)}" stroke-width="2"/>'
        f'<text x="{box.x + _WIDTH / 2:g}" y="{box.y + _HEIGHT / 2 + 5:g}" text-anchor="middle" '
        f'font-size="13">{escape(box.text)}</text></g>'
    )


def _colour(kind: str) -> str:
    return COLOURS.get(kind, COLOURS["any"])
