"""What is wrong with a program is found before it runs, and shown in its text where it came from one."""

from collections.abc import Sequence

import pytest

from cepheid.algebra.expressions import Aggregate, Expr, Field, IsBound, Literal, Moment, Variable
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.pipes import Map, Source
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Program
from cepheid.algebra.relations import Difference, after, end, start
from cepheid.algebra.validation import findings, validate, validate_rule
from cepheid.diagnostics import Source as Text
from cepheid.languages.cep import read_program
from tests.algebra.builder.nodes import A_USER, A_VALUE, B_VALUE, X_VALUE, A, B, X, call, error_of
from tests.algebra.validation.refusals import (
    HIDDEN,
    IN_A_CHAIN,
    OF_A_KEY,
    OF_NEIGHBOURS,
    START,
    SUM,
    C,
    lead,
    no_part,
    refusal,
    rule,
    unreadable,
)

OF_A = "write `a.value`; where `c` is a record in the event, `a.c.value`"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (Atom("a", frozenset(), call(">", C, 1)), no_part("c", OF_A)),
        (Atom("a", frozenset(), Variable("n")), "error[unknown-variable]: there is no variable `n` here"),
        (Join((A, B), (after("c", "a"),)), no_part("c", "write `a` or `b`")),
        (Join((A, B), (after("$2", "$0"),)), unreadable("$2", "\n  = hint: write `$0` or `$1`")),
        (Join((A, B), equal=((A_USER, C),)), no_part("c", "write `a` or `b`")),
        (Join((A, B), candidate=call(">", C, 1)), no_part("c", "write `a` or `b`")),
        (Join((A, B), where=call(">", C, 1)), no_part("c", "write `a` or `b`")),
        (Join((A, B), where=call(">", Moment(start("$0")), 1)), unreadable("$0")),
        (Join((A, B), policy=Policy(Choice.RECENT, per=(C,))), no_part("c", "write `a` or `b`")),
        (Join((A, B), policy=Policy(Choice.RECENT, tie=(C,))), no_part("c", "write `a` or `b`")),
        (Select(A, Policy(Choice.LATEST_START, per=(C,))), no_part("c", OF_A)),
        (Restrict(A, (after("c", "a"),)), no_part("c", "write `a`")),
        (Restrict(A, where=call(">", C, 1)), no_part("c", OF_A)),
        (Restrict(A, (after("$absent", "a"),)), unreadable("$absent", "\n  = hint: write `$pattern`")),
        (Distinct(A, (C,)), no_part("c", OF_A)),
        (Suppress(A, 5, (C,)), no_part("c", OF_A)),
        (Suppress(A, 5, (Field("$pattern", "user"),)), unreadable("$pattern")),
        (Unless(A, X, (after("c", "x"),)), no_part("c", "write `a` or `x`")),
        (Unless(A, X, (), where=call(">", C, 1)), no_part("c", "write `a` or `x`")),
        (Restrict(Unless(A, X, ()), where=call(">", X_VALUE, 1)), unreadable("x", HIDDEN)),
        (Collect("group", A, B, (after("c", "b"),)), no_part("c", "write `a` or `b`")),
        (Collect("group", A, B, (), folds={"n": Aggregate("sum", C)}), no_part("c", "write `a` or `b`")),
        (Collect("group", A, B, (), folds={"n": B_VALUE}), unreadable("b", HIDDEN)),
        (Repeat("run", A, 1, None, gap=(after("$next", "a"),)), unreadable("a", OF_NEIGHBOURS)),
        (Repeat("run", A, 1, None, link=call(">", A_VALUE, 1)), unreadable("a", OF_NEIGHBOURS)),
        (
            Repeat("run", A, 1, None, window=(after("$next", "$first"),)),
            unreadable("$next", "\n  = hint: write `$first` or `$last`"),
        ),
        (Repeat("run", A, 1, None, per=(C,)), no_part("c", OF_A)),
        (Repeat("run", A, 1, None, folds={"n": A_VALUE}), unreadable("a", HIDDEN)),
        (Restrict(Repeat("run", A, 1, None), where=A_VALUE), unreadable("a", HIDDEN)),
        (lead(call(">", C, 1)), no_part("c", "write `a` or `n`")),
        (lead(Variable("m")), "error[unknown-variable]: there is no variable `m` here\n  = hint: write `n`"),
        (Chain({"a": Step(A, avoid=Atom("x", frozenset(), A_VALUE))}, "a"), unreadable("a", IN_A_CHAIN)),
        (Chain({"a": Step(A)}, "a", {"n": A_VALUE}), unreadable("a", IN_A_CHAIN)),
        (Chain({"a": Step(A)}, "a", window=(after("$last", "a"),)), unreadable("a", IN_A_CHAIN)),
    ],
)
def test_every_condition_reads_what_it_can(pattern: Pattern, message: str) -> None:
    assert refusal(pattern) == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (C, no_part("c", "write `a` or `b`")),
        (Moment(start("c")), no_part("c", "write `a` or `b`")),
        (IsBound("c"), no_part("c", "write `a` or `b`")),
        (Variable("n"), "error[unknown-variable]: there is no variable `n` here"),
        (X_VALUE, unreadable("x", HIDDEN)),
        (Moment(start("$0")), unreadable("$0", "\n  = hint: write `$pattern`")),
    ],
)
def test_every_value_reads_what_it_can(value: Expr, message: str) -> None:
    assert refusal(Unless(Join((A, B)), X, ()), value) == message


