"""The abstract syntax of eSQL: forms, each made by a rule of the grammar, down to words, numbers and texts.

There is one class for all that rules make, since definitions and palettes bring rules of their own: a form has the name
of its rule. Two forms are equal if they were made alike, wherever they stand.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from cepheid.diagnostics import Span

__all__ = ["Definition", "Form", "Hole", "Number", "Part", "Text", "Word"]


@dataclass(frozen=True, slots=True)
class Word:
    """A name, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    value: int | float


@dataclass(frozen=True, slots=True)
class Text:
    value: str


@dataclass(frozen=True, slots=True)
class Hole:
    """A parameter of a definition, where something of this symbol will stand."""

    name: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Form:
    """What a rule made of its parts; `uses` are the places where definitions were used that brought it here."""

    name: str
    symbol: str
    parts: "tuple[Part, ...]" = ()
    span: Span | None = field(default=None, compare=False, repr=False)
    uses: tuple[Span, ...] = field(default=(), compare=False, repr=False)


Leaf: TypeAlias = Word | Number | Text | Hole
Part: TypeAlias = Form | Leaf | tuple["Part", ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule that a text added: what is written like `name` is `body`, with what stands for the parameters in it."""

    name: str
    symbol: str
    parameters: tuple[str, ...]
    body: Part
    span: Span = field(compare=False, repr=False)
