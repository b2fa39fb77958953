"""Stored state is what was written, and was written with the settings that it is read with; or it is refused."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from cepheid.diagnostics import CepheidError
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark import state_settings, stored_state
from cepheid.spark.at_hand import AT_HAND
from cepheid.spark.lanes import Route
from cepheid.spark.state_settings import changes, settings_of
from cepheid.spark.stored_state import index_from_text
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT
from tests.spark.without_spark import Stream, routes

PAIR = "rule pair per key: a: A then b: B within 10 emits Pair(key = a.key)"
OTHER = "rule other: c: C then d: C within 10 emits Other"
EVENTS = [Event("A", key, key, key, {"key": key}) for key in range(5)]
LATER = [Event("B", 8, 8, 10 + key, {"key": key}) for key in range(5)]


def routes_of_text(text: str, query: str = "query") -> tuple[Route, ...]:
    found = routes(Case(read_program(text), (), ()))
    return tuple(replace(one, lanes=tuple(replace(lane, title=query) for lane in one.lanes)) for one in found)


def begun(text: str = PAIR, buckets: int = 4) -> Stream:
    """A stream that has taken in a batch, and whose workers have nothing in memory any more."""
    stream = Stream(routes_of_text(text), buckets)
    stream.push([*EVENTS, Event(BEAT, 5, 5, -1)])
    AT_HAND.clear()
    return stream


def gone_on(stream: Stream, other: Stream) -> int:
    """Return how many matches another stream has, which goes on from the checkpoint of the first."""
    other.take_over(stream)
    found = other.push([*LATER, Event(BEAT, 50, 50, -1)])
    return sum(row["tag"] == "match" for row in found)


def refused(act: Callable[[], object]) -> list[str]:
    with pytest.raises(CepheidError) as raised:
        act()
    return str(raised.value).splitlines()


def test_a_stream_goes_on_with_what_it_had_and_with_new_rules_after_it() -> None:
    assert gone_on(begun(), Stream(routes_of_text(PAIR), 4)) == 5
    assert gone_on(begun(), Stream(routes_of_text(f"{PAIR}\n{OTHER}"), 4)) == 5


def test_another_number_of_buckets_is_refused_where_it_would_move_state() -> None:
    assert refused(lambda: gone_on(begun(), Stream(routes_of_text(PAIR), 7))) == [
        "error[state-mismatch]: the checkpoint was made with 4 buckets, and this stream has 7",
        "  = hint: keep `buckets = 4`, or start a new checkpoint",
    ]
    without_key = PAIR.replace(" per key", "")
    assert gone_on(begun(without_key), Stream(routes_of_text(without_key), 7)) == 25


@pytest.mark.parametrize(
    ("before", "now", "query", "message"),
    [
        (PAIR, PAIR.replace("10", "20"), "query", "another version of `pair`"),
        (PAIR, PAIR, "pairs", "the state of `pair` for a query called `query`"),
        (f"{OTHER}\n{PAIR}", PAIR, "query", "the state of `pair` is not where its events would go"),
    ],
)
def test_a_query_that_cannot_have_the_state_is_refused(before: str, now: str, query: str, message: str) -> None:
    first, hint = refused(lambda: gone_on(begun(before), Stream(routes_of_text(now, query), 4)))
    assert message in first
    assert hint.endswith("or start a new checkpoint")


def _input(**changed: object) -> dict[str, object]:
    row = {"type": "string", "time": "bigint", "key": "bigint"}
    columns = {"type": "type", "time": "time"}
    return {"columns": columns, "times": "numbers of s", "fields": {"key": "int"}, "called_by": row, **changed}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"times": "numbers of ms"}, "the checkpoint was made with numbers of s in the time column"),
        ({"columns": {"type": "kind", "time": "time"}}, "the checkpoint was made with `type` for the type of events"),
        (
            {"fields": {"key": "string"}},
            "the column `key` was of kind `int` when the checkpoint was made, and now it is",
        ),
        ({"fields": {}}, "the column `key` was of kind `int` when the checkpoint was made, and now it is not there"),
        ({"called_by": {"type": "string"}}, "events without an id column are called by all that their row says"),
        ({"fields": {"key": "int", "more": "string"}}, None),
    ],
)
def test_an_input_that_says_something_else_is_refused(changed: dict[str, object], message: str | None) -> None:
    settings = settings_of(routes_of_text(PAIR), 4)
    found = [one.message for one in changes({**settings, "input": _input()}, {**settings, "input": _input(**changed)})]
    assert len(found) == (message is not None)
    assert not found or found[0].startswith(message or "")


def _flipped(data: bytes) -> bytes:
    return data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]


def _damage(stream: Stream, number: int, way: str) -> None:
    """Damage a piece of the first bucket."""
    pieces = stream.operators[0][1].pieces[0]
    name = list(pieces)[number]
    if way == "gone":
        del pieces[name]
    else:
        pieces[name] = (_flipped(pieces[name][0]),)


def test_a_piece_that_is_damaged_or_gone_is_refused_or_not_needed() -> None:
    """The settings are read where others are given, and the program by who looks into the checkpoint."""
    count, told = len(begun().operators[0][1].pieces[0]), []
    for number in range(count):
        for way in ("damaged", "gone"):
            stream = begun()
            _damage(stream, number, way)
            try:
                assert gone_on(stream, Stream(routes_of_text(PAIR), 4)) == 5
            except CepheidError as error:
                told.append(str(error).splitlines()[0])
    assert len(told) == 2 * (count - 2)
    assert all(
        one.startswith("error[damaged-checkpoint]: the state in the checkpoint is damaged: the piece `") for one in told
    )


def test_settings_that_are_damaged_are_refused_where_they_are_read() -> None:
    stream = begun()
    for number in range(len(stream.operators[0][1].pieces[0])):
        _damage(stream, number, "damaged")
    first, _ = refused(lambda: gone_on(stream, Stream(routes_of_text(PAIR), 7)))
    assert first.startswith("error[damaged-checkpoint]: ")


@pytest.mark.parametrize("text", ["", "nonsense", '{"more": 1}', "digest {"])
def test_an_index_that_is_damaged_is_refused(text: str) -> None:
    assert refused(lambda: index_from_text(text)) == [
        "error[damaged-checkpoint]: the state in the checkpoint is damaged: its index is not what was written",
        "  = hint: bring back the checkpoint from a copy, or start a new one",
    ]


def test_state_of_another_format_is_refused() -> None:
    first, hint = refused(lambda: index_from_text(json.dumps({"mark": "m", "lanes": {}})))
    assert first == ("error[state-mismatch]: the checkpoint holds state of format 1, and only format 3 can be read")
    assert hint == "  = hint: go on with the release that wrote it, or start a new checkpoint"


def test_state_with_ids_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        for module in (state_settings, stored_state):
            before.setattr(module, "FORMAT", 2)
        stream = begun()
    first, _ = refused(lambda: gone_on(stream, Stream(routes_of_text(PAIR), 4)))
    assert first == "error[state-mismatch]: the checkpoint holds state of format 2, and only format 3 can be read"
