"""The algebra as it is written: expressions, definitions and declarations, each with its place in the text."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cepheid.algebra.programs import Arrival
from cepheid.diagnostics import Span
from cepheid.languages.shared.terms import Name, Term


class Operator(Enum):
    """The binary operators, loosest first: the sign and the word of each."""

    OR = ("|", "or")
    AND = ("+", "and")
    MINUS = ("-", "minus")
    THEN = (";", "then")

    @property
    def sign(self) -> str:
        return self.value[0]

    @property
    def word(self) -> str:
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Primitive:
    """An event type, or the name of a definition; with a label it can be referred to, a condition filters it."""

    type: Name
    label: Name | None
    condition: Term | None
    span: Span


@dataclass(frozen=True, slots=True)
class Combination:
    """`left operator right`."""

    operator: Operator
    left: "Expression"
    right: "Expression"
    span: Span


@dataclass(frozen=True, slots=True)
class Within:
    """`inner within longest`."""

    inner: "Expression"
    longest: int
    span: Span


@dataclass(frozen=True, slots=True)
class By:
    """`inner by attribute, ...`."""

    inner: "Expression"
    attributes: tuple[str, ...]
    span: Span


Expression: TypeAlias = Primitive | Combination | Within | By


@dataclass(frozen=True, slots=True)
class Emitted:
    """`name = value` after `emits`."""

    name: Name
    value: Term


@dataclass(frozen=True, slots=True)
class Definition:
    """A name for an expression; without one it is bare. What is only an abbreviation is not reported."""

    name: Name | None
    expression: Expression
    emitted: tuple[Emitted, ...]
    span: Span
    is_abbreviation: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """`tick 1 ms`."""

    length: int
    span: Span


@dataclass(frozen=True, slots=True)
class Rate:
    """`rate Button 5/s` or `rate Button every 200 ms`."""

    type: Name
    arrival: Arrival
    span: Span


@dataclass(frozen=True, slots=True)
class Disorder:
    """`disorder Button 2 s`."""

    type: Name
    longest: int
    span: Span


@dataclass(frozen=True, slots=True)
class Keys:
    """`keys Button 1000`."""

    type: Name
    count: int
    span: Span


@dataclass(frozen=True, slots=True)
class Restriction:
    """`policy all`."""

    policy: str
    span: Span


Declaration: TypeAlias = Tick | Rate | Disorder | Keys | Restriction


@dataclass(frozen=True, slots=True)
class Text:
    """All statements of a text, in their order."""

    definitions: tuple[Definition, ...]
    declarations: tuple[Declaration, ...]
