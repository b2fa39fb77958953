"""Random rules that have a shape, with traces of points that they match in: every core, keyed or not, with absences."""

from dataclasses import dataclass
from itertools import pairwise

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment
from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import Atom, Join, Pattern, Restrict, Unless
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import EVENT, HULL, Program, Rule
from cepheid.algebra.relations import Difference, Relation, after, end, length, start
from cepheid.events import Event, point
from cepheid.testing.cases import Draw, random_cuts, random_disordered

TYPES = ("A", "B", "C")
VALUES = (0, 1, 2, 3, 1.5, -0.0, float("nan"), None, "x")
KEYS = (1, 1.0, 2, "1", None, True)


@dataclass(frozen=True, slots=True)
class RandomRule:
    """A program of one rule, its events in order and as they arrive."""

    program: Program
    trace: tuple[Event, ...]
    arrivals: tuple[Event, ...]
    disorder: int
    cuts: tuple[int, ...]


def random_rule(draw: Draw) -> RandomRule:
    """Return a rule that kernels can run."""
    choice = draw.pick([choice for choice in Choice if choice is not Choice.STRICT])
    most = 2 if choice is Choice.CHRONOLOGICAL else 4
    atoms = [_atom(draw, f"p{number}") for number in range(draw.integer(1 if choice is Choice.ALL else 2, most))]
    pattern = _joined(draw, atoms, choice)
    pattern = _unless(draw, pattern, atoms) if draw.chance(35) else pattern
    pattern = keyed(pattern, ["key"]) if draw.chance(50) else pattern
    if draw.chance(35):
        pattern = Restrict(pattern, where=_condition(draw, [atom.name for atom in atoms]))
    per = (Field(EVENT, "user"),) if draw.chance(15) else ()
    fields: dict[str, Expr] = {"value": Field(atoms[-1].name, "value")}
    if len(atoms) > 1:
        fields["sum"] = Call("+", (Field(atoms[0].name, "value"), Field(atoms[-1].name, "value")))
    rule = Rule("match", pattern, "match", Moment(start(HULL)), Moment(end(HULL)), fields, per)
    trace = random_trace(draw)
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = random_disordered(draw, trace, disorder)
    return RandomRule(Program((rule,)), tuple(trace), tuple(arrivals), disorder, random_cuts(draw, len(arrivals)))


def _atom(draw: Draw, name: str) -> Atom:
    types = frozenset(draw.some(TYPES, 1, 2 if draw.chance(20) else 1))
    return Atom(name, types, _condition(draw, [name]) if draw.chance(30) else None)


def _condition(draw: Draw, names: list[str]) -> Expr:
    left: Expr = Field(draw.pick(names), "value")
    if draw.chance(25):
        left = Call(draw.pick(["+", "-", "*", "/"]), (left, Literal(draw.pick([0, 1, 0.5]))))
    right = Literal(draw.pick([1, 2, 1.5])) if draw.chance(50) else Field(draw.pick(names), "value")
    condition: Expr = Call(draw.pick(["<", "<=", ">", ">=", "==", "!="]), (left, right))
    if draw.chance(20):
        condition = Call("not", (condition,))
    if draw.chance(20):
        condition = Call(draw.pick(["and", "or"]), (condition, Call("is_null", (left,))))
    return condition


def _joined(draw: Draw, atoms: list[Atom], choice: Choice) -> Pattern:
    if len(atoms) == 1:
        return atoms[0]
    if choice is Choice.ALL:
        names = [f"${number}" for number in range(len(atoms))]
        relation: Relation = tuple(after(later, earlier) for earlier, later in pairwise(names))
        relation += _window(draw, names[0], names[-1]) + (_gap(draw, names) if draw.chance(30) else ())
        where = _condition(draw, [atom.name for atom in atoms]) if draw.chance(30) else None
        return Join(tuple(atoms), relation, candidate=where)
    found: Pattern = atoms[0]
    for atom in atoms[1:]:
        relation = (after("$1", "$0"), *_window(draw, "$0", "$1"))
        found = Join((found, atom), relation, policy=Policy(choice))
    return found


def _window(draw: Draw, first: str, last: str) -> Relation:
    return (length(first, last, draw.integer(1, 9)),) if draw.chance(75) else ()


def _gap(draw: Draw, names: list[str]) -> Relation:
    place = draw.integer(0, len(names) - 2)
    low = draw.integer(1, 3)
    return (Difference(start(names[place + 1]), end(names[place]), low, low + draw.integer(0, 3)),)


def _unless(draw: Draw, pattern: Pattern, atoms: list[Atom]) -> Pattern:
    absent = _atom(draw, "x")
    first, last = sorted(draw.integer(0, len(atoms) - 1) for _ in range(2))
    lower = Difference(start("$absent"), end(atoms[first].name), low=draw.integer(-2, 1))
    upper = Difference(end("$absent"), start(atoms[last].name), high=draw.integer(-1, 0))
    return Unless(pattern, absent, (lower, upper))


def random_trace(draw: Draw) -> list[Event]:
    time, found = draw.pick([0, -5, 10**15]), []
    for number in range(draw.integer(4, 24)):
        time += draw.weighted({0: 35, 1: 40, 2: 15, 5: 10})
        fields = {"value": draw.pick(VALUES), "key": draw.pick(KEYS), "user": draw.pick(["ann", "bob", None])}
        found.append(point(draw.pick(TYPES), time, number + 1, fields))
    return found
