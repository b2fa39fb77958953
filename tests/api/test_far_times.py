"""A time that kernels cannot compute with ends no run: the interpreter finds all matches, and each is emitted once."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import cepheid
from cepheid.api import detectors, finite
from cepheid.connectors import Report
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TieredDetector
from cepheid.engine.detectors import warming_detector
from tests.kernels.plain_kernels import plain_kernels

QUERY = "(A ; B) within 3 s"
FAR = 3_000_000_000_000
NEAR = [{"type": "AB"[time % 2], "time": time} for time in range(200)]
AHEAD = [*NEAR, {"type": "A", "time": FAR}, {"type": "B", "time": FAR + 1}]
LONG_AGO = [{"type": "A", "time": -FAR}, {"type": "B", "time": 1 - FAR}, *NEAR]
LITTLE = 20  # events are put in order in a buffer of so many, so that a far one is not seen from the beginning


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(finite, "MANY", 10)
    monkeypatch.setattr(detectors, "PORTION", 8)
    monkeypatch.setattr(warming_detector, "WORTH", 10)
    monkeypatch.setattr(warming_detector, "PORTION", 5)
    monkeypatch.setattr(warming_detector, "MOST_BEHIND", 15)
    with plain_kernels():
        yield


def ids(found: Iterable[Report]) -> list[str]:
    return [match.id for match in found]


@pytest.mark.parametrize("events", [AHEAD, LONG_AGO], ids=["ahead", "long ago"])
@pytest.mark.parametrize("buffer", [LITTLE, 1000])
def test_finite_input_has_all_its_matches(events: list[object], buffer: int) -> None:
    query = cepheid.compile(QUERY, language="algebra")
    run = query.run(events, sort_buffer=buffer)
    expected = query.run(events, engine="interpreter")
    assert ids(run) == ids(expected)
    assert len(ids(query.run(events))) == 101
    assert isinstance(run._detector, Detector)
    assert run.summary == expected.summary


def test_near_times_stay_in_kernels() -> None:
    run = cepheid.compile(QUERY, language="algebra").run(NEAR)
    assert len(ids(run)) == 100
    assert isinstance(run._detector, TieredDetector)


def test_a_far_time_with_a_part_that_waits_for_ever() -> None:
    query = cepheid.compile("A ; B", allow_unbounded=True, language="algebra")
    events = [*NEAR, {"type": "A", "time": 200}, {"type": "B", "time": FAR}]
    last = list(query.run(events, sort_buffer=LITTLE))[-1]
    assert (last.start, last.end) == (200, FAR)


def test_a_stream_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    query = cepheid.compile(QUERY, disorder="2 s", language="algebra")
    for most in (15, 1000):
        monkeypatch.setattr(warming_detector, "MOST_BEHIND", most)
        assert ids(query.run(AHEAD)) == ids(query.run(AHEAD, engine="interpreter"))


@pytest.mark.parametrize("disorder", [None, "2 s"])
def test_what_is_set_aside_is_told_once(disorder: str | None) -> None:
    query = cepheid.compile(QUERY, disorder=disorder, language="algebra")
    events = [*NEAR[:50], {"type": "A"}, {"type": "B", "time": "?"}, *AHEAD[50:], {"time": FAR + 2}]
    rejects: tuple[list[str], list[str]] = ([], [])
    runs = (
        query.run(events, sort_buffer=LITTLE, on_reject=lambda one: rejects[0].append(str(one))),
        query.run(events, sort_buffer=LITTLE, on_reject=lambda one: rejects[1].append(str(one)), engine="interpreter"),
    )
    assert ids(runs[0]) == ids(runs[1])
    assert runs[0].summary == runs[1].summary
    assert len(rejects[0]) == 3
    assert rejects[0] == rejects[1]


def test_a_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in AHEAD))
    query = cepheid.compile(QUERY, language="algebra")
    assert ids(query.run(path, sort_buffer=LITTLE)) == ids(query.run(AHEAD, engine="interpreter"))


def test_what_cannot_be_read_again_is_refused_once_kernels_run() -> None:
    query = cepheid.compile(QUERY, language="algebra")
    assert len(ids(query.run(iter(AHEAD)))) == 101
    with pytest.raises(CepheidError, match="too far away for compiled kernels"):
        list(query.run(iter(AHEAD), sort_buffer=LITTLE))


def test_kernels_that_were_asked_for_say_what_they_cannot_do() -> None:
    with pytest.raises(CepheidError, match="too far away for compiled kernels"):
        list(cepheid.compile(QUERY, language="algebra").run(AHEAD, engine="kernels"))
