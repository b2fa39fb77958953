"""The certificate as a person and as a program reads it, and what it complains about."""

import json

import pytest

from cepheid.algebra.patterns import Atom, Join
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.relations import after
from cepheid.analysis import certify, plan_of
from cepheid.diagnostics import CepheidError, draw
from cepheid.languages.cep import read_expression
from tests.analysis.queries import certified, program

ALARM = (
    "stream Button rate 5 per 1 s",
    "stream Pressure rate 1 per 1 s",
    "rule alarm: ((a: Button then b: Button within 2 s) unless x: Pressure inside) emits Alarm",
)


def test_a_certificate_is_a_short_table() -> None:
    assert str(certified(*ALARM)).splitlines() == [
        "rule `alarm`: bounded",
        "  matches         possible",
        "  state           66 = arrivals(Button, 2 s) + arrivals(Button, 2 s - 1 us) * arrivals(Button, 0 s)",
        "                  + 1 entries",
        "    join          `Button`: 15 = arrivals(Button, 2 s)",
        "    absence       `Button`: 51 = arrivals(Button, 2 s - 1 us) * arrivals(Button, 0 s) + 1",
        "  bytes           about 3,840",
        "  work per event  832 = arrivals(Button, 2 s) + (arrivals(Button, 2 s) + 1) *",
        "                  (arrivals(Button, 2 s - 1 us) * arrivals(Button, 0 s) + 1) + 1",
        "  delay           1 us",
        "  history         2 s",
        "  key             none: one partition",
    ]


def test_no_line_is_wider_than_a_terminal() -> None:
    assert max(len(line) for line in str(certified(*ALARM, disorder=123_456_789)).splitlines()) <= 100


def test_rows_say_the_same_as_the_table() -> None:
    rows = certified(*ALARM).rows()
    assert rows[0] == ("rule", "alarm")
    assert ("history", "2 s") in rows


def test_plain_data_can_be_written_as_json() -> None:
    told = json.loads(json.dumps(certified(*ALARM).to_dict()))
    [rule] = told["rules"]
    assert (told["bounded"], rule["state"]["number"], rule["delay"], rule["key"]) == (True, 66, 1, None)
    assert [operator["kind"] for operator in rule["operators"]] == ["scan", "scan", "join", "scan", "absence"]


def test_the_delay_takes_in_the_disorder() -> None:
    rows = dict(certified("a: A then b: B within 5 s choose recent", disorder=2_000_000).rows())
    assert rows["delay"] == "2 s + 1 us"


@pytest.mark.parametrize(
    ("query", "delay"),
    [
        ("a: A then b: B within 5 s", "0 s"),
        ("a: A then b: B within 5 s choose recent", "1 us"),
        ("a: A unless b: B relation 0 s <= start(b) - end(a) <= 4 s", "4 s + 1 us"),
        ("a: A unless b: B relation 0 s <= start(a) - end(b) <= 4 s", "1 us"),
        ("collect g: all of x: X for a: A relation -2 s <= start($item) - end($anchor) <= 3 s", "3 s + 1 us"),
        ("repeat g: 1..3 of a: A gap start($next) - end($previous) <= 5 s", "5 s + 1 us"),
        ("repeat g: 1..3 of a: A gap $previous then $next", "until the input ends"),
    ],
)
def test_a_match_is_certain_after_its_delay(query: str, delay: str) -> None:
    assert dict(certified(query).rows())["delay"] == delay


@pytest.mark.parametrize(
    ("query", "history"),
    [
        ("a: A then b: B within 5 s", "5 s"),
        ("(a: A then b: B) then c: C within 5 s", "5 s"),
        ("a: A then b: B within 5 s choose chronological", "all of it"),
        ("a: A then b: B", "all of it"),
        ("a: A unless b: B relation 0 s <= start(a) - end(b) <= 4 s", "4 s"),
        ("distinct by (a.user) (a: A)", "all of it"),
    ],
)
def test_so_much_of_the_past_decides_about_a_match(query: str, history: str) -> None:
    assert dict(certified(query).rows())["history"] == history


def test_without_a_place_in_a_text_the_reason_is_a_note() -> None:
    pattern = Join((Atom("a", frozenset(("A",))), Atom("b", frozenset(("B",)))), (after("$1", "$0"),))
    hull = (read_expression("start($pattern)"), read_expression("end($pattern)"))
    [finding] = certify(plan_of(Program((Rule("r", pattern, "R", *hull),)))).findings
    assert draw(finding).splitlines() == [
        "error[unbounded-state]: rule `r` keeps every `A` event for ever",
        "  = note: nothing ends the wait for `B`",
        "  = hint: add a window, for example `within 1 h`",
    ]


def test_everything_that_is_kept_for_ever_is_told_once() -> None:
    with pytest.raises(CepheidError) as raised:
        certified("(a: A then b: B) then c: C").demand_bounded()
    assert str(raised.value).splitlines() == [
        "error[unbounded-state]: rule `r` keeps every `A` event for ever",
        " --> <program>:1:21",
        "  |",
        "1 | rule r: ((a: A then b: B) then c: C) emits R",
        "  |                     ^^^^ nothing ends the wait for `B`",
        "  = hint: add a window, for example `within 1 h`",
        "",
        "error[unbounded-state]: rule `r` keeps every match of `A` with `B` for ever",
        " --> <program>:1:32",
        "  |",
        "1 | rule r: ((a: A then b: B) then c: C) emits R",
        "  |                                ^^^^ nothing ends the wait for `C`",
        "  = hint: add a window, for example `within 1 h`",
    ]


def test_a_run_that_never_ends_holds_ever_more_items() -> None:
    found = certified("repeat g: 1..* of a: A gap start($next) - end($previous) <= 5 s")
    assert (found.bounded, str(found.state)) == (False, "1")
    assert found.findings[0].message == "rule `r` keeps all that belongs to `A` for ever"


def test_a_rule_that_never_matches_names_what_contradicts() -> None:
    found = certified("a: A then b: B within 0 s").rules[0]
    assert not found.satisfiable
    assert found.clash == ("start of part 2 - end of part 1 >= 1 us", "end of part 2 - start of part 1 <= 0 s")


def test_records_can_contradict_each_other_too() -> None:
    found = certified("a: A then b: B relation position(start(b)) - position(end(a)) == 3 within 2 records")
    with pytest.raises(CepheidError, match="never-matches"):
        found.demand_satisfiable()


def test_what_can_match_and_ends_is_not_complained_about() -> None:
    found = certified(*ALARM)
    found.demand_bounded()
    found.demand_satisfiable()
    assert (found.findings, found.bounded, found.satisfiable) == ((), True, True)


def test_histories_say_how_much_of_each_input_waits() -> None:
    lines = ("stream A rate 1 per 10", "stream B rate 2 per 10", "(a: A then b: B within 20) unless c: B")
    text = "relation 0 <= end($absent) - end($pattern) <= 5"
    [rule] = certify(plan_of(program(*lines[:2], f"{lines[2]} {text}"))).rules
    told = {
        operator.kind.value: [(one.part, one.entries.number) for one in operator.histories]
        for operator in rule.operators
    }
    assert told["join"] == [("a", 3), ("b", 0)]
    assert [part for part, _ in told["absence"]] == ["a with b", "c"]
    for operator in rule.operators:
        if operator.histories:
            assert sum(one.entries.number or 0 for one in operator.histories) == operator.entries.number
