"""What the checkpoint of a stream holds, whether all of it can be read, and how it is taken out."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from cepheid.api.on_spark import require_spark

if TYPE_CHECKING:
    from cepheid.engine import Progress
    from cepheid.spark.state_view import BucketState


def checkpoint_states(checkpoint: str, rule: str | None = None, most: int = 20) -> "list[BucketState]":
    """Return what a checkpoint holds, bucket by bucket, with at most so many partial matches of each rule."""
    require_spark()
    from cepheid.spark.sessions import local_session
    from cepheid.spark.state_view import states

    return list(states(local_session("cepheid state"), Path(checkpoint), rule, most))


@dataclass(frozen=True, slots=True)
class HeldState:
    """What all buckets together hold for the rules of a query that work together."""

    query: str
    rules: tuple[str, ...]
    buckets: int
    entries: int
    size: int


def held_by_rules(states: "Sequence[BucketState]") -> list[HeldState]:
    """Return what is held for each query and the rules of it that work together."""
    ordered = sorted(states, key=_whose)
    return [_together(query, rules, list(some)) for (query, rules), some in groupby(ordered, key=_whose)]


def _whose(state: "BucketState") -> tuple[str, tuple[str, ...]]:
    return state.query, state.rules


def _together(query: str, rules: tuple[str, ...], states: "Sequence[BucketState]") -> HeldState:
    entries, size = sum(one.entries for one in states), sum(one.size for one in states)
    return HeldState(query, rules, len(states), entries, size)


def exported(states: "Sequence[BucketState]") -> Iterator[str]:
    """Yield a line of JSON for each bucket and query: with its rules and its state, all that is needed to read it."""
    for one in states:
        told = {"bucket": one.bucket, "query": one.query, "rules": one.rules, "entries": one.entries}
        told |= {"frontier": one.frontier, "waiting": [waiting_as_json(each) for each in one.waiting]}
        yield json.dumps({**told, **json.loads(one.program), "state": b64encode(one.state).decode()})


def waiting_as_json(waiting: "Progress") -> dict[str, object]:
    """Return a match that is not complete as JSON has it."""
    told: dict[str, object] = {"rule": waiting.rule, "share": waiting.share}
    told |= {"start": waiting.start, "end": waiting.end}
    return {**told, "found": waiting.found, "missing": waiting.missing}
