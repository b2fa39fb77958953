"""Watchpoints as they are written, each part with its place in the text."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from cepheid.algebra.programs import Arrival, Ties
from cepheid.diagnostics import Span
from cepheid.languages.shared.terms import Name, Term


@dataclass(frozen=True, slots=True)
class Setting:
    """`name = value`: what a letting, an initially or an alert sets."""

    name: Name
    value: Term


@dataclass(frozen=True, slots=True)
class Single:
    """A single-width expression: one record of one of the types (none: any) under a condition, and what to remember."""

    types: tuple[Name, ...]
    condition: Term | None
    lets: tuple[Setting, ...]
    span: Span

    @property
    def alone(self) -> Name | None:
        """The name that this is, where it is nothing but one: a type, or another equation."""
        bare = len(self.types) == 1 and self.condition is None and not self.lets
        return self.types[0] if bare and not self.span.text.startswith("{") else None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A lead, and what comes after it: alternatives, perhaps with a record that must not come before them.

    `composes`: the lead is the name of an equation, and what follows comes after all of it.
    """

    lead: Single
    follow: tuple["Sequence", ...]
    avoid: Single | None
    span: Span
    composes: bool = False

    @property
    def reference(self) -> Name | None:
        """The name that this may be of another equation; it is one if there is an equation of that name."""
        return None if self.follow else self.lead.alone

    def walk(self) -> Iterator["Sequence"]:
        """Yield this sequence and those inside it, from left to right."""
        yield self
        for one in self.follow:
            yield from one.walk()


@dataclass(frozen=True, slots=True)
class Equation:
    """`name = expression;`."""

    name: Name
    expression: Sequence


@dataclass(frozen=True, slots=True)
class Window:
    """A window in ticks or in records."""

    longest: int
    in_records: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Alert:
    """`alert { ... }`."""

    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Watchpoint:
    """A watchpoint: its equations, the main one first, and what is said beside them."""

    name: Name
    by: tuple[Name, ...]
    equations: tuple[Equation, ...]
    windows: tuple[Window, ...]
    initially: tuple[Setting, ...]
    alerts: tuple[Alert, ...]
    span: Span

    def singles(self) -> Iterator[Single]:
        """Yield every lead and every avoid."""
        for equation in self.equations:
            for sequence in equation.expression.walk():
                yield sequence.lead
                yield from () if sequence.avoid is None else (sequence.avoid,)


@dataclass(frozen=True, slots=True)
class Rate:
    """`rate 100 per 1 s`."""

    arrival: Arrival


@dataclass(frozen=True, slots=True)
class Disorder:
    """`disorder 2 s`."""

    longest: int


@dataclass(frozen=True, slots=True)
class Keys:
    """`keys 1000`."""

    count: int


Clause: TypeAlias = Rate | Disorder | Keys


@dataclass(frozen=True, slots=True)
class StreamText:
    """`stream spawn rate 100 per 1 s;`."""

    name: Name
    clauses: tuple[Clause, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """All that a text says."""

    watchpoints: tuple[Watchpoint, ...]
    streams: tuple[StreamText, ...] = ()
    ticks: tuple[tuple[int, Span], ...] = ()
    ties: tuple[tuple[Ties, Span], ...] = field(default=())
