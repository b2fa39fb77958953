"""Walk over a text: its atoms, conditions and terms, in the order of reading."""

from collections.abc import Iterator

from cepheid.languages.etalis.syntax import (
    Absence,
    AtomText,
    Binary,
    Limit,
    PatternText,
    PointText,
    Repetition,
    Where,
)
from cepheid.languages.etalis.words import ANONYMOUS
from cepheid.languages.shared.terms import Name, Operation, Term


def below(pattern: PatternText) -> tuple[PatternText, ...]:
    """Return the patterns that a pattern is made of."""
    match pattern:
        case AtomText() | PointText():
            return ()
        case Binary(_, left, right):
            return (left, right)
        case Where(inner) | Limit(inner) | Repetition(inner):
            return (inner,)
        case Absence(absent, first, last):
            return (absent, first, last)


def patterns(pattern: PatternText) -> Iterator[PatternText]:
    """Yield a pattern and all that it is made of."""
    yield pattern
    for inner in below(pattern):
        yield from patterns(inner)


def atoms(pattern: PatternText) -> Iterator[AtomText]:
    """Yield the atoms of a pattern."""
    return (one for one in patterns(pattern) if isinstance(one, AtomText))


def conditions(pattern: PatternText) -> Iterator[Term]:
    """Yield the conditions of a pattern, inner ones first, as they are evaluated."""
    for inner in below(pattern):
        yield from conditions(inner)
    if isinstance(pattern, Where):
        yield from pattern.conditions


def operations(term: Term) -> Iterator[Operation]:
    """Yield the operations and calls in a term, outer ones first."""
    if isinstance(term, Operation):
        yield term
        for argument in term.arguments:
            yield from operations(argument)


def variables(term: Term) -> Iterator[Name]:
    """Yield the variables of a term, as often as they occur; `_` is none."""
    match term:
        case Name(name) if name != ANONYMOUS:
            yield term
        case Operation(arguments=arguments):
            for argument in arguments:
                yield from variables(argument)
