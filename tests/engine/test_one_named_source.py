"""A single source that has a name is as late as any other: nothing is decided before it has come so far."""

from dataclasses import replace

import pytest

import cepheid as c
from cepheid.algebra.programs import Stream
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.events import point

ARRIVALS = [(10, 1), (30, 1), (20, 1), (25, 2), (60, 1), (21, 2), (90, 3)]


@pytest.mark.parametrize("choice", ["all", "recent", "latest-start", "next"])
def test_what_comes_late_from_it_still_counts(choice: str) -> None:
    a, b = c.event("P", name="a"), c.event("P", name="b")
    pattern = (a >> b).within("15 us").by("k")
    query = c.query(pattern if choice == "all" else pattern.choose(choice), name="Twice")
    program = c.compile(query, allow_unbounded=True).program
    named = replace(program, streams=(Stream("P", None, 50, ("payments",)),))
    unnamed = replace(program, streams=(Stream("P", None, 50),))
    found = []
    for one, source in ((named, "payments"), (unnamed, "")):
        detector = Detector(plan_of(one))
        told = [
            match
            for number, (time, key) in enumerate(ARRIVALS, 1)
            for match in detector.push(point("P", time, number, {"k": key}), source)
        ]
        found.append(sorted((match.start, match.end, match.evidence) for match in [*told, *detector.close()]))
    assert found[0] == found[1]
    assert (10, 20, (1, 3)) in found[0]
