"""Chains have steps with variables, alternatives, recursion and records to avoid."""

import pytest

import cepheid as c
from cepheid.algebra.expressions import Expr, Field, Literal, Variable
from cepheid.algebra.patterns import Atom, Chain, Pattern, Step
from cepheid.algebra.relations import Axis, length
from tests.algebra.builder.nodes import SECOND, A, B, X, call, error_of

a, b, x = c.event("A"), c.event("B"), c.event("X")
spawn, current = c.event("spawn"), c.variable("current")


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (c.chain(a), Chain({"a": Step(A)}, "a")),
        (c.chain(a, b), Chain({"a": Step(A, follow=("b",)), "b": Step(B)}, "a")),
        (
            c.chain(a, c.event("A")),
            Chain({"a": Step(A, follow=("a2",)), "a2": Step(Atom("a2", frozenset({"A"})))}, "a"),
        ),
        (c.chain(c.step(a, name="one"), b), Chain({"one": Step(A, follow=("b",)), "b": Step(B)}, "one")),
        (c.chain(c.step(a).avoiding(x), b), Chain({"a": Step(A, avoid=X, follow=("b",)), "b": Step(B)}, "a")),
        (
            c.chain(c.step(a).then("b", "x"), c.step(b).reporting(), x),
            Chain({"a": Step(A, follow=("b", "x")), "b": Step(B), "x": Step(X)}, "a"),
        ),
        (c.chain(c.step(a).then("a")), Chain({"a": Step(A, follow=("a",))}, "a")),
        (
            c.chain(c.step(a).letting(n=c.variable("n") + 1, last=a.value), initially={"n": 0}),
            Chain(
                {"a": Step(A, {"n": call("+", Variable("n"), 1), "last": Field("a", "value")})},
                "a",
                {"n": Literal(0)},
            ),
        ),
        (
            c.chain(a, window="1 s", records=10, evidence=False, observed=["n"]),
            Chain(
                {"a": Step(A)},
                "a",
                window=(length("$first", "$last", SECOND), length("$first", "$last", 9, Axis.POSITION)),
                reads_support=False,
                observed=("n",),
            ),
        ),
    ],
)
def test_chains(part: c.Part, expected: Pattern) -> None:
    assert c.pattern_of(part) == expected


def spawning_chain() -> c.Part:
    """Processes that descend from one program and end in another."""
    drop = (spawn.parent == current) & (spawn.exe == "powershell.exe")
    return c.chain(
        c.step(spawn[spawn.exe == "Outlook.exe"], name="main").letting(current=spawn.pid).then("drop", "child"),
        c.step(spawn[spawn.parent == current], name="child").letting(current=spawn.pid).then("drop", "child"),
        c.step(spawn[drop], name="drop").letting(child=spawn.pid),
        window="10 min",
    )


def test_one_event_may_lead_several_steps() -> None:
    def lead(where: Expr) -> Atom:
        return Atom("spawn", frozenset({"spawn"}), where)

    parent = call("==", Field("spawn", "parent"), Variable("current"))
    exe, pid = Field("spawn", "exe"), Field("spawn", "pid")
    assert c.pattern_of(spawning_chain()) == Chain(
        {
            "main": Step(lead(call("==", exe, "Outlook.exe")), {"current": pid}, follow=("drop", "child")),
            "child": Step(lead(parent), {"current": pid}, follow=("drop", "child")),
            "drop": Step(lead(call("and", parent, call("==", exe, "powershell.exe"))), {"child": pid}),
        },
        "main",
        window=(length("$first", "$last", 600 * SECOND),),
    )


def test_a_chain_hands_its_variables_on() -> None:
    query = c.query(spawning_chain(), values={"child": c.variable("child"), "last": spawn.exe})
    spawned = [(1, 0, "Outlook.exe"), (2, 1, "cmd.exe"), (3, 9, "powershell.exe"), (4, 2, "powershell.exe")]
    events = [{"type": "spawn", "time": pid, "pid": pid, "parent": parent, "exe": exe} for pid, parent, exe in spawned]
    [match] = query.run(events, time_unit="us")
    assert (match.start, match.end, match.values) == (1, 4, {"child": 4, "last": "powershell.exe"})
    assert match.evidence == (1, 2, 4)


def test_a_step_waits_for_a_single_event() -> None:
    assert error_of(lambda: c.chain(a.unless(x), b)) == (
        "error[not-a-lead]: a step of a chain waits for a single event, and `a` is more than that\n"
        "  = hint: use the event with conditions only: `a.where(a.x > 1)`"
    )


def test_steps_have_different_names() -> None:
    assert error_of(lambda: c.chain(c.step(a, name="one"), c.step(b, name="one"))) == (
        "error[duplicate-step]: two steps are called `one`\n"
        '  = hint: give one of them another name: `step(a, name="one2")`'
    )


def test_a_chain_has_steps() -> None:
    assert error_of(c.chain) == 'error[no-parts]: a chain needs a step\n  = hint: write `chain(event("login"))`'


def test_a_step_may_ask_whether_a_variable_is_bound() -> None:
    a, b, n = c.event("A"), c.event("B"), c.variable("n")
    asked = c.query(c.chain(c.step(a).letting(n=a.v), c.step(b[c.bound(n)]), window="5 s"))
    assert asked.rule.pattern == c.query(c.chain(c.step(a).letting(n=a.v), b[c.bound("n")], window="5 s")).rule.pattern
    with pytest.raises(c.CepheidError, match="there is no part `m`"):
        c.query(c.chain(c.step(a).letting(n=a.v), b[c.bound("m")], window="5 s"))
    with pytest.raises(c.CepheidError, match="a condition on the event `b` alone reads `a`"):
        b.where(c.bound(a))
