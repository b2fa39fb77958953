"""Which records of a topic a batch has, and which partitions it waits for: decided once, and written before it runs.

Spark writes the offsets of a batch into its checkpoint before the batch begins, and reads them again for a batch that
is repeated. So all that was decided by the clock on the wall stands in them: a batch that is repeated an hour later
has the same records and waits for the same partitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

Offsets = Mapping[int, "Partition"]


@dataclass(frozen=True, slots=True)
class Partition:
    """How far a partition was read: from `first` on, up to `next`; `since` when, in seconds, nothing new has come.

    An `idle` partition had nothing new for so long that nobody waits for it.
    """

    first: int
    next: int
    since: int
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What a partition holds now: offsets from `low` up to `high`."""

    low: int
    high: int


def planned(
    start: Offsets, seen: Mapping[int, Seen], now: int, idle_after: float | None = None, most: int | None = None
) -> dict[int, Partition]:
    """Return the offsets up to which the next batch reads, and who is idle by then.

    >>> start = {0: Partition(0, 5, since=100), 1: Partition(0, 2, since=100)}
    >>> after = planned(start, {0: Seen(0, 8), 1: Seen(0, 2)}, now=160, idle_after=60)
    >>> [(one.next, one.since, one.idle) for one in after.values()]
    [(8, 160, False), (2, 100, True)]

    A partition that is new begins with what it holds. What is there stays there, also where a partition is gone.
    """
    known = {**{number: Partition(one.low, one.low, now) for number, one in seen.items()}, **start}
    left = {number: max(0, seen[number].high - one.next) if number in seen else 0 for number, one in known.items()}
    taken = left if most is None else shared_out(left, most)
    return {number: _after(known[number], taken[number], left[number], now, idle_after) for number in sorted(known)}


def _after(before: Partition, taken: int, left: int, now: int, idle_after: float | None) -> Partition:
    if left:
        return replace(before, next=before.next + taken, since=now if taken else before.since, idle=False)
    return replace(before, idle=idle_after is not None and (before.idle or now - before.since >= idle_after))


def shared_out(left: Mapping[int, int], most: int) -> dict[int, int]:
    """Return how many of what is left each partition gives, so that all of them give at most so many, and some give.

    >>> shared_out({0: 90, 1: 10, 2: 0}, 10), shared_out({0: 3, 1: 1}, 10)
    ({0: 9, 1: 1, 2: 0}, {0: 3, 1: 1})
    """
    every = sum(left.values())
    if every <= most:
        return dict(left)
    shares = {number: count * most // every for number, count in left.items()}
    rest = most - sum(shares.values())
    for number in sorted(left, key=lambda one: left[one] - shares[one], reverse=True)[:rest]:
        shares[number] += min(1, left[number] - shares[number])
    return shares


def first_offsets(seen: Mapping[int, Seen], start: str, now: int) -> dict[int, Partition]:
    """Return where a stream begins: with the earliest record there is, or with the first that comes from now on."""
    chosen = {number: one.low if start == "earliest" else one.high for number, one in seen.items()}
    return {number: Partition(offset, offset, now) for number, offset in sorted(chosen.items())}


def to_json(offsets: Offsets) -> dict[str, dict[str, Any]]:
    """Return offsets as Spark writes them: the same text for the same offsets."""
    return {
        str(number): {"first": one.first, "next": one.next, "since": one.since, "idle": one.idle}
        for number, one in sorted(offsets.items())
    }


def from_json(told: Mapping[str, Mapping[str, Any]]) -> dict[int, Partition]:
    """Return the offsets that were written."""
    return {int(number): Partition(**one) for number, one in told.items()}


def between(start: Offsets, end: Offsets) -> dict[int, tuple[int, int]]:
    """Return what a batch reads of each partition that it reads anything of."""
    spans = {number: (start[number].next if number in start else one.first, one.next) for number, one in end.items()}
    return {number: (first, last) for number, (first, last) in spans.items() if last > first}


def waited_for(end: Offsets) -> list[str]:
    """Return the partitions that a batch waits for."""
    return [str(number) for number, one in end.items() if not one.idle]
