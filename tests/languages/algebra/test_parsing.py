"""What the callers of `parse` can say, and what programs know about their text."""

import pytest

from cepheid.algebra.patterns import Atom, Pattern, Restrict
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Arrival, Stream
from cepheid.algebra.semantics import matches
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.languages.algebra import parse
from cepheid.testing import trace


def windows(text: str, time_unit: int = 1_000_000) -> list[int | None]:
    nodes = walk(parse(text, time_unit=time_unit))
    return [difference.high for node in nodes if isinstance(node, Restrict) for difference in node.relation]


def choices(text: str, policy: str | None = None) -> set[Choice]:
    return {node.choice for node in walk(parse(text, policy=policy)) if isinstance(node, Policy)}


def test_a_length_without_a_unit_counts_seconds() -> None:
    assert windows("A within 2") == windows("A within 2 s") == [2_000_000]


def test_the_caller_says_what_a_length_without_a_unit_counts() -> None:
    assert windows("A within 2", time_unit=1) == [2]
    assert windows("A within 0.5", time_unit=1000) == [500]
    assert windows("A within 2 s", time_unit=1) == [2_000_000]


def test_half_a_tick_is_refused() -> None:
    with pytest.raises(CepheidError, match="not a whole number of microseconds"):
        parse("A within 0.5", time_unit=1)


def test_the_policy_is_that_of_the_caller_or_of_the_text_or_latest_start() -> None:
    assert choices("A ; B") == {Choice.LATEST_START}
    assert choices("policy all\nA ; B") == {Choice.ALL}
    assert choices("policy all\nA ; B", policy="latest-start") == {Choice.LATEST_START}
    assert choices("A ; B", policy="all") == {Choice.ALL}


def test_a_policy_that_there_is_not_is_shown() -> None:
    with pytest.raises(CepheidError) as raised:
        parse("A ; B", policy="latest")
    assert str(raised.value) == (
        "error[unknown-choice]: there is no policy `latest`\n"
        " --> <policy>:1:1\n"
        "  |\n"
        "1 | latest\n"
        "  | ^^^^^^ the algebra has `latest-start` and `all`\n"
        "  = hint: did you mean `policy latest-start`?"
    )


def test_errors_call_the_text_by_its_name() -> None:
    with pytest.raises(CepheidError, match=r"--> alarm\.alg:2:3"):
        parse("# a remark\nA B C", name="alarm.alg")


def test_every_pattern_knows_its_place() -> None:
    text = "Alarm = (Button ; Button) within 2 s - (Pressure | Temperature) by user"
    nodes = [node for node in walk(parse(text)) if isinstance(node, Pattern)]
    assert nodes
    places = {node.span.text for node in nodes if node.span is not None}
    assert all(node.span is not None for node in nodes)
    assert {"Button", "(Button ; Button) within 2 s", "Button ; Button", "Pressure | Temperature"} <= places


def test_declarations_are_gathered_by_type() -> None:
    program = parse("rate A 5/s\nrate B every 20 ms\nkeys A 7\ndisorder A 2 s\ntick 1 ms\nA ; B")
    expected = (Stream("A", Arrival(5, 1_000_000), 2_000_000, keys=7), Stream("B", Arrival(1, 20_000, spaced=True)))
    assert program.streams == expected
    assert program.tick == 1000


def test_events_have_pleasant_names() -> None:
    program = parse("Button ; Button ; `my type` ; x:Button ; Button2 ; `9`")
    names = [node.name for node in walk(program) if isinstance(node, Atom)]
    assert names == ["button", "button2", "my_type", "x", "button22", "_9"]


def test_values_are_computed_from_the_events() -> None:
    program = parse("Rise = (a:Low ; b:High) within 5 emits delta = b.value - a.value, lasted = end(b) - start(a)")
    [match] = matches(program, trace("1 Low(3), 4 High(8)", unit=1_000_000))
    assert (match.name, dict(match.values)) == ("Rise", {"delta": 5, "lasted": 3_000_000})


def test_an_emitted_event_is_seen_by_the_others_with_its_values() -> None:
    program = parse("Rise = a:Low ; b:High emits delta = b.value - a.value\nSteep = Rise[delta > 3] ; Low")
    found = matches(program, trace("1 Low(3), 4 High(8), 5 High(4), 6 Low(0)"))
    assert [(match.name, match.start, match.end) for match in found] == [
        ("Rise", 1, 4),
        ("Rise", 1, 5),
        ("Steep", 1, 6),
    ]


def test_of_two_events_at_one_time_the_text_can_say_which_is_meant() -> None:
    program = parse("x:A[value == 1] | y:A[value == 2] emits one = bound(x), two = bound(y)", policy="all")
    found = sorted(matches(program, trace("1 A(1) A(2)")), key=lambda match: match.evidence)
    assert [dict(match.values) for match in found] == [{"one": True, "two": False}, {"one": False, "two": True}]
