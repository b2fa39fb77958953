"""What a type checker sees of the builder: the right types, nothing untyped, and mistakes that it finds."""

from typing import assert_type

import pytest

import cepheid as c
from cepheid.algebra.programs import Stream, Table

a, b = c.event("A"), c.event("B")


def test_operators_of_terms_have_types() -> None:
    assert_type(a.user, c.Term)
    assert_type(a["user"], c.Term)
    assert_type(a.start, c.Term)
    assert_type(a.user == b.user, c.Term)
    assert_type(a.user == "ann", c.Term)
    assert_type(a.user != None, c.Term)  # noqa: E711  # a condition, not a question
    assert_type(a.value + 1, c.Term)
    assert_type(1 - a.value, c.Term)
    assert_type((a.value > 1) & ~(b.value <= 3), c.Term)
    assert_type(c.function("sqrt")(a.value), c.Term)
    assert_type(c.if_(a.value > 1, "high", None), c.Term)
    assert_type(c.sum(a.value) / c.count(), c.Term)


def test_patterns_have_types() -> None:
    assert_type(a, c.EventPart)
    assert_type(a[a.value > 3], c.EventPart)
    assert_type(a.where(a.value > 3), c.EventPart)
    assert_type(a.unless(b, after="5 s"), c.EventPart)
    assert_type(a >> b, c.Part)
    assert_type((a & b).within("1 s").choose("recent"), c.Part)
    assert_type(a | b, c.Part)
    assert_type(a.during(b), c.Part)
    assert_type(c.every("1 h"), c.InstantPart)
    assert_type(c.chain(a, c.step(b)), c.Part)
    runs = c.repeat(a, values={"n": c.count()})
    assert_type(runs, c.GroupPart)
    assert_type(runs.where(runs.n > 3), c.GroupPart)
    assert_type(runs.n, c.Term)


def test_queries_and_declarations_have_types() -> None:
    query = c.query(a, values={"user": a.user, "kind": "a"})
    assert_type(query, c.Query)
    assert_type(query.run([{"type": "A", "time": 1}, c.point("A", 2, "x")]), list[c.Match])
    assert_type(query.to_json(), dict[str, object])
    assert_type(c.program(query).run([]), list[c.Match])
    assert_type(c.declare("A", rate="5/s"), Stream)
    assert_type(c.table(["item"], []), Table)


def test_a_type_checker_finds_these_mistakes() -> None:
    """Each `ignore` is itself checked: without the mistake it would be an error that it is there."""
    with pytest.raises(c.CepheidError):
        a.where(True)  # type: ignore[arg-type]
    with pytest.raises(c.CepheidError):
        (a >> b).on(a == b)  # type: ignore[arg-type]
    with pytest.raises(c.CepheidError):
        a >> 3  # type: ignore[operator]
    with pytest.raises(TypeError):
        a.witin("1 s")  # type: ignore[operator]
    with pytest.raises(AttributeError):
        (a >> b).user  # type: ignore[attr-defined]  # noqa: B018
