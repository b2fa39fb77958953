"""What each node looks like as text; that it reads back is said in `test_reading`."""

import pytest

from cepheid.algebra.expressions import (
    Aggregate,
    Call,
    Expr,
    Field,
    IsBound,
    Literal,
    Lookup,
    Moment,
    Variable,
)
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.algebra.intervals import ALLEN, between, inside, par, then, within
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Repeat,
    Restrict,
    Select,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Resample, Slice, Source, Verdict, Window
from cepheid.algebra.policies import LATEST_START, Choice, Policy
from cepheid.algebra.programs import Arrival, Program, Rule, Stream, Table
from cepheid.algebra.relations import Axis, Difference, end, length, start
from cepheid.algebra.text import show
from cepheid.algebra.text.show import Node

SECOND = 1_000_000
A, B = Atom("a", frozenset({"A"})), Atom("b", frozenset({"B"}))
LOGIN, LOGOUT = Atom("login", frozenset({"login"})), Atom("logout", frozenset({"logout"}))
AX, BX = Field("a", "x"), Field("b", "x")
INPUT, ON = Variable("$0"), Holds(Literal(True))
OVER = Holds(Call(">", (Field("$0", "x"), Literal(3))))
HULL = (Moment(start("$pattern")), Moment(end("$pattern")))


def op(function: str, *arguments: Expr) -> Expr:
    return Call(function, arguments)


