"""Random rules that feed themselves: each turn takes in a strictly later event, so that they come to an end."""

from cepheid.algebra.expressions import Expr, Field, Moment
from cepheid.algebra.patterns import Atom, Either, Equalities, Join, Pattern
from cepheid.algebra.programs import EVENT, HULL, Rule
from cepheid.algebra.relations import after, end, length, start
from cepheid.testing.cases.draw import Draw

LOOP = "L"


def recursive_rules(draw: Draw, types: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return a chain of events of any length, in one rule or in two, sometimes with a rule that reads it."""
    first, more = draw.some(types, 2, 2)
    base, turn = Atom("e1", frozenset((first,))), _turn(draw, more)
    if draw.chance(50):
        rules = [_rule(draw, "base", base, "e1"), _rule(draw, "turn", turn, "e2")]
    else:
        rules = [_rule(draw, "loop", Either((base, turn)), "e2")]
    if draw.chance(30):
        rules.append(_reader(first))
    return tuple(draw.shuffled(rules))


def _turn(draw: Draw, more: str) -> Pattern:
    parts = Atom("e2", frozenset((LOOP,))), Atom("e3", frozenset((more,)))
    equal: Equalities = ((Field("e2", "key"), Field("e3", "key")),) if draw.chance(50) else ()
    return Join(parts, (after("$1", "$0"), length("$0", "$1", draw.integer(2, 6))), equal)


def _rule(draw: Draw, name: str, pattern: Pattern, part: str) -> Rule:
    per: tuple[Expr, ...] = (Field(EVENT, "key"),) if draw.chance(15) else ()
    fields = {"key": Field(part, "key"), "value": Field(part, "value")}
    return Rule(name, pattern, LOOP, Moment(start(HULL)), Moment(end(HULL)), fields, per)


def _reader(other: str) -> Rule:
    pattern = Join((Atom("e4", frozenset((LOOP,))), Atom("e5", frozenset((other,)))), (after("$1", "$0"),))
    return Rule("reader", pattern, "Read", Moment(start(HULL)), Moment(end(HULL)))
