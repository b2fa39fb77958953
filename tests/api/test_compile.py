"""A query is compiled from a text, a file or what the builder made; what cannot be compiled is refused."""

from pathlib import Path

import pytest

import cepheid
from cepheid.api import STAGES, TIME_UNITS, load
from cepheid.diagnostics import CepheidError, Severity, draw
from cepheid.events import TimeUnit

ALARM = "Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)"
PRESSES: list[dict[str, object]] = [{"type": "Button", "time": time} for time in (1, 2, 9)]


def spans(query: cepheid.CompiledQuery, events: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(match.start, match.end) for match in query.run(events)]


def error_of(query: object, **options: object) -> str:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile(query, **{"language": "algebra", **options})  # type: ignore[call-overload]  # mistakes are tried
    return str(raised.value)


def test_a_text_a_built_query_and_a_program_are_compiled() -> None:
    first, second = cepheid.event("Button"), cepheid.event("Button", name="again")
    built = cepheid.query((first >> second).within("2 s"), name="Twice")
    for query in (ALARM, built, cepheid.program(built), built.program):
        assert spans(cepheid.compile(query, language="algebra"), PRESSES) == [(1, 2)]


@pytest.mark.parametrize(("unit", "scale"), [("s", 1), ("ms", 1000), ("us", 10**6)])
def test_numbers_are_seconds_for_a_text_and_a_built_query_alike_unless_a_unit_is_named(
    unit: TimeUnit, scale: int
) -> None:
    first, second = cepheid.event("Button"), cepheid.event("Button", name="again")
    built = cepheid.query((first >> second).within("2 s"), name="Twice")
    events = [{"type": "Button", "time": time * scale} for time in (1, 2, 9)]
    for query in (ALARM, built):
        named = cepheid.compile(query, time_unit=unit, language="algebra")
        later = cepheid.compile(query, language="algebra")
        for run in (named.run(events), later.run(events, time_unit=unit)):
            assert [(match.start, match.end) for match in run] == [(scale, 2 * scale)]
        for detector in (named.detector(), later.detector(time_unit=unit)):
            found = [match for event in events for match in detector.push(event)] + detector.close()
            assert [(match.start, match.end) for match in found] == [(scale, 2 * scale)]


def test_a_unit_that_is_none_is_refused_by_a_run_too() -> None:
    query = cepheid.compile("A", language="algebra")
    for start in (lambda: query.run([], time_unit="sec"), lambda: query.detector(time_unit="sec")):  # type: ignore[arg-type]
        with pytest.raises(CepheidError, match="times are not counted in `sec`"):
            start()


def test_a_file_says_its_language_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "alarm.alg"
    path.write_text(ALARM)
    assert spans(load(str(path)), PRESSES) == [(1, 2)]
    assert spans(load(ALARM, language="algebra"), PRESSES) == [(1, 2)]


def test_a_query_file_that_is_not_there_is_no_query(tmp_path: Path) -> None:
    with pytest.raises(CepheidError) as raised:
        load(str(tmp_path / "alarm.alg"))
    assert str(raised.value) == f"error[unreadable-input]: `{tmp_path}/alarm.alg` cannot be read: there is no such file"


def test_a_file_of_no_language_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "alarm.txt"
    path.write_text(ALARM)
    with pytest.raises(CepheidError, match="unknown-language"):
        load(str(path))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "alarm.alg"
    path.write_bytes(b"A ; \xff")
    with pytest.raises(CepheidError) as raised:
        load(str(path))
    assert str(raised.value) == (
        f"error[unreadable-input]: `{path}` cannot be read: its bytes are not UTF-8\n  = hint: save it as UTF-8"
    )


def test_numbers_without_a_unit_are_in_the_unit_of_time() -> None:
    events: list[dict[str, object]] = [{"type": "A", "time": 1}, {"type": "B", "time": 4}, {"type": "B", "time": 9}]
    for unit in TIME_UNITS:
        assert spans(cepheid.compile("(A ; B) within 5", time_unit=unit, language="algebra"), events) == [(1, 4)]


def test_a_unit_that_is_none_is_refused() -> None:
    assert error_of("A", time_unit="sec") == (
        'error[unknown-unit]: times are not counted in `sec`; there is `s`, `ms`, `us`\n  = hint: write `time_unit="s"`'
    )


def test_a_policy_is_set_where_the_query_is_written() -> None:
    assert error_of(cepheid.query(cepheid.event("A")), policy="all") == (
        "error[conflicting-options]: the policy of what the builder made is set in the builder\n"
        '  = hint: write `query(pattern, policy="all")`'
    )
    events: list[dict[str, object]] = [{"type": kind, "time": time} for time, kind in enumerate("AAB")]
    assert len(spans(cepheid.compile("(A ; B) within 5 s", policy="all", language="algebra"), events)) == 2
    assert len(spans(cepheid.compile("(A ; B) within 5 s", language="algebra"), events)) == 1


def test_a_rate_of_a_type_that_the_query_does_not_read_is_a_warning() -> None:
    query = cepheid.compile(ALARM, rates={"Buton": "5/s", "Beat": "every 10 ms", "Pressure": "1/s"}, language="algebra")
    assert [draw(warning) for warning in query.warnings] == [
        "warning[unknown-type]: a rate is given for `Buton`, which the query does not read\n"
        "  = hint: did you mean `Button`?",
        "warning[unknown-type]: a rate is given for `Beat`, which the query does not read\n"
        "  = hint: the query reads `Button`, `Pressure`, `Temperature`",
    ]
    assert all(warning.severity is Severity.WARNING for warning in query.warnings)


def test_a_rate_that_is_none_is_refused() -> None:
    assert error_of(ALARM, rates={"Button": "often"}) == (
        "error[bad-rate]: `often` is not a rate\n"
        "  = hint: write how many in which time, for example `5/s` or `10 per 100 ms`"
    )


def test_an_unbounded_query_is_refused_unless_it_is_allowed() -> None:
    assert error_of("A ; B", policy="all").startswith("error[unbounded-state]: ")
    assert not cepheid.compile("A ; B", policy="all", allow_unbounded=True, language="algebra").certificate.bounded
    assert cepheid.check("(A ; B) within 5 s", language="algebra").bounded


def test_every_stage_can_be_explained() -> None:
    query = cepheid.compile(ALARM, rates={"Button": "5/s"}, language="algebra")
    explained = {stage: query.explain(stage) for stage in STAGES}
    assert all(explained.values())
    assert explained["parsed"].startswith("Alarm\n")
    assert explained["algebra"] != explained["rewritten"]
    assert cepheid.compile(cepheid.query(cepheid.event("A"))).explain("parsed") == (
        "ties simultaneous\n\nrule match:\n    a: A\n    emits match"
    )


def test_a_stage_that_is_none_is_refused() -> None:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile("A", language="algebra").explain("plam")
    assert str(raised.value) == "error[unknown-stage]: a query has no stage `plam`\n  = hint: did you mean `plan`?"
