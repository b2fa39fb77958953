"""One wrong date does not make all events after it late, and a long pause costs nothing."""

import io
import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid import api
from cepheid.api import CompiledQuery, set_aside
from cepheid.diagnostics import CepheidError
from cepheid.events import MOST_JUMP

YEAR, NEVER = MOST_JUMP // 10**6, 253_402_214_400
PAIRS = "(A ; B) within 10 s"


def compiled(**options: object) -> CompiledQuery:
    return api.compile(PAIRS, language="algebra", policy="all", disorder="0 s", **options)  # type: ignore[call-overload, no-any-return]  # what a test is about


Given = Callable[[Sequence[int]], list[dict[str, object]] | io.BytesIO]


def events(times: Sequence[int]) -> list[dict[str, object]]:
    return [{"type": "AB"[index % 2], "time": time} for index, time in enumerate(times)]


def stream(times: Sequence[int]) -> io.BytesIO:
    return io.BytesIO("".join(f"{json.dumps(event)}\n" for event in events(times)).encode())


@pytest.mark.parametrize("given", [events, stream])
def test_an_event_of_the_year_9999_is_set_aside_and_all_others_are_taken(given: Given) -> None:
    times = [1, 2, NEVER, 4, 5, 6]
    rejects: list[str] = []
    run = compiled().run(given(times), on_reject=lambda one: rejects.append(str(one.diagnostic.message)))
    assert [(match.start, match.end) for match in run] == [(1, 2), (1, 4), (1, 6), (5, 6)]
    assert (run.summary.events, run.summary.rejects) == (5, {"far-ahead": 1})
    assert rejects == ["`A` of 253402214400 is 253402214398 s after all before it"]


def test_a_detector_sets_it_aside_too_and_says_so() -> None:
    detector = compiled().detector()
    found = [match.end for event in events([1, 2, NEVER, 4, 5, 6]) for match in detector.push(event)]
    assert found == [2, 4, 6, 6]
    assert [event.end // 10**6 for event in detector.far_ahead] == [NEVER]
    assert [warning.code for warning in detector.warnings] == ["far-ahead"]
    assert detector.late == []


@pytest.mark.parametrize(
    ("times", "matches"),
    [
        ([1, 2, 2 * YEAR, 2 * YEAR + 1], [2, 2 * YEAR + 1]),  # a pause, after which all agree
        ([0, 30 * YEAR, 30 * YEAR + 1, 30 * YEAR + 2, 30 * YEAR + 3], [30 * YEAR + 2]),  # a first one of 1970
        ([NEVER, 4, 5, 6, 7], [6]),  # a first one that is not likely
        ([NEVER, NEVER + 1], [NEVER + 1]),  # all of them that far away
        ([1, 2, 2 * YEAR], [2]),  # the end, which nobody disagrees with
        ([1, 2, NEVER, 9 * NEVER // 10, 4, 5, 6], [2, 5, 5]),  # two that do not agree with each other either
    ],
)
def test_what_is_far_ahead_is_believed_if_the_next_one_agrees(times: list[int], matches: list[int]) -> None:
    assert [match.end for match in compiled().run(events(times))] == matches
    assert [match.end for match in compiled().run(stream(times))] == matches
    detector = compiled().detector()
    found = [match.end for event in events(times) for match in detector.push(event)]
    assert [*found, *(match.end for match in detector.close())] == matches


def test_one_between_the_two_brings_the_other_within_reach() -> None:
    query = api.compile("A | B", disorder=3 * YEAR, language="algebra")
    run = query.run(events([0, 3 * YEAR // 2, 3 * YEAR // 4]))
    assert sorted(match.end for match in run) == [0, 3 * YEAR // 4, 3 * YEAR // 2]
    assert run.summary.rejected == 0


def test_what_is_set_aside_for_ever_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_aside, "MOST", 50)
    detector = compiled().detector()
    for time in range(200):
        detector.push({"type": "C", "time": 10 if time == 0 else 1})
        detector.push({"type": "C", "time": NEVER})
    assert (len(detector.late), len(detector.far_ahead)) == (50, 50)
    assert {warning.code: warning.notes for warning in detector.warnings} == {
        "late-event": ("199 events were rejected like this",),
        "far-ahead": ("199 events were rejected like this",),
    }


def test_the_limit_can_be_set_and_lifted() -> None:
    assert compiled(max_jump="1 s").run(events([1, 2, 9, 4, 5])).summary.rejected == 0
    for limit, rejected in (("1 s", 1), ("9 s", 0)):
        run = compiled(max_jump=limit).run(events([1, 2, 9, 3, 4]))
        list(run)
        assert run.summary.rejects["far-ahead"] == rejected
    detector = compiled(max_jump=None).detector()
    detector.push({"type": "A", "time": NEVER})
    detector.push({"type": "A", "time": 4})
    assert len(detector.late) == 1


def test_a_strict_run_ends_at_once() -> None:
    with pytest.raises(CepheidError, match="far-ahead"):
        list(compiled().run(events([1, 2, NEVER]), strict=True))
    detector = compiled().detector(strict=True)
    detector.push({"type": "A", "time": 1})
    with pytest.raises(CepheidError, match="far-ahead"):
        detector.push({"type": "A", "time": NEVER})
    assert [match.end for match in detector.push({"type": "B", "time": 2})] == [2]


def test_a_heartbeat_that_is_far_ahead_moves_nothing() -> None:
    given = [*events([1, 2]), {"type": "beat", "time": NEVER}, *events([4, 5])]
    run = compiled().run(given, heartbeat_type="beat")
    assert [match.end for match in run] == [2, 5, 5]
    assert run.summary.rejects == {"far-ahead": 1}


def test_a_promise_that_is_far_ahead_agrees() -> None:
    detector = compiled().detector()
    detector.push({"type": "A", "time": 1})
    detector.push({"type": "A", "time": 5 * YEAR})
    detector.advance(5 * YEAR + 1)
    assert [match.end for match in detector.push({"type": "B", "time": 5 * YEAR + 2})] == [5 * YEAR + 2]


@given(st.lists(st.sampled_from([1, 2, 3, 2 * YEAR, 2 * YEAR + 1, NEVER]), max_size=8), st.integers(0, 8))
def test_stopped_and_gone_on_is_as_if_never_stopped(times: list[int], at: int) -> None:
    whole, query = compiled().detector(), compiled()
    expected = [match for event in events(times) for match in whole.push(event)] + whole.close()
    first = query.detector()
    found = [match for event in events(times)[:at] for match in first.push(event)]
    second = query.detector(first.snapshot())
    found += [match for event in events(times)[at:] for match in second.push(event)] + second.close()
    assert found == expected


@given(st.lists(st.sampled_from([1, 2, 3, 2 * YEAR, 2 * YEAR + 1, NEVER]), max_size=8))
def test_every_event_is_counted_once(times: list[int]) -> None:
    run = compiled().run(stream(times))
    list(run)
    assert run.summary.events + run.summary.rejected == len(times)
    pushed = compiled().run(iter(events(times)))
    list(pushed)
    assert pushed.summary == run.summary
