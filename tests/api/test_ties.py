"""Ties through every door: events of one time follow each other or they do not, and no name or shift decides."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import cepheid
from cepheid.cli.commands import main
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import read_program

Row = dict[str, object]
QUERIES = (
    ("algebra", "(A ; B) within 5 s", None),
    ("algebra", "(A ; B) within 5 s", "all"),
    ("etalis", "pair() <- a() SEQ b().", "recent"),
    ("etalis", "pair() <- a() SEQ b().", "chronological"),
    ("etalis", "pair() <- a() SEQ b().", "unrestricted"),
)


def rows(text: str) -> list[Row]:
    """Return events such as `1 A`."""
    return [{"type": one.split()[1], "time": int(one.split()[0])} for one in text.split(", ")]


def places(found: Sequence[cepheid.Report]) -> list[tuple[object, object]]:
    return sorted((match.start, match.end) for match in found)


@pytest.mark.parametrize(("language", "text", "policy"), QUERIES)
def test_the_push_of_the_completing_event_gives_the_match(language: str, text: str, policy: str | None) -> None:
    query = cepheid.compile(text, language=language, policy=policy, ties="arrival", allow_unbounded=True)
    first, second = ("A", "B") if language == "algebra" else ("a", "b")
    detector = query.detector()
    assert not detector.push({"type": first, "time": 3})
    [match] = detector.push({"type": second, "time": 3})
    assert (match.start, match.end, match.known) == (3, 3, 3)
    assert not detector.close()


@pytest.mark.parametrize(("language", "text", "policy"), QUERIES)
def test_by_default_events_of_one_time_do_not_follow_each_other(language: str, text: str, policy: str | None) -> None:
    query = cepheid.compile(text, language=language, policy=policy, allow_unbounded=True)
    first, second = ("A", "B") if language == "algebra" else ("a", "b")
    assert not list(query.run([{"type": first, "time": 3}, {"type": second, "time": 3}]))


def test_the_order_of_arrival_decides_and_spans_are_measured_in_time() -> None:
    query = cepheid.compile("(A ; B) within 1 s", ties="arrival", policy="all", language="algebra")
    assert places(list(query.run(rows("1 B, 1 A, 1 B, 2 B, 3 B")))) == [(1, 1), (1, 2)]


def test_what_must_be_absent_stands_between_in_the_order_of_arrival() -> None:
    query = cepheid.compile("(A ; B) within 5 s - C", ties="arrival", language="algebra")
    assert places(list(query.run(rows("1 C, 1 A, 1 B, 1 C")))) == [(1, 1)]
    assert not list(query.run(rows("1 A, 1 C, 1 B")))
    detector = query.detector()
    told = [len(detector.push(row)) for row in rows("1 C, 1 A, 1 B")]
    assert told == [0, 0, 1]


def test_an_order_column_comes_before_the_arrival() -> None:
    query = cepheid.compile("(A ; B) within 5 s", ties="arrival", language="algebra")
    events: list[Row] = [{"type": "B", "time": 1, "line": 2}, {"type": "A", "time": 1, "line": 1}]
    assert not list(query.run(events))
    assert len(list(query.run(events, order_by=["line"]))) == 1


def test_ids_have_no_say() -> None:
    query = cepheid.compile("(A ; B) within 5 s", ties="arrival", language="algebra")
    events: list[Row] = [{"type": "A", "time": 1, "id": "z"}, {"type": "B", "time": 1, "id": "a"}]
    [match] = query.run(events, id_column="id")
    assert match.evidence == ("z", "a")
    assert not list(query.run(events[::-1], id_column="id"))


def test_a_stream_that_may_come_out_of_order_needs_a_column() -> None:
    query = cepheid.compile("(A ; B) within 5 s", ties="arrival", disorder="1 s", language="algebra")
    with pytest.raises(CepheidError, match="nothing says which of one time comes first"):
        query.run(rows("1 A"))
    with pytest.raises(CepheidError, match="nothing says which of one time comes first"):
        query.detector()
    events: list[Row] = [{"type": "B", "time": 1, "line": 2}, {"type": "A", "time": 1, "line": 1}]
    assert len(list(query.run(events, order_by=["line"]))) == 1


def test_the_command_line_has_the_option(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"type": "A", "time": 1}\n{"type": "B", "time": 1}\n', encoding="utf-8")
    for ties, count in (("arrival", 1), ("simultaneous", 0)):
        done = CliRunner().invoke(
            main, ["run", "(A ; B) within 5 s", "--language", "algebra", "-i", str(path), "--ties", ties, "-q"]
        )
        assert (done.exit_code, len(done.stdout.splitlines())) == (0, count)


@pytest.mark.parametrize("disorder", [None, "2 s"])
@pytest.mark.parametrize("order_by", ["seq", ["seq"]])
def test_a_column_says_which_of_one_time_comes_first_also_where_events_are_pushed(
    disorder: str | None, order_by: str | list[str]
) -> None:
    query = cepheid.compile("(a: A and x: X within 9 s) then b: B within 9 s", disorder=disorder)
    events: list[Row] = [
        {"type": "A", "time": 1, "seq": 1},
        {"type": "B", "time": 3, "seq": 2},
        {"type": "X", "time": 3, "seq": 1},
        {"type": "Z", "time": 30, "seq": 1},
    ]
    detector = query.detector(order_by=order_by)
    pushed = [match for event in events for match in detector.push(event)]
    assert places([*pushed, *detector.close()]) == places(list(query.run(events, order_by=order_by))) == [(1, 3)]


@pytest.mark.parametrize("shift", range(0, 40, 3))
@pytest.mark.parametrize("names", [("d", "e"), ("z", "a"), ("dd", "c")])
def test_a_shift_of_all_times_or_other_names_change_nothing(shift: int, names: tuple[str, str]) -> None:
    one, other = names
    text = f"{one}() <- b(). {other}() <- x() SEQ {one}(). f() <- {one}() AND {other}()."
    query = cepheid.compile(text, language="etalis", policy="recent", allow_unbounded=True)
    events: list[Row] = [{"type": kind, "time": time + shift} for time, kind in ((1, "b"), (2, "x"), (3, "b"))]
    found = [match for match in query.run(events) if match.name == "f"]
    assert places(found) == [(2 + shift, 3 + shift)]


@pytest.mark.parametrize("name", ["d", "dd", "z", "A"])
def test_derived_events_of_one_time_come_in_the_order_of_their_rules(name: str) -> None:
    text = f"""
        rule {name}: b emits {name}
        rule e: b emits e
        rule f: chain from one {{ step one: {name} then two step two: e }} emits f
    """
    query = cepheid.compile(read_program(text), allow_unbounded=True, time_unit="s")
    found = [match for match in query.run(rows("1 b, 2 b, 4 b")) if match.name == "f"]
    assert places(found) == [(1, 1), (2, 2), (4, 4)]
