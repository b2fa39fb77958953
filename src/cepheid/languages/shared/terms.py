"""Conditions and values as they are written, each with its place in the text.

    value > 12 and zone == "north"          b.value - a.value          start(b) - end(a) > 5 s

What their names stand for is not known yet; `term_meaning` asks a scope.
"""

from dataclasses import dataclass
from typing import TypeAlias

from cepheid.diagnostics import Span
from cepheid.events import Value


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a text, a truth value, null or a list of these; a length of time is its number of ticks."""

    value: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name that stands alone."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Member:
    """`part.name`."""

    part: Name
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator between its operands, or a function of its arguments; `place` is that of its sign or name."""

    function: str
    arguments: tuple["Term", ...]
    place: Span
    span: Span


Term: TypeAlias = Constant | Name | Member | Operation
