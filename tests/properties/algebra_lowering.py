"""Terms of the detection algebra as nodes: every operator is a join, a choice, an absence or a restriction."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from cepheid.algebra.expressions import Call, Expr, Field
from cepheid.algebra.patterns import Atom, Distinct, Either, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import ALL, Choice, Policy
from cepheid.algebra.relations import Difference, after, end, length, start
from cepheid.algebra.traversal import walk
from tests.oracles.algebra_terms import (
    Conjunction,
    Disjunction,
    Negation,
    Primitive,
    Sequence,
    Term,
    Within,
)

INSIDE = (
    Difference(start("$absent"), start("$pattern"), low=0),
    Difference(end("$pattern"), end("$absent"), low=0),
)


def everything(term: Term) -> Pattern:
    """Return the pattern of all instances of `term`, each set of occurrences once."""
    return Distinct(_Lowering(ALL).pattern(term))


def latest(term: Term, by: str | None = None) -> Pattern:
    """Return the pattern of the instances that the restriction keeps, per value of the attribute `by`."""
    return Distinct(_Lowering(Policy(Choice.LATEST_START), by).pattern(term))


@dataclass
class _Lowering:
    policy: Policy
    by: str | None = None
    numbers: Iterator[int] = field(default_factory=count)

    def pattern(self, term: Term) -> Pattern:
        match term:
            case Primitive(name):
                return self.chosen(Atom(f"{name}{next(self.numbers)}", frozenset({name})))
            case Disjunction(left, right):
                return self.chosen(Either((self.pattern(left), self.pattern(right))))
            case Conjunction(left, right):
                return self.join(self.pattern(left), self.pattern(right), ())
            case Negation(left, right):
                pattern, absent = self.pattern(left), self.pattern(right)
                return self.chosen(Unless(pattern, absent, INSIDE, self.equal(pattern, absent)))
            case Sequence(left, right):
                return self.join(self.pattern(left), self.pattern(right), (after("$1", "$0"),))
            case Within(inner, longest):
                return self.chosen(Restrict(self.pattern(inner), (length("$pattern", "$pattern", longest),)))

    def join(self, left: Pattern, right: Pattern, relation: tuple[Difference, ...]) -> Pattern:
        return Join((left, right), relation, self.equal(left, right), policy=self.policy)

    def chosen(self, pattern: Pattern) -> Pattern:
        if self.policy.choice is Choice.ALL:
            return pattern
        return Select(pattern, Policy(self.policy.choice, tuple(self.keys(pattern))))

    def equal(self, left: Pattern, right: Pattern) -> tuple[tuple[Expr, Expr], ...]:
        return tuple(zip(self.keys(left), self.keys(right), strict=True))

    def keys(self, pattern: Pattern) -> list[Expr]:
        """The key of a match: that of whichever of its atoms is bound."""
        if self.by is None:
            return []
        names = [node.name for node in walk(positives(pattern)) if isinstance(node, Atom)]
        return [Call("coalesce", tuple(Field(name, self.by) for name in names))]


def positives(pattern: Pattern) -> Pattern:
    """Return the part of a pattern whose names can be read from outside."""
    match pattern:
        case Unless():
            return positives(pattern.pattern)
        case Select() | Restrict():
            return positives(pattern.pattern)
        case Either(branches):
            return Either(tuple(positives(branch) for branch in branches))
        case Join(parts):
            return Join(tuple(positives(part) for part in parts))
        case _:
            return pattern
