"""Places in a pattern: a path of child numbers from the root, and what stands below each node."""

from collections.abc import Iterator

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

Path = tuple[int, ...]


def below(pattern: Pattern) -> tuple[Pattern, ...]:
    """Return the patterns directly under a node, in the order that paths count them."""
    match pattern:
        case Join():
            return pattern.parts
        case Either():
            return pattern.branches
        case Collect():
            return (pattern.anchor, pattern.item)
        case Unless():
            return (pattern.pattern, pattern.absent)
        case Sieve():
            return (pattern.pattern,)
        case Repeat():
            return (pattern.item,)
        case _:
            return ()


def positive(pattern: Pattern) -> tuple[Pattern, ...]:
    """Return the patterns under a node whose names can be read above it: not what is absent, collected or repeated."""
    match pattern:
        case Collect() | Unless():
            return below(pattern)[:1]
        case Repeat():
            return ()
        case _:
            return below(pattern)


def paths(pattern: Pattern, path: Path = ()) -> Iterator[tuple[Path, Pattern]]:
    """Yield every node with its path, parents first."""
    yield path, pattern
    for number, child in enumerate(below(pattern)):
        yield from paths(child, (*path, number))


def at(pattern: Pattern, path: Path) -> Pattern:
    """Return the node at a path."""
    known = _places(pattern)
    found = known.get(path)
    if found is None:
        # What stands above is looked up first, from there it is one step, so no way is gone twice.
        known[path] = found = below(at(pattern, path[:-1]))[path[-1]] if path else pattern
    return found


@ByIdentity
def _places(_: Pattern) -> dict[Path, Pattern]:
    """Return the nodes of a pattern that were asked for, by their paths."""
    return {}


def name_of(pattern: Pattern) -> str | None:
    """Return the name that a node binds, if it binds one."""
    return pattern.name if isinstance(pattern, Atom | Instant | Repeat | Collect) else None


def has_position(pattern: Pattern) -> bool:
    """Say whether every match of a pattern has a record: points of time are none."""
    match pattern:
        case Atom() | Chain():
            return True
        case Instant():
            return False
        case Join():
            return any(has_position(part) for part in pattern.parts)
        case Either():
            return all(has_position(branch) for branch in pattern.branches)
        case _:
            return has_position(below(pattern)[0])
