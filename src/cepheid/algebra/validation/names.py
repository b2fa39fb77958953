"""What a pattern binds: the parts that can be read from outside it, its variables, and names that stand twice."""

from collections.abc import Iterator, Sequence

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
from cepheid.algebra.remembering import ByIdentity

Duplicate = tuple[str, Pattern]


@ByIdentity
def visible(pattern: Pattern) -> frozenset[str]:
    """Return the names of the parts that can be read of a match of `pattern`."""
    match pattern:
        case Atom(name) | Instant(name) | Repeat(name):
            return frozenset({name})
        case Chain(steps):
            return frozenset(step.lead.name for step in steps.values())
        case Collect(name, anchor):
            return visible(anchor) | {name}
        case Join(below) | Either(below):
            return frozenset().union(*map(visible, below))
        case Sieve(inner) | Unless(inner):
            return visible(inner)
        case _:
            return frozenset()


@ByIdentity
def variables(pattern: Pattern) -> frozenset[str]:
    """Return the variables that chains in `pattern` bind and that can be read from outside it."""
    match pattern:
        case Chain(steps, initially=initially):
            return frozenset(initially).union(*(step.lets for step in steps.values()))
        case Join(below) | Either(below):
            return frozenset().union(*map(variables, below))
        case Sieve(inner) | Unless(inner) | Collect(anchor=inner):
            return variables(inner)
        case _:
            return frozenset()


def below(pattern: Pattern) -> tuple[Pattern, ...]:
    """Return the patterns that `pattern` is made of; the records of a chain's steps are no patterns of their own."""
    match pattern:
        case Join(inner) | Either(inner):
            return inner
        case Sieve(only) | Repeat(item=only):
            return (only,)
        case Unless(one, other) | Collect(anchor=one, item=other):
            return (one, other)
        case _:
            return ()


@ByIdentity
def all_names(pattern: Pattern) -> frozenset[str]:
    """Return every name that is bound anywhere in `pattern`, whether it can be read from outside or not."""
    own = {pattern.name} if isinstance(pattern, Repeat | Collect) else visible(pattern)
    return frozenset(own).union(*map(all_names, below(pattern)))


def duplicates(pattern: Pattern) -> Iterator[Duplicate]:
    """Yield the names that stand twice, each with the pattern that has it again; alternatives may share names."""
    for inner in below(pattern):
        yield from duplicates(inner)
    if isinstance(pattern, Repeat | Collect):
        yield from ((pattern.name, pattern) for inner in below(pattern) if pattern.name in all_names(inner))
    if not isinstance(pattern, Either):
        yield from _shared(below(pattern))


def _shared(patterns: Sequence[Pattern]) -> Iterator[Duplicate]:
    seen: frozenset[str] = frozenset()
    for pattern in patterns:
        for name in sorted(seen & all_names(pattern)):
            yield name, _bearer(name, pattern)
        seen |= all_names(pattern)


def _bearer(name: str, pattern: Pattern) -> Pattern:
    """Return the pattern inside `pattern` that has the name."""
    inner = next((one for one in below(pattern) if name in all_names(one)), None)
    own = isinstance(pattern, Repeat | Collect) and pattern.name == name
    return pattern if inner is None or own else _bearer(name, inner)
