"""Rules as a picture: SVG, with events above, what is made of them below, and dashes from a rule to whoever reads it.

A node says itself with its parts by name; `$0` is the first of the nodes above it that has no name.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from textwrap import wrap
from typing import Final

from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Sieve,
    Unless,
)
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.text import show
from cepheid.analysis.closures.tree import below

_LETTERS: Final = 30
_WIDTH, _LINE, _PADDING = 7 * _LETTERS + 16, 16, 8
_COLUMN, _GAP, _MARGIN = _WIDTH + 24, 44, 24
_COLOURS: Final = {Atom: "#dbeafe", Instant: "#dbeafe", Unless: "#fee2e2", Collect: "#fef9c3", Repeat: "#fef9c3"}
_MADE, _REPORTED = "#dcfce7", "#ede9fe"


@dataclass(frozen=True, slots=True)
class _Box:
    """A node: what it says, its column and row, the boxes above it, and the types it reads or the one it emits."""

    lines: tuple[str, ...]
    colour: str
    column: float
    row: int
    above: tuple["_Box", ...] = ()
    reads: frozenset[str] = frozenset()
    emits: str | None = None

    @property
    def height(self) -> int:
        return len(self.lines) * _LINE + 2 * _PADDING

    def all(self) -> Iterator["_Box"]:
        for box in self.above:
            yield from box.all()
        yield self


def picture(program: Program) -> str:
    """Return the rules and pipes of a program as SVG."""
    boxes: list[_Box] = []
    for rule in program.rules:
        boxes += _rule(rule, _free(boxes)).all()
    for name, pipe in program.pipes.items():
        boxes.append(_Box(_lines(f"pipe {name} = {show(pipe)}"), _REPORTED, _free(boxes), 0))
    tops = _tops(boxes)
    width = 2 * _MARGIN + max((box.column for box in boxes), default=0) * _COLUMN + _WIDTH
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {tops[-1]}" width="{width:g}" '
        f'height="{tops[-1]}" font-family="monospace" font-size="12">',
        *(_edge(source, box, tops, "") for box in boxes for source in box.above),
        *(
            _edge(rule, box, tops, ' stroke-dasharray="5 4"')
            for box in boxes
            for rule in boxes
            if rule.emits in box.reads
        ),
        *(line for box in boxes for line in _drawn(box, tops)),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


def _free(boxes: Iterable[_Box]) -> float:
    """Return the first column to the right of all these."""
    return 1 + max((box.column for box in boxes), default=-1.0)


def _rule(rule: Rule, column: float) -> _Box:
    pattern = _pattern(rule.pattern, column)
    keys = [f"by {', '.join(show(key) for key in rule.per)}"] if rule.per else []
    fields = ", ".join(f"{name} = {show(value)}" for name, value in rule.fields.items())
    said = [f"rule {rule.name}", *keys, f"emits {rule.emits}({fields})" if fields else f"emits {rule.emits}"]
    lines = tuple(line for text in said for line in _lines(text))
    return _Box(lines, _REPORTED, pattern.column, pattern.row + 1, (pattern,), emits=rule.emits)


def _pattern(pattern: Pattern, column: float) -> _Box:
    above: list[_Box] = []
    for part in below(pattern):
        taken = [box for done in above for box in done.all()]
        above.append(_pattern(part, _free(taken) if taken else column))
    middle = sum(box.column for box in above) / len(above) if above else column
    row = 1 + max((box.row for box in above), default=-1)
    colour = _COLOURS.get(type(pattern), _MADE)
    return _Box(_lines(show(_by_name(pattern))), colour, middle, row, tuple(above), _reads(pattern))


def _reads(pattern: Pattern) -> frozenset[str]:
    match pattern:
        case Atom(types=types):
            return types
        case Chain(steps):
            return frozenset[str]().union(*(step.lead.types for step in steps.values()))
        case _:
            return frozenset()


def _by_name(pattern: Pattern) -> Pattern:
    """Return a pattern that has only the names of its parts."""
    names = [part.name if isinstance(part, Atom | Instant) else f"${n}" for n, part in enumerate(below(pattern))]
    parts = [Atom(name, frozenset({name})) for name in names]
    match pattern:
        case Join():
            return replace(pattern, parts=tuple(parts))
        case Either():
            return replace(pattern, branches=tuple(parts))
        case Collect():
            return replace(pattern, anchor=parts[0], item=parts[1])
        case Unless():
            return replace(pattern, pattern=parts[0], absent=parts[1])
        case Repeat():
            return replace(pattern, item=parts[0])
        case Sieve():
            return replace(pattern, pattern=parts[0])
        case _:
            return pattern


def _lines(text: str) -> tuple[str, ...]:
    return tuple(wrap(" ".join(text.split()), _LETTERS)) or ("",)


def _tops(boxes: list[_Box]) -> list[int]:
    """Return where each row begins, and where the picture ends."""
    tops = [_MARGIN]
    for row in range(1 + max((box.row for box in boxes), default=0)):
        tops.append(tops[-1] + max((box.height for box in boxes if box.row == row), default=0) + _GAP)
    return [*tops[:-1], tops[-1] - _GAP + _MARGIN]


def _middle(box: _Box) -> float:
    return _MARGIN + box.column * _COLUMN + _WIDTH / 2


def _edge(source: _Box, target: _Box, tops: list[int], dashes: str) -> str:
    start = f"{_middle(source):g} {tops[source.row] + source.height}"
    return f'<path d="M {start} L {_middle(target):g} {tops[target.row]}" stroke="#64748b" fill="none"{dashes}/>'


def _drawn(box: _Box, tops: list[int]) -> Iterator[str]:
    x, y = _middle(box) - _WIDTH / 2, tops[box.row]
    yield (
        f'<rect x="{x:g}" y="{y}" width="{_WIDTH}" height="{box.height}" rx="6" fill="{box.colour}" stroke="#334155"/>'
    )
    for number, line in enumerate(box.lines):
        at = y + _PADDING + 12 + number * _LINE
        yield f'<text x="{_middle(box):g}" y="{at}" text-anchor="middle">{escape(line)}</text>'
