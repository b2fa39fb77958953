"""Recent, chronological, next and strict, written as a machine that is given one item at a time.

Items of both sides come in their order, the left one before the right one where they are level. Each item meets what
came before it on the other side and may wait for what comes after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Key: TypeAlias = object
Taken: TypeAlias = list[tuple["Item", "Item"]]


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An instance of one side: its interval, its positions, its place in the order, the tie value, and a value."""

    start: int
    end: int
    low: int
    high: int
    order: tuple[tuple[object, ...], ...]
    name: str
    key: Key = ()
    tie: int = 0
    value: int | None = None


Related: TypeAlias = Callable[[Item, Item], bool]


@dataclass
class _Memory:
    lefts: list[Item] = field(default_factory=list)
    rights: list[Item] = field(default_factory=list)
    taken: Taken = field(default_factory=list)


Meet: TypeAlias = Callable[[_Memory, Item, bool, Related], None]


def chosen(choice: str, lefts: Sequence[Item], rights: Sequence[Item], related: Related) -> Taken:
    """Return the pairs that the choice takes; items of different keys never meet, a null key meets nobody."""
    machines: dict[Key, _Memory] = {}
    arriving = [(item, True) for item in lefts] + [(item, False) for item in rights]
    for item, is_left in sorted(arriving, key=lambda entry: (entry[0].order, not entry[1])):
        if item.key is not None:
            MACHINES[choice](machines.setdefault(item.key, _Memory()), item, is_left, related)
    return [pair for memory in machines.values() for pair in memory.taken]


def _recent(memory: _Memory, item: Item, is_left: bool, related: Related) -> None:
    """The last item that ended, of those that fit, is still remembered; the newcomer joins it."""
    best: Item | None = None
    for other in memory.rights if is_left else memory.lefts:
        fits = related(item, other) if is_left else related(other, item)
        if fits and (best is None or (best.end, best.tie) <= (other.end, other.tie)):
            best = other
    if best is not None:
        memory.taken.append((item, best) if is_left else (best, item))
    (memory.lefts if is_left else memory.rights).append(item)


def _chronological(memory: _Memory, item: Item, is_left: bool, related: Related) -> None:
    """Who waits longest leaves with the newcomer; a newcomer that nobody takes waits."""
    waiting = memory.rights if is_left else memory.lefts
    oldest: Item | None = None
    for other in waiting:
        fits = related(item, other) if is_left else related(other, item)
        if fits and (oldest is None or (other.start, -other.tie) < (oldest.start, -oldest.tie)):
            oldest = other
    if oldest is None:
        (memory.lefts if is_left else memory.rights).append(item)
    else:
        waiting.remove(oldest)
        memory.taken.append((item, oldest) if is_left else (oldest, item))


def _next(memory: _Memory, item: Item, is_left: bool, related: Related) -> None:
    """A left item takes the first right one that fits, be it there already, and then waits no more."""
    if not is_left:
        served = [left for left in memory.lefts if related(left, item)]
        memory.taken += [(left, item) for left in served]
        memory.lefts = [left for left in memory.lefts if left not in served]
        memory.rights.append(item)
        return
    there = [right for right in memory.rights if related(item, right)]
    if there:
        memory.taken.append((item, there[0]))
    else:
        memory.lefts.append(item)


def _strict(memory: _Memory, item: Item, is_left: bool, related: Related) -> None:
    """Only records that follow each other without a record between them are a pair."""
    if is_left:
        memory.taken += [
            (item, other) for other in memory.rights if item.high + 1 == other.low and related(item, other)
        ]
        memory.lefts.append(item)
    else:
        memory.taken += [(other, item) for other in memory.lefts if other.high + 1 == item.low and related(other, item)]
        memory.rights.append(item)


MACHINES: dict[str, Meet] = {
    "recent": _recent,
    "chronological": _chronological,
    "next": _next,
    "strict": _strict,
}