def test_keys_of_a_rule_read_the_event() -> None:
    assert error_of(lambda: validate_rule(rule(A, per=(A_USER,)))) == unreadable("a", OF_A_KEY)
    validate_rule(rule(A, per=(Field("$event", "user"),)))


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        (Join((A, B), (after("$1", "$0"), after("b", "a")), candidate=Moment(end("$1"))), [A_VALUE, START]),
        (Join((A, B), policy=Policy(Choice.RECENT, (A_USER,), (Moment(start("$candidate")),))), []),
        (Restrict(A, (Difference(end("$pattern"), start("a"), 1),)), []),
        (Either((Join((A, B)), A)), [IsBound("b")]),
        (
            Collect("group", A, B, (after("$item", "$anchor"),), folds={"n": Aggregate("sum", B_VALUE)}),
            [Field("group", "n")],
        ),
        (
            Repeat("run", A, 1, None, per=(A_USER,), folds={"n": call("/", SUM, Aggregate("count"))}),
            [Field("run", "n")],
        ),
        (lead(call(">", Variable("n"), 1)), [Variable("n"), IsBound("n"), Field("n", "field of a record"), A_VALUE]),
        (
            Chain(
                {"a": Step(A, {"n": A_VALUE}, X, ("b",)), "b": Step(Atom("a", frozenset({"B"}), Variable("n")))}, "a"
            ),
            [A_VALUE],
        ),
        (Distinct(Select(Restrict(A), Policy(Choice.LATEST_START, (A_USER,))), (A_USER,)), [A_VALUE]),
        (Instant("noon", call("daily", "12:00", "UTC")), [Moment(start("noon"))]),
    ],
)
def test_these_are_fine(pattern: Pattern, values: Sequence[Expr]) -> None:
    validate_rule(rule(pattern, *values))


