"""From the patterns of a rule to the nodes of the algebra, with their variables.

A variable that both sides of an operator have is an equality of their join. Limits on a pair stand in its relation, so
they come before the choice; conditions come after it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cepheid.algebra.expressions import Call, Expr, Field, Literal, conjunction, conjuncts
from cepheid.algebra.patterns import Atom, Either, Equalities, Instant, Join, Pattern, Repeat, Restrict, Unless
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import length
from cepheid.diagnostics import Span
from cepheid.languages.etalis.absences import place_between
from cepheid.languages.etalis.computed_arguments import answers_of, answers_of_absence, asked_of_itself, refuse_asked
from cepheid.languages.etalis.definitions import Definitions
from cepheid.languages.etalis.meaning import Asked, Knowledge, Loose, Lowered, Meaning
from cepheid.languages.etalis.naming import Names
from cepheid.languages.etalis.operators import RELATIONS, limit, operator_of
from cepheid.languages.etalis.policies import Consumption
from cepheid.languages.etalis.repetitions import Repeating
from cepheid.languages.etalis.syntax import (
    Absence,
    AtomText,
    Binary,
    Limit,
    Operator,
    PatternText,
    PointText,
    Repetition,
    Where,
)
from cepheid.languages.etalis.words import ANONYMOUS
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.terms import Constant, Name, Term


@dataclass(frozen=True, slots=True)
class PatternLowering:
    """Lowers the patterns of one rule, from left to right; `written` are its variables as they are called there."""

    definitions: Definitions
    consumption: Consumption
    knowledge: Knowledge
    repeating: Repeating
    names: Names = field(default_factory=Names)
    written: dict[Field, str] = field(default_factory=dict)

    def lowered(self, text: PatternText) -> Lowered:
        """Return the nodes of a pattern, and what its variables stand for."""
        match text:
            case AtomText():
                return self._atom(text)
            case PointText(time, span):
                name = self.names.fresh("moment")
                return Lowered(Instant(name, Call("at", (Literal(time),)), span=span))
            case Binary(Operator.OR, left, right, span):
                alternatives = (self.lowered(left), self.lowered(right))
                refuse_asked(alternatives, "in this alternative")
                return _either(*alternatives, span)
            case Binary(operator, left, right, span):
                return self._join(operator, self.lowered(left), self.lowered(right), span)
            case Where(inner, conditions, span):
                return self._where(self.lowered(inner), conditions, span)
            case Limit(inner, longest, span):
                found = self.lowered(inner)
                return found.of(limited(found.pattern, longest, span))
            case Absence():
                return self._absence(text)
            case Repetition(inner):
                item = self.lowered(inner)
                refuse_asked((item,), "in the repetition")
                return self.repeating.repeated(text, item, self.names.fresh("run"), self.consumption)

    def meaning(self, lowered: Lowered, code: str = "unsafe-condition", what: str = "its pattern") -> Meaning:
        """Return what makes expressions of terms about a pattern."""
        return Meaning(lowered, self.knowledge, self.definitions.background, code, what)

    def _atom(self, text: AtomText) -> Lowered:
        predicate = text.predicate.name
        name = self.names.fresh(predicate)
        conditions: list[Expr] = []
        bound: dict[str, Expr] = {}
        asked: list[Asked] = []
        for attribute, argument in zip(self.definitions.attributes[predicate], text.arguments, strict=True):
            own = Field(name, attribute)
            match argument:
                case Constant(value):
                    conditions.append(Call("==", (own, Literal(value))))
                case Name(variable) if variable == ANONYMOUS:
                    pass
                case Name(variable) if variable in bound:
                    conditions.append(Call("==", (bound[variable], own)))
                case Name(variable):
                    bound[variable] = own
                    self.written[own] = variable
                case _:
                    asked.append(Asked(own, argument))
        found = Lowered(Atom(name, frozenset([predicate]), conjunction(tuple(conditions)), span=text.span), bound)
        return asked_of_itself(found, tuple(asked), self.meaning)

    def _join(self, operator: Operator, left: Lowered, right: Lowered, span: Span) -> Lowered:
        _check_loose(left, right, span)
        parts = (left.pattern, right.pattern)
        policy = self.consumption.of(parts, self.definitions.attributes)
        answers = answers_of(left, right, self.meaning)
        equal = in_order((*shared(left.bound, right.bound), *answers.equal))
        join = Join(parts, RELATIONS[operator], equal, conjunction(answers.candidate), policy=policy, span=span)
        return replace(_both(left, right, join), asked=answers.asked)

    def _where(self, found: Lowered, conditions: Sequence[Term], span: Span) -> Lowered:
        meaning = self.meaning(found)
        more = tuple(one for condition in conditions for one in conjuncts(meaning.of(condition)))
        match found.pattern:
            case Atom() | Join() | Restrict() as pattern:
                where = conjunction((*conjuncts(pattern.where), *more))
                return found.of(replace(pattern, where=where, span=span))
            case pattern:
                return found.of(Restrict(pattern, where=conjunction(more), span=span))

    def _absence(self, text: Absence) -> Lowered:
        absent, first, last = (self.lowered(one) for one in (text.absent, text.first, text.last))
        pair = self._join(Operator.SEQ, first, last, text.first.span.to(text.last.span))
        relation, where = place_between(first.pattern, last.pattern)
        equal = in_order((*shared(pair.bound, absent.bound), *answers_of_absence(pair, absent, self.meaning)))
        unless = Unless(pair.pattern, absent.pattern, relation, equal, where, span=text.span)
        alone = {name: Loose.ABSENT_ONLY for name in (*absent.bound, *absent.loose) if name not in pair.bound}
        return replace(pair, pattern=unless, loose={**pair.loose, **alone})


def limited(pattern: Pattern, longest: int, span: Span) -> Pattern:
    """Return a pattern whose matches last at most so long; the limit of a pair is asked before anything else."""
    match pattern:
        case Join(relation=relation):
            found = operator_of(relation)
            assert found is not None
            return replace(pattern, relation=(*relation, *limit(found[0], longest)), span=span)
        case Unless(inner):
            return replace(pattern, pattern=limited(inner, longest, span))
        case Restrict(Unless() as inner):
            return replace(pattern, pattern=limited(inner, longest, span))
        case Restrict(relation=relation):
            return replace(pattern, relation=(*relation, length(HULL, HULL, longest)), span=span)
        case Repeat(window=window):
            return replace(pattern, window=(*window, length("$first", "$last", longest)), span=span)
        case _:
            return Restrict(pattern, (length(HULL, HULL, longest),), span=span)


def shared(left: Mapping[str, Expr], right: Mapping[str, Expr]) -> Equalities:
    """Return the equalities of variables that both sides have."""
    return tuple((left[name], right[name]) for name in left if name in right)


def in_order(equal: Equalities) -> Equalities:
    """Return equalities in an order that does not depend on the names of variables."""
    return tuple(sorted(equal, key=repr))


def _both(left: Lowered, right: Lowered, join: Join) -> Lowered:
    return Lowered(join, {**right.bound, **left.bound}, {**left.loose, **right.loose}, {**left.totals, **right.totals})


def _either(left: Lowered, right: Lowered, span: Span) -> Lowered:
    bound = {
        name: Call("coalesce", (left.bound[name], right.bound[name])) for name in left.bound if name in right.bound
    }
    every = (*left.bound, *right.bound)
    loose = {name: Loose.IN_ONE_ALTERNATIVE for name in every if name not in bound}
    pattern = Either((left.pattern, right.pattern), span=span)
    return Lowered(pattern, bound, {**left.loose, **right.loose, **loose})


def _check_loose(left: Lowered, right: Lowered, span: Span) -> None:
    """Raise where a variable joins two sides, and one of them gives it no value."""
    for one, other in ((left, right), (right, left)):
        for name, reason in one.loose.items():
            if name in other.bound or name in other.loose:
                message = f"`{name}` {reason.said}, and here something else must agree with it"
                hint = f"call one of them `{name}2`, or write `_` where it does not matter"
                raise refusal("unbound-variable", message, span, f"both sides have `{name}`", hint)
