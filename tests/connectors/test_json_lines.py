"""JSON lines are read in blocks, say the same as line by line, and a line that is none is set aside with its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.connectors import Columns, Reading
from cepheid.connectors.json_parsing import _read_alone, read_lines
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import CepheidError
from tests.connectors.reading import read_text, reasons, told

PIECES = st.sampled_from(['{"a": 1}', "{", "}", "[", "]", ",", '{"a": [{}', "{}]}", "{},{}", " ", "1", '"x"', "null"])
LINES = st.lists(PIECES, min_size=1, max_size=4).map("".join) | st.builds(
    json.dumps, st.dictionaries(st.text(max_size=3), st.integers(-(2**70), 2**70) | st.lists(st.booleans()))
)


def shown(found: object) -> object:
    return found.diagnostic if isinstance(found, Refused) else found


@given(st.lists(LINES, min_size=1, max_size=6))
def test_a_block_says_what_its_lines_say(lines: list[str]) -> None:
    assert [shown(found) for found in read_lines(lines)] == [shown(_read_alone(line)) for line in lines]


def test_records_that_share_lines_are_not_taken_for_one_per_line() -> None:
    found = read_lines(['{"a": 1},{"b": 2}', '{"a": [{}', "{}]}"])
    assert all(isinstance(one, Refused) for one in found)


def test_an_object_is_an_event_with_what_is_left_as_its_fields() -> None:
    events, rejects = read_text('{"type": "login", "time": 12, "user": "ann", "legs": [1, {"x": [2]}]}\n')
    assert told(events) == [(1, "login", 12_000_000, 12_000_000, {"user": "ann", "legs": (1, {"x": (2,)})})]
    assert rejects == []


def test_empty_lines_say_nothing_and_keep_their_number() -> None:
    events, rejects = read_text('\n{"type": "A", "time": 1}\r\n  \n{"type": "B"}\n{"type": "C", "time": 3}')
    assert [(event.id, event.type) for event in events] == [(1, "A"), (3, "C")]
    assert reasons(rejects) == ["bad-event: there is no `time` (stream:4)"]


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    events, rejects = read_text(b'\xef\xbb\xbf{"type": "A", "time": 1}\n')
    assert (len(events), rejects) == (1, [])


BAD_LINES = [
    ('{"type": "A", "time": }', "bad-json: this is not JSON: a value is missing at column 23 (stream:1)"),
    (
        '{"type": "A" "time": 1}',
        "bad-json: this is not JSON: a `,` or a closing bracket is missing at column 14 (stream:1)",
    ),
    ('{"type": "A", "time": 1}}', "bad-json: this is not JSON: something follows the object at column 25 (stream:1)"),
    ('{"type": "A', "bad-json: this is not JSON: a string has no end at column 10 (stream:1)"),
    ('{type: "A"}', "bad-json: this is not JSON: a name in double quotes is missing at column 2 (stream:1)"),
    ("{" + '"a":{' * 100_000, "bad-json: this is not JSON: too many brackets are open (stream:1)"),
    ('{"a": ' + "1" * 5000 + "}", "bad-json: this is not JSON: a number has too many digits (stream:1)"),
    ('{"type": 3, "time": 1}', "bad-event: expected a type, got `int` at `$.type` (stream:1)"),
    ('{"type": null, "time": 1}', "bad-event: expected a type, got `null` at `$.type` (stream:1)"),
    ('{"type": "A", "time": null}', "bad-event: expected a time, got `null` at `$.time` (stream:1)"),
    ('{"type": "A", "time": "soon"}', "bad-time: `soon` is not a time at `$.time` (stream:1)"),
    (
        '{"type": "A", "time": 1, "n": [18446744073709551616]}',
        "bad-event: `18446744073709551616` does not fit into 64 bits at `$.n[0]` (stream:1)",
    ),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_line_that_says_no_event_is_set_aside_with_the_reason(line: str, reason: str) -> None:
    events, rejects = read_text(f'{line}\n{{"type": "B", "time": 2}}\n')
    assert [event.id for event in events] == [2]
    assert reasons(rejects) == [reason]
    assert rejects[0].raw == line


def test_bytes_that_are_no_text_are_set_aside() -> None:
    events, rejects = read_text(b'{"type": "A", "time": 1}\n\n{"type": "\xff", "time": 2}\n')
    assert len(events) == 1
    assert reasons(rejects) == ["bad-json: this is not JSON: its bytes are not UTF-8 (stream:3)"]


def test_a_line_that_is_an_array_is_told_apart_with_the_way_out() -> None:
    _, [reject, *_] = read_text('{"type": "A", "time": 1}\n[{"type": "B", "time": 2}]\n')
    assert reject.diagnostic.message == "expected an object, got `list`"
    assert reject.diagnostic.hints == ("make lines of an array: `jq -c '.[]' FILE`",)


def test_an_array_is_read_as_a_whole() -> None:
    events, rejects = read_text('[{"type": "A", "time": 1},\n\n {"type": "B",\n "time": 2}, 7]\n')
    assert [(event.type, event.end, event.id) for event in events] == [("A", 1_000_000, 1), ("B", 2_000_000, 2)]
    assert reasons(rejects) == ["bad-json: expected an object, got `int` (stream:4)"]
    assert read_text(" [ ] ") == ([], [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"type": "A",\n "time": 1}', "a `,` or a closing bracket is missing at column 12 (stream:2)"),
        ('[{"type": "A",\n "time": }]', "a value is missing at column 10 (stream:2)"),
        ('[{"type": "A"}] []', "something follows the object at column 16 (stream:1)"),
        ('[{"type": "A"},', "a value is missing at column 16 (stream:1)"),
    ],
)
def test_a_broken_array_is_an_error_with_its_place(text: str, message: str) -> None:
    with pytest.raises(CepheidError) as raised:
        read_text(text)
    assert str(raised.value).splitlines()[0] == f"error[bad-json]: the array is broken: {message}"


def test_a_column_that_no_line_has_is_an_error() -> None:
    with pytest.raises(CepheidError) as raised:
        read_text('{"kind": "A", "timestamp": 1}\n{"kind": "B", "timestamp": 2}\n')
    assert str(raised.value) == (
        "error[missing-column]: no row has a column `type` (stream)\n"
        "  = note: there is `kind`, `timestamp`\n"
        '  = hint: say which column it is: `--type-column kind`, or in Python `type_column="kind"`'
    )
    with pytest.raises(CepheidError) as raised:
        read_text('{"type": "A", "timestamp": 1}\n')
    assert "`--time-column timestamp`" in str(raised.value)


def test_columns_can_have_other_names() -> None:
    reading = Reading(Columns(type="kind", time="until", start="from", id="key", order_by=("rank",)), unit="ms")
    text = '{"kind": "A", "from": 1, "until": 2.5, "key": "x", "rank": 7, "time": 9}\n'
    [event], _ = read_text(text, reading)
    assert (event.type, event.start, event.end, event.id, event.tie) == ("A", 1000, 2500, "x", (7,))
    assert dict(event.fields) == {"key": "x", "rank": 7, "time": 9}


def test_what_makes_no_interval_and_no_id_is_set_aside() -> None:
    reading = Reading(Columns(start="from", id="key"))
    lines = ['"time": 1, "from": 2, "key": 1', '"time": 1, "from": 1, "key": 1.5', '"time": 1, "key": 1', '"time": 1']
    events, rejects = read_text("".join(f'{{"type": "A", {line}}}\n' for line in lines), reading)
    assert events == []
    assert reasons(rejects) == [
        "bad-interval: `A` starts after it ends at `$.from` (stream:1)",
        "bad-event: expected an id, got `float` at `$.key` (stream:2)",
        "bad-event: there is no `from` (stream:3)",
        "bad-event: there is no `key` (stream:4)",
    ]


def test_a_coarser_tick_refuses_times_between() -> None:
    events, rejects = read_text('{"type": "A", "time": 1}\n{"type": "A", "time": 1.5}\n', Reading(tick=10**6))
    assert len(events) == 1
    assert reasons(rejects) == ["bad-time: `1.5` is between two ticks at `$.time` (stream:2)"]
