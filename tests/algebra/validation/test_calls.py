"""Functions, aggregates and tables exist and get their arguments; declarations can be."""

import pytest

from cepheid.algebra.expressions import NULL, Aggregate, Call, Expr, Lookup
from cepheid.algebra.patterns import (
    Distinct,
    Join,
    Pattern,
    Repeat,
    Restrict,
)
from cepheid.algebra.programs import Arrival, Program, Stream, Table
from cepheid.algebra.validation import validate, validate_rule
from tests.algebra.builder.nodes import A_VALUE, A, B, call, error_of
from tests.algebra.validation.refusals import (
    OUT_OF_PLACE,
    SUM,
    lead,
    refusal,
    rule,
)


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


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (Program(tick=0), "the tick is 0 microseconds\n  = hint: write `1 us` or longer"),
        (
            Program(streams=(Stream("A"), Stream("B"), Stream("A"))),
            "the stream `A` is declared twice\n  = hint: leave one of the two out",
        ),
        (Program(streams=(Stream("A", Arrival(0, 5)),)), "`A` comes at most 0 times\n  = hint: count `1` or more"),
        (
            Program(streams=(Stream("A", Arrival(5, 0)),)),
            "the rate of `A` is per 0 ticks\n  = hint: measure it per `1 s`, for example",
        ),
        (
            Program(streams=(Stream("A", disorder=-1),)),
            "`A` comes at most -1 ticks late\n  = hint: write `0 s` or longer",
        ),
        (
            Program(streams=(Stream("A", keys=0),)),
            "the key of `A` has at most 0 values\n  = hint: count `1` or more",
        ),
    ],
)
def test_declarations_say_something_that_can_be(program: Program, message: str) -> None:
    assert error_of(lambda: validate(program)) == f"error[bad-declaration]: {message}"
