"""What is shown reads back as the same program."""

from dataclasses import replace

import pytest
from hypothesis import assume, given

from cepheid.algebra.expressions import Call, Field, Literal
from cepheid.algebra.patterns import Atom, Collect, Distinct, Instant, Join, Repeat
from cepheid.algebra.pipes import Source
from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.diagnostics import CepheidError
from cepheid.languages.parte import parse, show
from tests.languages.parte.random_rules import RULES, program_text
from tests.languages.parte.texts import programs
from tests.properties.event_algebra_lowering import Part


def accepted(text: str) -> Program:
    """Return the program of a text; where its windows contradict each other there is nothing to show."""
    try:
        return parse(text)
    except CepheidError as error:
        assume({finding.code for finding in error.diagnostics} != {"impossible-window"})
        raise


@given(RULES)
def test_a_rule_reads_back(parts: list[Part]) -> None:
    program = accepted(program_text(parts))
    assert parse(show(program)) == program


@given(programs())
def test_a_program_reads_back_and_is_shown_the_same_again(text: str) -> None:
    program = accepted(text)
    shown = show(program)
    again = parse(shown)
    assert again == program
    assert show(again) == shown


def refusal(program: Program) -> str:
    with pytest.raises(CepheidError) as raised:
        show(program)
    return str(raised.value)


def test_a_query_that_parte_cannot_say_is_refused() -> None:
    [rule] = parse("template A {} rule R where a : A then").rules
    repeated = Repeat("many", Atom("a", frozenset(["A"])), 1, None)
    assert refusal(Program((replace(rule, pattern=repeated),))) == (
        "error[not-expressible]: the query cannot be written in the language `parte`\n"
        "  = note: it has a pattern of the kind `Repeat`, and the language has no words for that\n"
        "  = hint: every query can be written in `cep`: `cepheid convert query.json --to cep`"
    )


def test_an_event_of_any_type_is_refused() -> None:
    [rule] = parse("template A {} rule R where a : A then").rules
    assert "an event of any types" in refusal(Program((replace(rule, pattern=Atom("a", frozenset())),)))


def test_an_event_that_lasts_is_refused() -> None:
    [rule] = parse("template A {} template B {} rule R where a : A then emit B at a.timestamp with {}").rules
    [report] = parse("template A {} rule R where a : A then").rules
    assert "an event that lasts" in refusal(Program((replace(rule, start=report.start),)))


def test_several_events_that_are_spaced_out_are_refused() -> None:
    [rule] = parse("template A {} rule R where a : A then").rules
    program = Program((rule,), (Stream("A", Arrival(5, 1_000_000, spaced=True)),))
    assert "several events that are spaced out" in refusal(program)


def test_a_rule_that_would_need_unbounded_memory_is_refused() -> None:
    program = parse("template A {} template B {} rule R where a : A b : B when b in a [0 s, 5 s] then")
    [rule] = program.rules
    assert isinstance(rule.pattern, Join)
    unbounded = replace(rule, pattern=replace(rule.pattern, relation=()))
    assert "something that its rules do not mean" in refusal(Program((unbounded,)))


def test_other_nodes_of_the_algebra_are_refused() -> None:
    [rule] = parse("template A { id : Integer } rule R where a : A then").rules
    [timed] = parse("template A {} rule R where p : every 5 s then").rules
    text = "template A { id : Integer } rule R where a : A  t : sum(id) of b : A in a [0 s, 1 s] then"
    [collecting] = parse(text).rules
    assert isinstance(timed.pattern, Instant)
    assert isinstance(collecting.pattern, Collect)
    offset = Call("every", (Literal(5), Literal(3)))
    others = {
        "a key for the whole rule": replace(rule, per=(Field("$event", "id"),)),
        "points of time of another kind": replace(timed, pattern=replace(timed.pattern, schedule=offset)),
        "a collection of another kind": replace(collecting, pattern=replace(collecting.pattern, folds={})),
        "a pattern of the kind `Distinct`": replace(rule, pattern=Distinct(rule.pattern)),
    }
    for what, other in others.items():
        assert what in refusal(Program((other,)))


def test_pipes_are_refused() -> None:
    program = parse("template A {} rule R where a : A then")
    assert "pipes" in refusal(replace(program, pipes={"p": Source((), "A")}))
