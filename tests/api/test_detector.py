"""Events are pushed one by one; a detector that goes on from a snapshot is as if it had never stopped."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.events import point

PAIR = cepheid.compile("(A ; B) within 5 s - C", language="algebra")
TRACES = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 12)), max_size=12)


def test_a_match_is_told_when_it_is_certain() -> None:
    detector = PAIR.detector()
    assert detector.push({"type": "A", "time": 1}) == []
    assert detector.push({"type": "B", "time": 2.5}) == []
    [match] = detector.advance(3)
    assert (match.start, match.end, match.evidence) == (1, 2.5, (1, 2))
    assert detector.close() == []


@given(TRACES, st.integers(0, 12))
def test_a_snapshot_goes_on_as_if_never_stopped(trace: list[tuple[str, int]], cut: int) -> None:
    rows = [{"type": kind, "time": time} for kind, time in sorted(trace, key=lambda event: event[1])]
    whole, first = PAIR.detector(), PAIR.detector()
    expected = [match for row in rows for match in whole.push(row)] + whole.close()
    found = [match for row in rows[:cut] for match in first.push(row)]
    second = PAIR.detector(first.snapshot())
    found += [match for row in rows[cut:] for match in second.push(row)] + second.close()
    assert found == expected


def test_a_snapshot_remembers_the_form_of_times() -> None:
    detector = PAIR.detector()
    detector.push({"type": "A", "time": datetime(2024, 5, 17)})
    detector = PAIR.detector(detector.snapshot())
    detector.push({"type": "B", "time": datetime(2024, 5, 17, 0, 0, 1)})
    [match] = detector.close()
    assert match.start == datetime(2024, 5, 17)
    assert match.evidence == (1, 2)


def test_event_objects_are_in_ticks() -> None:
    detector = PAIR.detector()
    detector.push(point("A", 1, "x"))
    detector.push(point("B", 2, "y"))
    [match] = detector.advance(3)
    assert (match.start, match.end, match.evidence) == (1, 2, ("x", "y"))


def test_a_late_event_is_set_aside() -> None:
    detector = cepheid.compile("(A ; B) within 5 s", disorder="1 s", language="algebra").detector()
    for time in (5, 4, 3):
        detector.push({"type": "A", "time": time})
    assert [event.end for event in detector.late] == [3_000_000]


def test_what_is_no_event_is_an_error() -> None:
    with pytest.raises(CepheidError) as raised:
        PAIR.detector().push({"type": "A"})
    assert str(raised.value) == 'error[bad-event]: there is no `time`\n  = hint: add it: `"time": 1`'


def test_bytes_that_are_no_state_are_refused() -> None:
    with pytest.raises(CepheidError) as raised:
        PAIR.detector(b"nonsense")
    assert str(raised.value).startswith("error[bad-state]: ")


def test_a_state_of_another_query_is_refused() -> None:
    with pytest.raises(CepheidError, match="state-mismatch"):
        cepheid.compile("A", language="algebra").detector(PAIR.detector().snapshot())
