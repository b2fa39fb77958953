"""A bucket that takes far more than its share of the events, and the key that makes it so.

One worker takes a bucket, so a batch lasts as long as its hottest bucket does. Buckets say which key has the most
events (`bucket_keys.py`); here these texts become the hottest bucket of each route, and what is so for several batches
one after another is said once.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cepheid.diagnostics import Diagnostic, Severity

BATCHES: Final = 3
"""So many batches one after another must be skewed before it is said."""
LEAST: Final = 1000
"""A batch with fewer events says nothing about shares."""
_TIMES, _LEAST_SHARE = 4, 0.1


@dataclass(frozen=True, slots=True)
class HottestBucket:
    """The bucket of a route that got the most events of a batch, with the key that has the most of these.

    `rules` are those that the route leads to, with their queries, and `by` are the attributes that hold the key. A
    route has so many buckets (`of`), and so many keys came in the batch.
    """

    route: int
    rules: tuple[tuple[str, str], ...]
    by: tuple[str, ...]
    of: int
    keys: int
    events: int
    bucket: int
    bucket_events: int
    key: str
    key_events: int

    @property
    def share(self) -> float:
        """The part of all events that the bucket got."""
        return self.bucket_events / self.events

    @property
    def is_of_one_key(self) -> bool:
        """Whether one key has at least half of what the bucket got."""
        return 2 * self.key_events >= self.bucket_events

    @property
    def is_skewed(self) -> bool:
        """Whether the bucket got far more than its share, where no more buckets than keys can have one."""
        return self.share >= skewed_from(min(self.of, self.keys))


def skewed_from(parts: int) -> float:
    """Return the share from which on one of so many parts has far more than its own.

    It is four times as much, a tenth at least. Of few parts, it is halfway between a fair share and everything.

    >>> [round(skewed_from(parts), 3) for parts in (1, 2, 4, 32, 1000)]
    [1.0, 0.75, 0.625, 0.125, 0.1]
    """
    return max(_LEAST_SHARE, min(_TIMES / parts, (1 + 1 / parts) / 2))


def hottest_buckets(told: Iterable[str], names: Sequence[str] = ()) -> Iterator[HottestBucket]:
    """Yield the hottest bucket of each route, from what buckets said; `names` are those of the queries."""
    by_route: dict[int, dict[int, Mapping[str, Any]]] = {}
    for one in map(json.loads, told):
        by_route.setdefault(one["route"], {})[one["bucket"]] = one
    for route, buckets in sorted(by_route.items()):
        most = max(buckets.values(), key=lambda one: (one["events"], -one["bucket"]))
        yield HottestBucket(
            route=route,
            rules=tuple((names[query] if names else "", rules) for query, rules in most["lanes"]),
            by=tuple(most["by"]),
            of=most["of"],
            keys=sum(one["keys"] for one in buckets.values()),
            events=sum(one["events"] for one in buckets.values()),
            bucket=most["bucket"],
            bucket_events=most["events"],
            key=most["key"],
            key_events=most["most"],
        )


@dataclass(frozen=True, slots=True)
class _Lasting:
    """For how many batches a bucket has been skewed, and the key that it was in all of them, if it was one."""

    bucket: int
    key: str | None
    batches: int

    def and_then(self, one: HottestBucket) -> "_Lasting":
        key = one.key if one.is_of_one_key else None
        if one.bucket != self.bucket:
            return _Lasting(one.bucket, key, 1)
        return _Lasting(self.bucket, key if key == self.key or not self.batches else None, self.batches + 1)


class KeySkew:
    """What the driver knows of skew: of each route for how long one bucket has been too busy, and what was said."""

    def __init__(self) -> None:
        self._lasting: dict[int, _Lasting] = {}
        self._said: set[tuple[int, int]] = set()

    def after(self, batch: Iterable[HottestBucket]) -> tuple[Diagnostic, ...]:
        """Return what is new to say after a batch."""
        return tuple(finding for one in batch if one.events >= LEAST for finding in self._after(one))

    def _after(self, one: HottestBucket) -> Iterator[Diagnostic]:
        if not one.is_skewed:
            self._lasting.pop(one.route, None)
            return
        now = self._lasting.get(one.route, _Lasting(one.bucket, None, 0)).and_then(one)
        self._lasting[one.route] = now
        if now.batches >= BATCHES and (one.route, one.bucket) not in self._said:
            self._said.add((one.route, one.bucket))
            yield skewed_key(one) if now.key is not None else skewed_bucket(one)


def skewed_key(one: HottestBucket) -> Diagnostic:
    """Return the warning that one key has far more than its share."""
    held = " or ".join(f"`{name}`" for name in one.by)
    message = f"{held} is `{one.key}` in {one.key_events / one.events:.0%} of the events that {_rules(one)} takes"
    hint = "where such events mean nothing, let a condition of the query leave them out: Spark checks it beforehand"
    return _skewed(message, one, hint)


def skewed_bucket(one: HottestBucket) -> Diagnostic:
    """Return the warning that one bucket has far more than its share, and no key of it alone."""
    message = f"bucket {one.bucket} has {one.share:.0%} of the events that {_rules(one)} takes"
    return _skewed(message, one, "a new run with more `buckets` spreads its keys")


def _skewed(message: str, one: HottestBucket, hint: str) -> Diagnostic:
    note = f"one worker takes bucket {one.bucket} of {one.of}, with {one.share:.0%} of them, and the others wait for it"
    return Diagnostic("skewed-key", message, hints=(hint,), notes=(note,), severity=Severity.WARNING)


def _rules(one: HottestBucket) -> str:
    return " and ".join(f"`{rules}`" for _, rules in one.rules)
