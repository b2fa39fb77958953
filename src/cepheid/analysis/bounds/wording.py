"""Patterns in the words of their writer, for messages: events by their type, everything else by its events."""

from collections.abc import Iterator, Sequence

from cepheid.algebra.patterns import Atom, Chain, Collect, Instant, Pattern, Unless
from cepheid.algebra.traversal import named_parts
from cepheid.analysis.bounds.advice import MORE_TIME, RUN, UNTIL, WINDOW, Advice
from cepheid.analysis.bounds.bounds import Unbounded
from cepheid.analysis.closures.tree import below

ADD_A_WINDOW = Advice("add a window, for example `within 1 h`", WINDOW)
ALLOW_MORE_TIME = Advice("allow more time, for example `within 1 h`", MORE_TIME)
LIMIT_THE_RUN = Advice("limit the run, for example `window end($last) - start($first) <= 1 h`", RUN)


def called(pattern: Pattern) -> str:
    """Return what a message calls a pattern: `login`, or `login` and `logout` where it is made of several.

    >>> from cepheid.algebra.patterns import Join
    >>> login, logout = (Atom(name[0], frozenset((name,))) for name in ("login", "logout"))
    >>> called(login), called(Join((login, logout)))
    ('`login`', '`login` with `logout`')
    """
    names = list(dict.fromkeys(_names(pattern)))
    return " with ".join(f"`{name}`" for name in names)


def told_apart(patterns: Sequence[Pattern]) -> list[str]:
    """Return what a message calls several patterns: by their types, by their own names where these are the same."""
    by_type = [called(pattern) for pattern in patterns]
    if len(set(by_type)) == len(by_type):
        return by_type
    return [" with ".join(f"`{name}`" for name in dict.fromkeys(named_parts(pattern))) for pattern in patterns]


def _names(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case Atom(name=name, types=types):
            yield next(iter(types)) if len(types) == 1 else name
        case Instant():
            yield pattern.name
        case Chain(steps=steps, first=first):
            yield from _names(steps[first].lead)
        case Unless():
            yield from _names(pattern.pattern)
        case _:
            for part in below(pattern):
                yield from _names(part)


def endless_wait(waiting_for: Pattern, inside: Pattern) -> Unbounded:
    """Return why something is kept for ever: what it waits for may come at any time."""
    reason = f"nothing ends the wait for {called(waiting_for)}"
    return Unbounded(reason, waiting_for.span or inside.span, _window(waiting_for, inside))


def _window(waiting_for: Pattern, inside: Pattern) -> str:
    """Return what limits a wait: a window, or a relation that says from when to when."""
    match inside:
        case Unless(absent=absent):
            later, earlier = ("$absent", "$pattern") if waiting_for is absent else ("$pattern", "$absent")
        case Collect(item=item):
            later, earlier = ("$item", "$anchor") if waiting_for is item else ("$anchor", "$item")
        case _:
            return ADD_A_WINDOW
    return Advice(f"say until when, for example `relation 0 s <= start({later}) - end({earlier}) <= 1 h`", UNTIL)


def late_for_ever(late: Pattern, inside: Pattern) -> Unbounded:
    """Return why something is kept for ever: what it waits for may be told at any later time."""
    reason = f"nobody knows how late {called(late)} is emitted"
    return Unbounded(reason, late.span or inside.span, ADD_A_WINDOW)
