"""What properties compare: hulls with their evidence, or hulls alone, each as often as it was found."""

from collections.abc import Iterable

from cepheid.algebra.instances import Instance
from cepheid.events import EventId

Found = list[tuple[int, int, frozenset[EventId]]]


def whole(found: Iterable[Instance]) -> Found:
    """Return start, end and evidence of every instance."""
    return in_order((one.start, one.end, one.support) for one in found)


def in_order(entries: Iterable[tuple[int, int, frozenset[EventId]]]) -> Found:
    return sorted(entries, key=lambda entry: (entry[0], entry[1], sorted(map(repr, entry[2]))))


def hulls(found: Iterable[Instance]) -> list[tuple[int, int]]:
    """Return start and end of every instance."""
    return sorted((one.start, one.end) for one in found)


def assignments(found: Iterable[Instance]) -> list[dict[str, object]]:
    """Return the event that every named part is bound to, for every instance."""
    bound: list[dict[str, object]] = [{name: part.identity for name, part in one.parts.items()} for one in found]
    return sorted(bound, key=lambda one: repr(sorted(one.items())))