@pytest.mark.parametrize(
    "pattern",
    [
        Join((A, A)),
        Join((A, Either((B, A)))),
        Unless(A, A, ()),
        Collect("group", A, A, ()),
        Repeat("a", A, 1, None),
        Join((A, Repeat("a", B, 1, None))),
        Join((Repeat("run", A, 1, None), A)),
        Join((A, Chain({"one": Step(A)}, "one"))),
        Collect("a", A, B, ()),
    ],
)
def test_names_of_parts_are_unique(pattern: Pattern) -> None:
    assert refusal(pattern) == "error[duplicate-part]: two parts are called `a`\n  = hint: call one of them `a2`"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (Join(()), "error[no-parts]: a pattern is made of no parts\n  = hint: give it at least one event"),
        (Either(()), "error[no-parts]: a pattern is made of no parts\n  = hint: give it at least one event"),
        (
            Join((A, B, X), policy=Policy(Choice.NEXT)),
            "error[choice-of-many]: `next` chooses between pairs, and this join has 3 parts\n"
            "  = hint: join two parts at a time, as in `(a then b) then c`",
        ),
        (
            Join((A,), policy=Policy(Choice.NEXT)),
            "error[choice-of-many]: `next` chooses between pairs, and this join has 1 part\n"
            "  = hint: join two parts at a time, as in `(a then b) then c`",
        ),
        (
            Select(A, Policy(Choice.RECENT)),
            "error[misplaced-choice]: `recent` chooses between the candidates of a join, and this is none\n"
            "  = hint: choose `latest-start`, or choose on the join itself",
        ),
        (
            Repeat("run", A, 1, None, choice=Choice.RECENT),
            "error[misplaced-choice]: a repetition cannot choose `recent`\n"
            "  = hint: choose `next` for maximal runs or `all` for every subsequence",
        ),
        (
            Repeat("run", A, 0, None),
            "error[reversed-bounds]: a repetition of at least 0 items\n  = hint: ask for at least `1`",
        ),
        (
            Repeat("run", A, 5, 3),
            "error[reversed-bounds]: a repetition of at least 5 and at most 3 items\n"
            "  = hint: ask for at most `5` or more",
        ),
        (
            Chain({"one": Step(A, follow=("tow",)), "two": Step(B)}, "one"),
            "error[unknown-step]: there is no step `tow`\n  = hint: did you mean `two`?",
        ),
        (Chain({}, "one"), "error[unknown-step]: there is no step `one`"),
        (
            Chain({"one": Step(A, {"n": A_VALUE})}, "one", observed=("m", "n")),
            "error[unknown-variable]: there is no variable `m`\n  = hint: write `n`",
        ),
    ],
)
def test_nodes_are_well_formed(pattern: Pattern, message: str) -> None:
    assert refusal(pattern) == message


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (
            call("every", 0, 0),
            "points of time cannot be 0 ticks apart\n  = hint: write a longer period, for example `1 h`",
        ),
        (
            call("daily", "5 pm", "UTC"),
            "`5 pm` is not a time of day\n  = hint: write hours and minutes, for example `17:00`",
        ),
        (
            call("daily", "17:00", "Europe/Bruxelles"),
            "there is no time zone `Europe/Bruxelles`\n  = hint: did you mean `Europe/Brussels`?",
        ),
        (call("daily", "17:00", ""), "there is no time zone ``\n  = hint: write `UTC`"),
        (
            call("weekly", "monday", "17:00", "UTC"),
            "there is no day `monday` of the week\n  = hint: write `mon`, `tue`, `wed`, `thu`, `fri`, `sat` or `sun`",
        ),
        (
            call("at", "noon"),
            "the points of time are not said\n"
            '  = hint: write `at`, `every`, `daily` or `weekly` with constants, as in `daily("17:00", "UTC")`',
        ),
        (
            A_VALUE,
            "the points of time are not said\n"
            '  = hint: write `at`, `every`, `daily` or `weekly` with constants, as in `daily("17:00", "UTC")`',
        ),
    ],
)
def test_schedules_say_points_of_time(schedule: Expr, message: str) -> None:
    assert refusal(Instant("point", schedule)) == f"error[bad-schedule]: {message}"


def test_pipes_are_checked_too() -> None:
    pipe = Map((Source(stream="A"),), call("sqr", SUM))
    found = list(findings(Program(pipes={"p": pipe})))
    assert [finding.code for finding in found] == ["unknown-function", "aggregate-outside-folds"]


def test_a_finding_points_into_the_text() -> None:
    text = Text("fraud.alg", "login then logout where user.name == 1")
    pattern = Join((A, B), where=call("==", Field("user", "name"), Literal(1)), span=text.span(0, 38))
    assert refusal(pattern) == (
        "error[unknown-part]: there is no part `user`\n"
        " --> fraud.alg:1:1\n"
        "  |\n"
        "1 | login then logout where user.name == 1\n"
        "  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  = hint: write `a` or `b`"
    )


def test_one_mistake_is_told_once() -> None:
    assert refusal(Join((A, B), where=call("and", call(">", C, 1), call("<", C, 5)))) == no_part(
        "c", "write `a` or `b`"
    )


@pytest.mark.parametrize(
    ("query", "whole"),
    [
        ("x: a then y: b choose recent tie $candidate.v", "$candidate"),
        ("collect g: all of x: a for y: b relation 0 <= end($anchor) - start($item) <= 9 where $item.v > 3", "$item"),
        ("(x: a then y: b) unless z: c inside where $pattern.v > 3", "$pattern"),
    ],
)
def test_a_whole_has_no_fields(query: str, whole: str) -> None:
    [said, *_, hint] = error_of(lambda: validate(read_program(f"rule r: {query} emits R"))).splitlines()
    assert said == f"error[unknown-part]: `{whole}` stands for a whole, which has a start and an end but no `v`"
    assert hint == "  = hint: read it of the event that has it, for example `x.v`"
