"""What a run notices about its input: each thing once, from rows and from columns alike, nothing without a reason."""

import io
import json
from collections.abc import Mapping

import pyarrow as pa
import pytest

import cepheid as c
from cepheid.algebra.builder import Query

F, A = c.event("Failed", name="f"), c.event("Accepted", name="a")
PAIR = c.then(F, A).within("5 min")


def events(*rows: tuple[str, float, Mapping[str, object]]) -> list[dict[str, object]]:
    return [{"type": type_, "time": time, **fields} for type_, time, fields in rows]


GOOD = events(("Failed", 1, {"ip": "x", "port": 22}), ("Accepted", 2, {"ip": "x", "port": 22}))


def codes(query: Query, rows: list[dict[str, object]], **options: object) -> list[str]:
    """The codes of all warnings; they are the same for objects, lines of JSON and columns."""
    lines = "\n".join(map(json.dumps, rows)).encode()
    compiled = c.compile(query, **options)  # type: ignore[call-overload]
    found = []
    for given in (rows, io.BytesIO(lines), pa.Table.from_pylist(rows)):
        run = compiled.run(given, engine="kernels" if isinstance(given, pa.Table) else "auto")
        run.count()
        found.append([warning.code for warning in run.warnings])
    assert found[0] == found[1] == found[2]
    return found[0]


@pytest.mark.parametrize(
    ("query", "rows", "expected"),
    [
        (c.query(PAIR.where(F.ip == A.ip)), GOOD, []),
        (c.query(PAIR.where(F.ipp == A.ip)), GOOD, ["unknown-attribute"]),
        (c.query(PAIR, values={"ip": F.addr}), GOOD, ["unknown-attribute"]),
        (c.query(PAIR, values={"ip": F.addr.is_null()}), GOOD, []),
        (c.query(F.where(F.port > "22")), GOOD, ["type-mismatch"]),
        (c.query(F.where(F.port > 21)), GOOD, []),
        (c.query(PAIR.where(F.ip == A.port)), GOOD, ["type-mismatch"]),
        (c.query(PAIR.where(F.ip == A.ip)), [GOOD[0] | {"ip": None}, GOOD[1]], ["null-key"]),
        (c.query(PAIR.where(F.ip == A.ip)), [GOOD[0] | {"time": 2}, GOOD[1]], ["shared-times"]),
        (c.query(PAIR.where(F.ip == A.ip)), [GOOD[0] | {"time": 2, "ip": "y"}, GOOD[1]], []),
        (c.query(PAIR), [GOOD[0] | {"time": 1.7e12}, GOOD[1] | {"time": 1.8e12}], ["doubtful-unit"]),
        (c.query(PAIR), [GOOD[0] | {"time": 1.7e9}, GOOD[1] | {"time": 1.8e9}], []),
    ],
)
def test_a_run_notices(query: Query, rows: list[dict[str, object]], expected: list[str]) -> None:
    assert codes(query, rows) == expected


def test_events_that_follow_each_other_as_they_come_may_share_a_time() -> None:
    assert codes(c.query(PAIR.where(F.ip == A.ip)), [GOOD[0] | {"time": 2}, GOOD[1]], ties="arrival") == []


def test_a_kind_that_comes_late_is_seen() -> None:
    rows = events(*(("Failed", time, {"port": "22"}) for time in range(500)), ("Failed", 500, {"port": 22}))
    run = c.compile(c.query(F.where(F.port > 21))).run(rows)
    assert (run.count(), run.warnings) == (1, [])


def test_times_in_milliseconds_that_are_in_seconds() -> None:
    run = c.compile(c.query(F), time_unit="ms").run(events(("Failed", 1715934600, {})))
    run.count()
    [warning] = run.warnings
    assert "looks like a number of `s` since 1970, and is read as one of `ms`" in warning.message


def test_long_input_in_kernels_notices_the_same() -> None:
    rows = events(*(("Failed" if time % 2 else "Accepted", time // 2, {"ip": "x"}) for time in range(30_000)))
    query = c.compile(c.query(c.then(F, A).within("2 s").where(F.ip == A.ip, F.prt > 1)))
    run = query.run(pa.Table.from_pylist(rows))
    assert run.count() == 0
    assert [warning.code for warning in run.warnings] == ["unknown-attribute", "shared-times"]


def test_what_derived_events_have_is_not_asked_of_the_input() -> None:
    pair = c.query(PAIR, name="Pair", values={"ip": F.ip})
    p = c.event("Pair", name="p")
    run = c.compile(c.program(pair, c.query(p.where(p.nothing > 1), name="Second"))).run(GOOD)
    assert ([match.name for match in run], run.warnings) == (["Pair"], [])


def test_the_time_that_is_taken_for_an_attribute_brings_how_it_is_read() -> None:
    run = c.compile("a: Failed emits X(t = a.time)", language="cep").run(GOOD)
    assert run.count() == 1
    assert [warning.hints[0] for warning in run.warnings] == [
        "its time is `start(a)` in `cep`, and `a.start` in Python"
    ]
    again = c.compile("a: Failed emits X(t = start(a))", language="cep").run(GOOD)
    assert [match.values["t"] is None for match in again] == [False]
    assert again.warnings == []


def test_a_key_that_is_null_is_not_offered_in_its_own_place() -> None:
    run = c.compile("f: Failed then a: Accepted within 5 s on ip", language="cep").run(
        [GOOD[0] | {"ip": None}, GOOD[1]]
    )
    assert run.count() == 0
    assert [(warning.code, warning.hints) for warning in run.warnings] == [("null-key", ("there is `port`",))]
