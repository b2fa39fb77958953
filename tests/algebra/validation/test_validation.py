"""What is wrong with a program is found before it runs, and shown in its text where it came from one."""

from collections.abc import Sequence

import pytest

from cepheid.algebra.expressions import NULL, Aggregate, Call, Expr, Field, IsBound, Literal, Lookup, Moment, Variable
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
    Unless,
)
from cepheid.algebra.pipes import Map, Source
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Program, Rule, Table
from cepheid.algebra.relations import Difference, after, end, start
from cepheid.algebra.validation import findings, validate, validate_rule
from cepheid.diagnostics import Source as Text
from tests.algebra.builder.nodes import A_USER, A_VALUE, B_VALUE, X_VALUE, A, B, X, call, error_of

START, END = Moment(start("$pattern")), Moment(end("$pattern"))
C = Field("c", "value")
SUM = Aggregate("sum", A_VALUE)
HIDDEN = "\n  = note: the parts of an absence, of a repetition and of a collection are known only inside it"
IN_A_CHAIN = "\n  = note: a step of a chain reads its own record and the variables of the chain"
OF_NEIGHBOURS = "\n  = note: the items of a repetition are `$previous` and `$next` to each other"
OF_A_KEY = "\n  = note: a key is read of each event by itself, as `$event`"
OUT_OF_PLACE = (
    "error[aggregate-outside-folds]: `sum` over items stands where there are no items\n"
    "  = hint: compute it among the values of the repetition or collection, and read that value here"
)


def rule(pattern: Pattern, *values: Expr, per: tuple[Expr, ...] = ()) -> Rule:
    fields = {f"v{place}": value for place, value in enumerate(values)}
    return Rule("match", pattern, "match", START, END, fields, per)


def refusal(pattern: Pattern, *values: Expr) -> str:
    return error_of(lambda: validate_rule(rule(pattern, *values)))


def no_part(name: str, *hints: str) -> str:
    return "\n".join([f"error[unknown-part]: there is no part `{name}`", *(f"  = hint: {hint}" for hint in hints)])


def unreadable(name: str, note: str = "") -> str:
    return f"error[unknown-part]: `{name}` cannot be read here{note}"


def lead(where: Expr) -> Chain:
    return Chain({"a": Step(Atom("a", frozenset(), where), {"n": A_VALUE})}, "a")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (Atom("a", frozenset(), call(">", C, 1)), no_part("c", "write `a`")),
        (Atom("a", frozenset(), Variable("n")), "error[unknown-variable]: there is no variable `n` here"),
        (Join((A, B), (after("c", "a"),)), no_part("c", "write `a` or `b`")),
        (Join((A, B), (after("$2", "$0"),)), unreadable("$2", "\n  = hint: write `$0` or `$1`")),
        (Join((A, B), equal=((A_USER, C),)), no_part("c", "write `a` or `b`")),
        (Join((A, B), candidate=call(">", C, 1)), no_part("c", "write `a` or `b`")),
        (Join((A, B), where=call(">", C, 1)), no_part("c", "write `a` or `b`")),
        (Join((A, B), where=call(">", Moment(start("$0")), 1)), unreadable("$0")),
        (Join((A, B), policy=Policy(Choice.RECENT, per=(C,))), no_part("c", "write `a` or `b`")),
        (Join((A, B), policy=Policy(Choice.RECENT, tie=(C,))), no_part("c", "write `a` or `b`")),
        (Select(A, Policy(Choice.LATEST_START, per=(C,))), no_part("c", "write `a`")),
        (Restrict(A, (after("c", "a"),)), no_part("c", "write `a`")),
        (Restrict(A, where=call(">", C, 1)), no_part("c", "write `a`")),
        (Restrict(A, (after("$absent", "a"),)), unreadable("$absent", "\n  = hint: write `$pattern`")),
        (Distinct(A, (C,)), no_part("c", "write `a`")),
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
        (Repeat("run", A, 1, None, per=(C,)), no_part("c", "write `a`")),
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
        (Join((A, B), policy=Policy(Choice.RECENT, (A_USER,), (Field("$candidate", "x"),))), []),
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


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            call("sqr", A_VALUE),
            "error[unknown-function]: there is no function `sqr`\n  = hint: did you mean `sqrt`?",
        ),
        (call("zzz", A_VALUE), "error[unknown-function]: there is no function `zzz`"),
        (
            call("sqrt"),
            "error[argument-count]: `sqrt` takes 1 argument, and here it has 0\n  = hint: write `sqrt(x)`",
        ),
        (
            call("pow", A_VALUE),
            "error[argument-count]: `pow` takes 2 arguments, and here it has 1\n  = hint: write `pow(x, y)`",
        ),
        (
            call("round", 1, 2, 3),
            "error[argument-count]: `round` takes 1 to 2 arguments, and here it has 3\n  = hint: write `round(x)`",
        ),
        (
            Call("coalesce"),
            "error[argument-count]: `coalesce` takes 1 or more arguments, and here it has 0\n"
            "  = hint: write `coalesce(x)`",
        ),
    ],
)
def test_functions_exist_and_get_their_arguments(value: Expr, message: str) -> None:
    assert refusal(A, value) == message


@pytest.mark.parametrize(
    ("aggregate", "message"),
    [
        (
            Aggregate("mean", A_VALUE),
            "error[unknown-function]: there is no aggregate `mean`",
        ),
        (
            Aggregate("avgg", A_VALUE),
            "error[unknown-function]: there is no aggregate `avgg`\n  = hint: did you mean `avg`?",
        ),
        (
            Aggregate("sum"),
            "error[argument-count]: `sum` over items needs something to compute of each item\n"
            "  = hint: name a field of the items: `sum of a.value`",
        ),
        (Aggregate("max", SUM), OUT_OF_PLACE),
    ],
)
def test_aggregates_exist_and_get_their_argument(aggregate: Expr, message: str) -> None:
    assert refusal(Repeat("run", A, 1, None, folds={"n": aggregate})) == message


@pytest.mark.parametrize(
    "pattern", [Restrict(A, where=call(">", SUM, 1)), Join((A, B), where=SUM), Distinct(A, (SUM,)), lead(SUM)]
)
def test_aggregates_stand_in_folds_only(pattern: Pattern) -> None:
    assert refusal(pattern) == OUT_OF_PLACE


PRICES = Table(("item", "price"), (("pear", 3),), 1)


@pytest.mark.parametrize(
    ("lookup", "message"),
    [
        (
            Lookup("price", (A_VALUE,)),
            "error[unknown-table]: there is no table `price`\n  = hint: did you mean `prices`?",
        ),
        (
            Lookup("prices", (A_VALUE,), "cost"),
            "error[unknown-column]: the table `prices` has no column `cost`\n  = hint: write `item` or `price`",
        ),
        (
            Lookup("prices", (A_VALUE, NULL)),
            "error[argument-count]: `prices` is looked up by 1 of its columns, and here by 2\n"
            "  = hint: give a value for each of `item`",
        ),
    ],
)
def test_tables_are_looked_up_as_they_are(lookup: Lookup, message: str) -> None:
    program = Program((rule(A, lookup),), tables={"prices": PRICES})
    assert error_of(lambda: validate(program)) == message
    validate_rule(rule(A, lookup))


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
