"""Repetitions and collections are parts with values of their own."""

import pytest

import cepheid as c
from cepheid.algebra.expressions import Aggregate, Field
from cepheid.algebra.patterns import Collect, Join, Pattern, Repeat, Restrict
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, after, end, length, start
from tests.algebra.builder.nodes import A_USER, A_VALUE, B_USER, B_VALUE, SECOND, A, B, call, error_of

a, b = c.event("A"), c.event("B")

GAP = (Difference(start("$next"), end("$previous"), None, 5 * SECOND),)
RISING = call(">", Field("$next", "value"), Field("$previous", "value"))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (c.repeat(a), Repeat("run", A, 1, None)),
        (c.repeat(a, least=2, most=5, name="runs"), Repeat("runs", A, 2, 5)),
        (c.repeat(a, gap="5 s"), Repeat("run", A, 1, None, GAP)),
        (
            c.repeat(a, gap=("1 s", "5 s")),
            Repeat("run", A, 1, None, (Difference(start("$next"), end("$previous"), SECOND, 5 * SECOND),)),
        ),
        (
            c.repeat(a, gap=lambda previous, next: next.start > previous.end),  # noqa: A006  # as users write it
            Repeat("run", A, 1, None, (after("$next", "$previous"),)),
        ),
        (
            c.repeat(a, link=lambda previous, next: next.value > previous.value),  # noqa: A006  # as users write it
            Repeat("run", A, 1, None, link=RISING),
        ),
        (c.repeat(a, link=lambda one, other: other["value"] > one["value"]), Repeat("run", A, 1, None, link=RISING)),
        (
            c.repeat(a, within="1 s", records=10),
            Repeat(
                "run",
                A,
                1,
                None,
                window=(length("$first", "$last", SECOND), length("$first", "$last", 9, Axis.POSITION)),
            ),
        ),
        (c.repeat(a, choose="all"), Repeat("run", A, 1, None, choice=Choice.ALL)),
        (c.repeat(a, per=a.user), Repeat("run", A, 1, None, per=(A_USER,))),
        (
            c.repeat(a, values={"total": c.sum(a.value), "n": c.count()}),
            Repeat("run", A, 1, None, folds={"total": Aggregate("sum", A_VALUE), "n": Aggregate("count")}),
        ),
        (c.repeat(a >> b), Repeat("run", Join((A, B), (after("$1", "$0"),)), 1, None)),
    ],
)
def test_repetitions(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (c.collect(a, b), Collect("group", A, B, ())),
        (c.collect(a, b, relation=[b.end < a.start], name="all"), Collect("all", A, B, (after("a", "b"),))),
        (
            c.collect(a, b, relation=lambda anchor, item: (anchor.end - item.end) <= "1 s"),
            Collect("group", A, B, (Difference(end("$anchor"), end("$item"), None, SECOND),)),
        ),
        (
            c.collect(a, b, on=a.user == b.user, where=b.value > a.value, values={"n": c.count()}),
            Collect("group", A, B, (), ((A_USER, B_USER),), call(">", B_VALUE, A_VALUE), {"n": Aggregate("count")}),
        ),
    ],
)
def test_collections(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


def test_the_values_of_a_group_are_its_attributes() -> None:
    runs = c.repeat(a, name="runs", values={"total": c.sum(a.value), "start": c.first(a.value)})
    assert runs.total.expression == Field("runs", "total")
    assert runs["start"].expression == Field("runs", "start")
    assert str(runs.end - runs.start) == "end(runs) - start(runs)"


def test_a_condition_on_a_group_restricts_it_and_leaves_it_a_group() -> None:
    runs = c.repeat(a, name="runs", values={"n": c.count()})
    long_runs = runs.where(runs.n > 3)
    folds = {"n": Aggregate("count")}
    expected = Restrict(Repeat("runs", A, 1, None, folds=folds), where=call(">", Field("runs", "n"), 3))
    assert c.pattern_of(long_runs) == expected
    assert long_runs.n.expression == Field("runs", "n")


def test_a_group_has_only_the_values_it_was_given() -> None:
    runs = c.repeat(a, values={"total": c.sum(a.value)})
    assert error_of(lambda: runs.totals) == (
        "error[unknown-fold]: the group has no value `totals`\n  = hint: did you mean `total`?"
    )
    assert error_of(lambda: runs["user"]) == (
        'error[unknown-fold]: the group has no value `user`\n  = hint: compute it: `values={"user": c.count()}`'
    )
    assert hasattr(runs, "total")
    assert not hasattr(runs, "totals")


def test_a_rising_run_is_found() -> None:
    runs = c.repeat(a, least=2, link=lambda one, other: other.value > one.value, values={"values": c.list_of(a.value)})
    events = [{"type": "A", "time": time, "value": value} for time, value in enumerate([5, 6, 7, 3, 4])]
    found = c.query(runs, values={"values": runs.values}).run(events, time_unit="us")
    assert [match.values["values"] for match in found] == [(5, 6, 7), (3, 4)]


def test_what_came_shortly_before_is_collected() -> None:
    recent = c.collect(b, a, relation=(b.end - a.end).between(1, 3), values={"n": c.count(), "total": c.sum(a.value)})
    events = [*({"type": "A", "time": time, "value": time} for time in range(5)), {"type": "B", "time": 5}]
    [match] = c.query(recent, values={"n": recent.n, "total": recent.total}).run(events, time_unit="us")
    assert match.values == {"n": 3, "total": 2 + 3 + 4}
