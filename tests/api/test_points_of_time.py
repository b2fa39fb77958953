"""Points of time that are all matches: a run tells them portion by portion, one call of a detector not too many."""

from itertools import islice

import pytest

import cepheid as c
from cepheid.diagnostics import CepheidError

DAY = 86_400
CENTURY = 3_155_760_000  # in seconds
SECONDS = c.compile(c.query(c.every("1 s")))
STREAM = c.compile(c.query(c.every("1 s")), disorder="3 s")


def logins(*times: int) -> list[dict[str, object]]:
    return [{"type": "login", "time": time} for time in times]


@pytest.mark.parametrize("query", [SECONDS, STREAM], ids=["finite", "stream"])
def test_the_points_of_a_gap_come_while_they_are_asked_for(query: c.CompiledQuery) -> None:
    found = query.run(logins(0, 5, CENTURY), engine="interpreter")
    assert [match.end for match in islice(found, 100)] == list(range(100))


@pytest.mark.parametrize("query", [SECONDS, STREAM], ids=["finite", "stream"])
def test_steps_lose_nothing_and_repeat_nothing(query: c.CompiledQuery) -> None:
    found = query.run(logins(0, 5, 10_002, 10_003, 20_007), engine="interpreter")
    assert [match.end for match in found] == list(range(20_008))


def test_one_call_tells_not_too_many() -> None:
    detector = SECONDS.detector()
    detector.push(logins(0)[0])
    with pytest.raises(CepheidError, match="25,920,000 points of time would be emitted at once"):
        detector.push(logins(300 * DAY)[0])
    with pytest.raises(CepheidError, match="too-many-points"):
        detector.advance(CENTURY)
    assert [match.end for match in detector.push(logins(3)[0])] == [0, 1, 2]
