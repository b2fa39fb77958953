"""Pictures as events: each collection of points (x, y) becomes the bytes of a PNG file.

The same points give the same bytes, in whatever order they come.
"""

import io
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from cepheid.algebra.graphs.built_in import apply
from cepheid.algebra.graphs.collections import elements
from cepheid.algebra.graphs.objects import Thing, get
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.terms import native
from cepheid.diagnostics import missing_package

Point: TypeAlias = tuple[float, float]


class HeatMap(bytes):
    """A picture with what it shows: `array[row][column]` points in each cell, from the cell `corner` on."""

    array: tuple[tuple[int, ...], ...]
    corner: tuple[int, int]


def scatter() -> Processor:
    """A picture of each set of points, as points."""
    return apply(native("scatter", lambda value: _picture(value, lambda axes, xs, ys: axes.scatter(xs, ys, s=8))))


def line() -> Processor:
    """A picture of each set of points, joined by a line from left to right."""
    return apply(native("line", lambda value: _picture(value, lambda axes, xs, ys: axes.plot(xs, ys))))


def heat_map(cell: float) -> Processor:
    """A picture of how many points each square has, with sides of `cell`; its `array` holds the counts."""
    if not cell > 0:
        raise refusal(f"the cells of a heat map have sides of {cell!r}", "write a number above 0")
    return apply(native(f"heat_map({cell!r})", lambda value: _heat_map(value, cell)))


def points_of(value: Thing) -> list[Point]:
    """Return the points of a collection in order: pairs, or records with `x` and `y`; what is none is left out."""
    found = (_point(one) for one in elements(value))
    return sorted(point for point in found if point is not None)


def _point(one: Thing) -> Point | None:
    pair = one if isinstance(one, tuple | list) and len(one) == 2 else (get(one, "x"), get(one, "y"))
    is_point = all(isinstance(part, int | float) and part == part and abs(part) < 1e300 for part in pair)
    return (float(pair[0]), float(pair[1])) if is_point else None


def counted(points: Iterable[Point], cell: float) -> tuple[tuple[tuple[int, ...], ...], tuple[int, int]]:
    """Return how many points are in each cell, by rows, and the number of the first column and row."""
    cells = [(int(x // cell), int(y // cell)) for x, y in points]
    if not cells:
        return (), (0, 0)
    columns, rows = [one for one, _ in cells], [other for _, other in cells]
    left, low = min(columns), min(rows)
    width, height = max(columns) - left + 1, max(rows) - low + 1
    if width * height > 4_000_000:
        raise refusal(f"this heat map has {width:,} times {height:,} cells", "make its cells larger")
    array = [[0] * width for _ in range(height)]
    for column, row in cells:
        array[row - low][column - left] += 1
    return tuple(map(tuple, array)), (left, low)


def _picture(value: Thing, draw: Callable[[Any, list[float], list[float]], object]) -> bytes:
    points = points_of(value)
    figure, axes = _figure()
    if points:
        draw(axes, [x for x, _ in points], [y for _, y in points])
    return _drawn(figure)


def _heat_map(value: Thing, cell: float) -> HeatMap:
    array, corner = counted(points_of(value), cell)
    figure, axes = _figure()
    if array:
        left, low = corner[0] * cell, corner[1] * cell
        sides = (left, left + len(array[0]) * cell, low, low + len(array) * cell)
        axes.imshow(array, origin="lower", extent=sides, aspect="auto", interpolation="nearest", cmap="hot")
    picture = HeatMap(_drawn(figure))
    picture.array, picture.corner = array, corner
    return picture


def _figure() -> tuple[Any, Any]:  # matplotlib's
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # an extra
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_package("matplotlib", "plots") from None
    figure = Figure(figsize=(4, 3), dpi=100)
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _drawn(figure: Any) -> bytes:  # matplotlib's
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()
