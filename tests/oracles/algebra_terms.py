"""Expressions of the event detection algebra of Carlson and Lisper, as its paper writes them."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Primitive:
    """An event type."""

    name: str


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`left | right`."""

    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`left + right`."""

    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Negation:
    """`left - right`."""

    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Sequence:
    """`left ; right`."""

    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Within:
    """`term within longest`."""

    term: "Term"
    longest: int


Term: TypeAlias = Primitive | Disjunction | Conjunction | Negation | Sequence | Within
