"""Many random programs on Spark, in whole frames and in streams: run as a program it says which of them disagree.

python -m tests.spark.soak 0 20000
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from cepheid.testing import Case
from tests.spark.packed_cases import (
    FLAVOURS,
    Flavour,
    arriving_cases,
    by_definition,
    by_engine,
    cases,
    has_points_of_time,
    on_batch,
    on_stream,
    role_cases,
    watchpoint_cases,
)
from tests.spark.session import session

TOGETHER = 100


def disagreeing_in_frames(some: Mapping[str, Case], flavour: Flavour) -> list[str]:
    """Return the cases in which whole frames have other matches than the definition."""
    found = on_batch(session(), some, flavour)
    return [name for name, case in some.items() if found[name] != by_definition(case)]


def disagreeing_in_streams(some: Mapping[str, Case], flavour: Flavour) -> list[str]:
    """Return the cases in which a stream lacks a match that is certain, or has one that the definition has not.

    A detector of some keys may be certain of a match earlier than one of all keys: nothing of other keys holds it up.
    """
    timeless = {name: case for name, case in some.items() if not has_points_of_time(case)}
    with tempfile.TemporaryDirectory() as folder:
        found = on_stream(session(), timeless, flavour, Path(folder), batches=2, end_apart=False)
    return [name for name, case in timeless.items() if not _is_certain(Counter(found[name]), case)]


def _is_certain(found: Counter[str], case: Case) -> bool:
    certain = Counter(by_engine(case))
    return found == certain or certain <= found <= Counter(by_definition(case))


def main(arguments: Sequence[str]) -> int:
    first, last = int(arguments[0]), int(arguments[1])
    wrong = 0
    for start in range(first, last, TOGETHER):
        flavour = FLAVOURS[start // TOGETHER % len(FLAVOURS)]
        made = (cases, watchpoint_cases, role_cases, cases, arriving_cases)[start // TOGETHER % 5]
        some = made(range(start, min(start + TOGETHER, last)), flavour)
        for way, names in (
            ("frames", disagreeing_in_frames(some, flavour)),
            ("streams", disagreeing_in_streams(some, flavour)),
        ):
            wrong += len(names)
            for name in names:
                print(f"seed {name}, {flavour.type}, in {way}", flush=True)
        print(f"{start + len(some) - first} cases, {wrong} disagreements", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