EXPRESSIONS: list[tuple[Node, str]] = [
    (Literal(5), "5"),
    (Literal(5.0), "5.0"),
    (Literal("5"), '"5"'),
    (Literal((1, True)), "[1, true]"),
    (Call("list", (Literal(1), Literal(True))), "list(1, true)"),
    (Literal({"x": None}), '{"x": null}'),
    (Field("a", "start"), "a.start"),
    (Moment(start("a")), "start(a)"),
    (Moment(end("a", Axis.POSITION)), "position(end(a))"),
    (Variable("pid"), "@pid"),
    (Variable("$total"), "$total"),
    (op("max", AX, BX), "max(a.x, b.x)"),
    (Aggregate("max", AX), "max of a.x"),
    (Aggregate("sum", op("+", AX, BX)), "sum of (a.x + b.x)"),
    (Aggregate("count"), "count of items"),
    (Lookup("prices", (AX,)), "lookup(prices, a.x)"),
    (Lookup("prices", (AX, BX), "price"), "lookup(prices, a.x, b.x; price)"),
    (IsBound("a"), "bound(a)"),
    (op("start", AX), "`start`(a.x)"),
    (op("if", IsBound("a"), AX, BX), "if(bound(a), a.x, b.x)"),
    (op("neg", AX), "-a.x"),
    (op("neg", Literal(5)), "-(5)"),
    (op("-", AX, Literal(-5)), "a.x - -5"),
    (op("-", op("-", AX, BX), AX), "a.x - b.x - a.x"),
    (op("-", AX, op("-", BX, AX)), "a.x - (b.x - a.x)"),
    (op("*", op("+", AX, BX), AX), "(a.x + b.x) * a.x"),
    (op("and", op("or", AX, BX), op("not", op("==", AX, BX))), "(a.x or b.x) and not (a.x == b.x)"),
    (op("<=", op("-", Moment(start("b")), Moment(end("a"))), Literal(5 * SECOND)), "start(b) - end(a) <= 5 s"),
    (op("<=", Moment(start("b")), Literal(5 * SECOND)), "start(b) <= 5000000"),
    (op("+", AX), "`+`(a.x)"),
]
RELATIONS: list[tuple[Node, str]] = [
    (Difference(start("b"), end("a"), low=1), "start(b) - end(a) >= 1 us"),
    (Difference(start("b"), end("a"), high=SECOND), "start(b) - end(a) <= 1 s"),
    (Difference(start("b"), end("a"), 1, SECOND), "1 us <= start(b) - end(a) <= 1 s"),
    (Difference(start("b"), end("a"), 0, 0), "start(b) - end(a) == 0"),
    (Difference(start("b"), end("a")), "start(b) - end(a)"),
    (Policy(Choice.RECENT, (AX,), (BX,)), "recent per a.x tie b.x"),
]
PATTERNS: list[tuple[Node, str]] = [
    (A, "a: A"),
    (LOGIN, "login"),
    (Atom("a", frozenset()), "a: *"),
    (Atom("a", frozenset("BA")), "a: {A, B}"),
    (Atom("a", frozenset("A"), op(">", AX, BX)), "a: A[x > `b`.x]"),
    (Atom("a", frozenset("A"), Field("a", "end")), "a: A[a.end]"),
    (Instant("t", op("every", Literal(3600 * SECOND), Literal(0))), "instant t: every(1 h, 0)"),
    (Join((A, B)), "a: A and b: B"),
    (Join((A, B), then() + within(2, 5 * SECOND, in_order=True)), "a: A then b: B within 5 s"),
    (Join((A, B), within(2, 5 * SECOND, in_order=False)), "a: A and b: B within 5 s"),
    (Join((A, B), par()), "a: A par b: B"),
    (Join((A, B, LOGIN), then("$0", "$1") + then("$1", "$2")), "a: A then b: B then login"),
    (Join((A, B, LOGIN), then("$1", "$2")), "a: A and b: B and login relation $1 then $2"),
    (Join((A, B), (), ((AX, BX),)), "a: A and b: B on a.x == b.x"),
    (Join((A, B), (), (), AX, LATEST_START, BX), "a: A and b: B if a.x choose latest-start where b.x"),
    (Join((A,)), "join [a: A]"),
    (Select(Either((A, B)), LATEST_START), "(a: A or b: B) choose latest-start"),
    (Restrict(Join((A, B)), (length("$pattern", "$pattern", 9, Axis.POSITION),)), "(a: A and b: B) within 10 records"),
    (Restrict(A), "a: A relation none"),
    (Unless(Join((A, B)), LOGIN, inside("$absent", "$pattern")), "(a: A and b: B) unless login inside"),
    (Unless(Join((A, B)), LOGIN, between("$absent", "a", "b")), "(a: A and b: B) unless login between a and b"),
    (Repeat("r", A, 2, None), "repeat r: 2..* of a: A"),
    (Repeat("r", A, 2, 2, choice=Choice.ALL, per=(AX,)), "repeat r: 2 of a: A choose all per a.x"),
    (Repeat("r", A, 0, 3, folds={"n": Aggregate("count")}), "repeat r: 0..3 of a: A with n = count of items"),
    (Collect("c", A, B, then("$item", "$anchor")), "collect c: all of b: B for a: A relation $item then $anchor"),
    (Distinct(A), "distinct (a: A)"),
    (Distinct(A, (AX, BX)), "distinct by (a.x, b.x) (a: A)"),
    (Suppress(A, 600_000_000), "a: A suppress 10 min"),
    (Suppress(Join((A, B)), 1, (AX, BX)), "(a: A and b: B) suppress 1 us by a.x, b.x"),
    (
        Chain({"s": Step(LOGIN, {"u": Field("login", "user")}, LOGOUT, ("s",))}, "s", reads_support=False),
        "chain from s merged {\n    step s: login let u = login.user avoid logout then s\n}",
    ),
]
PIPES: list[tuple[Node, str]] = [
    (Map((Source((), "A"),), INPUT), "source A | map $0"),
    (Map((Source((), "A"), Detect((), "r")), INPUT), "(source A, detect r) | map $0"),
    (Fold((Source((), ""),), INPUT, Literal(0)), "events | fold $0 from 0"),
    (Resample((Source(),), limit=3), "input | resample limit 3"),
    (Gate((Source((), ""), Source((), "A"))), "(events, source A) | gate"),
    (Window((Source((), ""),), Source(), 3), "events | window 3 { input }"),
    (Window((Source((), ""),), Source(), length=SECOND), "events | window within 1 s { input }"),
    (Slice((Source((), ""),), Source(), INPUT, "set"), "events | slice by $0 into set { input }"),
    (Verdict((Source((), ""),), Globally(OVER), True), "events | verdict three-valued always [$0.x > 3]"),
    (Implies(And(ON, Or(OVER, ON)), Not(Next(ON))), "[true] and ([$0.x > 3] or [true]) implies not next [true]"),
    (Until(OVER, Eventually(OVER, 5)), "[$0.x > 3] until eventually within 5 [$0.x > 3]"),
    (ForAll("x", INPUT, Exists("y", INPUT, OVER)), "forall x in $0: exists y in $0: [$0.x > 3]"),
    (And(ForAll("x", INPUT, OVER), OVER), "(forall x in $0: [$0.x > 3]) and [$0.x > 3]"),
]  # fmt: skip
PROGRAMS: list[tuple[Node, str]] = [
    (Stream("A", Arrival(5, SECOND, True), keys=9), "stream A rate 5 per 1 s spaced keys 9"),
    (Stream("A", None, SECOND, ("x", "y")), "stream A disorder 1 s sources (x, y)"),
    (Table(("k", "v"), (("x", 1), ("y", None)), 1), 'table (k, v) key 1 {("x", 1), ("y", null)}'),
    (Rule("r", A, "R", *HULL), "rule r:\n    a: A\n    emits R"),
    (
        Rule("r", A, "R", Moment(end("a")), Moment(end("a")), {"x": AX}, (Field("$event", "k"),)),
        "rule r per k:\n    a: A\n    emits R(x = a.x) from end(a) to end(a)",
    ),
    (
        Program((Rule("r", A, "R", *HULL),), (Stream("A"),), {"p": Source()}, {"t": Table((), (), 0)}, SECOND),
        "tick 1 s\nstream A\ntable t() key 0 {}\n\nrule r:\n    a: A\n    emits R\n\npipe p = input",
    ),
    (Program(), ""),
]  # fmt: skip


@pytest.mark.parametrize(("node", "text"), [*EXPRESSIONS, *RELATIONS, *PATTERNS, *PIPES, *PROGRAMS])
def test_a_node_looks_like_this(node: Node, text: str) -> None:
    assert show(node) == text


@pytest.mark.parametrize("name", ALLEN)
def test_the_relations_of_intervals_stand_between_the_parts(name: str) -> None:
    assert show(Join((A, B), ALLEN[name]("$0", "$1"))) == f"a: A {name} b: B"


def test_what_does_not_fit_on_a_line_is_broken_between_its_pieces() -> None:
    long = Atom("a_rather_long_name", frozenset({"SomeTypeOfEvents"}), op(">", Literal("x" * 30), Literal(3)))
    shown = show(Distinct(Join((long, long, Either((long, long))))))
    assert shown.splitlines()[0] == "distinct ("
    assert [line.split()[0] for line in shown.splitlines()[1:-1]] == [
        "a_rather_long_name:",
        "and",
        "and",
        "a_rather_long_name:",
        "or",
        ")",
    ]
    assert all(len(line) < 100 for line in shown.splitlines())
