"""A limit on the time that one record may take, by a clock that is handed in."""

from collections.abc import Iterator

import pytest

import cepheid
from cepheid.algebra import functions
from cepheid.api import TimeLimited
from cepheid.diagnostics import CepheidError
from cepheid.events import Duration
from cepheid.testing import MovableClock

TEXT = "watchpoint odd { main = login[work(host) > 0]; }"


@pytest.fixture
def clock() -> Iterator[MovableClock]:
    found = MovableClock()

    def work(host: int) -> int:
        found.move(Duration.milliseconds(host))
        return 1

    cepheid.terms.register("work", work, 1)
    yield found
    del functions._functions["work"]


def limited(clock: MovableClock, *, stop: bool = False) -> TimeLimited:
    return TimeLimited(cepheid.compile(TEXT, language="hbl").detector(), "5 ms", clock, stop=stop)


def test_what_took_too_long_is_told_and_its_alerts_are_kept(clock: MovableClock) -> None:
    detector = limited(clock)
    alerts = [detector.push({"type": "login", "time": time, "host": host}) for time, host in enumerate((1, 9, 5, 30))]
    assert [len(some) for some in alerts] == [1, 1, 1, 1]
    assert [(one.position, str(one.took)) for one in detector.overruns] == [(1, "9 ms"), (3, "30 ms")]
    (warning,) = detector.warnings
    assert warning.message == "2 records took longer than 5 ms"
    assert warning.notes == ("record 1 took 9 ms, and the longest 30 ms",)


def test_nothing_is_taken_after_it_where_that_is_asked_for(clock: MovableClock) -> None:
    detector = limited(clock, stop=True)
    detector.push({"type": "login", "time": 1, "host": 6})
    with pytest.raises(CepheidError) as stopped:
        detector.push({"type": "login", "time": 2, "host": 1})
    assert stopped.value.diagnostics[0].code == "slow-record"
    assert detector.detector.position == 1


def test_what_is_fast_enough_is_not_told(clock: MovableClock) -> None:
    detector = limited(clock)
    detector.push({"type": "login", "time": 1, "host": 5})
    assert detector.warnings == []
