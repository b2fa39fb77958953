"""What a detector notices about the first events that are pushed: what a run does, once, and by any way of pushing."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest

import cepheid as c
from cepheid.algebra.builder import Query
from cepheid.api.noticing.first_looks import MOST

F, A = c.event("Failed", name="f"), c.event("Accepted", name="a")
PAIR = c.then(F, A).within("5 min")


def rows(*some: tuple[str, float, Mapping[str, object]]) -> list[dict[str, Any]]:
    return [{"type": type_, "time": time, **fields} for type_, time, fields in some]


GOOD = rows(("Failed", 1, {"ip": "x", "port": 22}), ("Accepted", 2, {"ip": "x", "port": 22}))


@pytest.mark.parametrize(
    ("query", "given", "expected"),
    [
        (c.query(PAIR.where(F.ip == A.ip)), GOOD, []),
        (c.query(PAIR.where(F.ipp == A.ip)), GOOD, ["unknown-attribute"]),
        (c.query(PAIR, values={"ip": F.addr}), GOOD, ["unknown-attribute"]),
        (c.query(F.where(F.port > "22")), GOOD, ["type-mismatch"]),
        (c.query(PAIR.where(F.ip == A.port)), GOOD, ["type-mismatch"]),
        (c.query(PAIR.where(F.ip == A.ip)), [GOOD[0] | {"ip": None}, GOOD[1]], ["null-key"]),
        (c.query(PAIR), [GOOD[0] | {"time": 1.7e12}, GOOD[1] | {"time": 1.7e12 + 1}], ["doubtful-unit"]),
        (c.query(PAIR.where(F.ipp == A.ip)), [], []),
    ],
)
def test_a_detector_notices_what_a_run_does(query: Query, given: list[dict[str, Any]], expected: list[str]) -> None:
    compiled = c.compile(query)
    run = compiled.run(given)
    run.count()
    singly, batch, table = compiled.detector(), compiled.detector(), compiled.detector(engine="kernels")
    for row in given:
        singly.push(row)
    batch.push_batch(given)
    if given:
        table.push_batch(pa.Table.from_pylist(given))
    for detector in (singly, batch, table):
        detector.close()
        assert [warning.code for warning in detector.warnings] == expected
        assert detector.warnings == detector.warnings  # asking changes nothing
    if given:
        assert [str(warning) for warning in singly.warnings] == [
            str(one) for one in run.warnings if one.code != "unseen-type"
        ]


def test_only_the_first_events_are_looked_at_and_the_message_says_so() -> None:
    detector = c.compile(c.query(F.where(F.port > 21))).detector()
    many = rows(*(("Failed", time, {"prt": 22}) for time in range(MOST + 5)))
    for row in many:
        detector.push(row)
    detector.push({"type": "Failed", "time": MOST + 5, "port": 22})
    [warning] = detector.warnings
    assert warning.message == "none of the first 1,000 events of the type `Failed` has `port`"
    assert warning.hints == ("did you mean `prt`?",)


def test_what_is_there_after_some_events_is_not_missing() -> None:
    detector = c.compile(c.query(F.where(F.port > 21))).detector()
    detector.push({"type": "Failed", "time": 1})
    assert [warning.code for warning in detector.warnings] == ["unknown-attribute"]
    detector.push({"type": "Failed", "time": 2, "port": 22})
    assert detector.warnings == []


def test_columns_and_rows_count_together() -> None:
    detector = c.compile(c.query(F.where(F.port > 21))).detector(engine="kernels")
    detector.push_batch(pa.table({"type": ["Failed"] * 2000, "time": list(range(2000)), "prt": [22] * 2000}))
    assert [warning.message for warning in detector.warnings] == [
        "none of the first 2,000 events of the type `Failed` has `port`"
    ]
