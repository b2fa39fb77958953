"""What runs a query makes no difference to what it finds."""

import pytest

import cepheid
from cepheid.api import finite
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TieredDetector, WarmingDetector
from cepheid.engine.detectors import warming_detector
from cepheid.languages.cep import read_program

QUERY = "(A ; B) within 3 s"
APART = read_program("rule match: a: A then b: B within 1 s choose latest-start per a.value + b.value emits Match")
EVENTS = [{"type": "AB"[time % 3 == 0], "time": time} for time in range(1, 30)]


def found(**how: object) -> list[tuple[object, ...]]:
    run = cepheid.compile(QUERY, language="algebra").run(EVENTS, **how)  # type: ignore[arg-type]  # options by name
    return [(match.start, match.end, match.evidence, match.id) for match in run]


def test_every_engine_finds_the_same() -> None:
    assert found(engine="kernels") == found(engine="interpreter") == found()
    assert found(engine="kernels", evidence=False) == found(engine="interpreter", evidence=False)


def test_a_few_events_are_not_worth_a_kernel_and_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    query = cepheid.compile(QUERY, language="algebra")
    few = query.run(EVENTS)
    assert list(few)
    assert isinstance(few._detector, Detector)
    monkeypatch.setattr(finite, "MANY", 10)
    many = query.run(EVENTS)
    assert [match.id for match in many] == [match.id for match in query.run(EVENTS, engine="interpreter")]
    assert isinstance(many._detector, TieredDetector)


def test_a_stream_does_not_wait_for_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming_detector, "WORTH", 10)
    monkeypatch.setattr(warming_detector, "PORTION", 5)
    query = cepheid.compile(QUERY, disorder="1 s", language="algebra")
    slow = [match.id for match in query.run(EVENTS, engine="interpreter")]
    for most in (1000, 15):
        monkeypatch.setattr(warming_detector, "MOST_BEHIND", most)
        run = query.run(EVENTS)
        assert [match.id for match in run] == slow
        assert isinstance(run._detector, WarmingDetector)
        assert run._detector.kernels.began
        assert most == 1000 or isinstance(run._detector.current, TieredDetector)


def test_kernels_that_there_are_not_are_refused() -> None:
    query = cepheid.compile(APART)
    with pytest.raises(CepheidError, match="there is no compiled kernel"):
        list(query.run(EVENTS, engine="kernels"))


def test_a_stream_runs_in_kernels_too() -> None:
    query = cepheid.compile(QUERY, disorder="1 s", language="algebra")
    events = [*EVENTS[:5], {"type": "A", "time": 1}, *EVENTS[5:]]
    runs = [query.run(events, engine=engine) for engine in ("kernels", "interpreter")]
    assert [match.id for match in runs[0]] == [match.id for match in runs[1]]
    assert [run.summary.rejects["late-event"] for run in runs] == [1, 1]


def test_the_plan_says_what_runs_each_rule() -> None:
    assert (
        cepheid.compile(QUERY, language="algebra")
        .explain("plan")
        .endswith("runs compiled: the last partial match of each key")
    )
    several = cepheid.compile(APART).explain("plan")
    assert several.splitlines()[-1].startswith("rule `match` runs interpreted: ")
