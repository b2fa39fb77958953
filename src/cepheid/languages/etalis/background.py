"""Background knowledge: all that follows from facts and rules about them.

    near(dock, harbour).
    reach(X, Y) :- near(X, Y).
    reach(X, Z) :- near(X, Y), reach(Y, Z).

Nothing new is ever made of constants, so there is a least set of rows that the rules agree with.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.evaluation import Scope, holds
from cepheid.algebra.expressions import Call, Expr, Literal, Variable
from cepheid.algebra.programs import Row
from cepheid.events import Value, values
from cepheid.languages.etalis.clause_checks import check_clause, conditions_of
from cepheid.languages.etalis.definitions import goals_of
from cepheid.languages.etalis.rows import Relation
from cepheid.languages.etalis.syntax import AtomText, RuleText
from cepheid.languages.etalis.words import ANONYMOUS
from cepheid.languages.shared.terms import Constant, Name, Operation, Term

Environment = Mapping[str, Value]


def close(relations: Mapping[str, Relation], clauses: Sequence[RuleText]) -> None:
    """Add all rows that follow by the clauses; in each round only what uses a row of the round before."""
    for text in clauses:
        check_clause(text)
    ready = [_Clause(text, relations) for text in clauses]
    fresh = {name: relation.rows for name, relation in relations.items()}
    while any(fresh.values()):
        found: dict[str, tuple[Row, ...]] = {}
        for clause in ready:
            name = clause.text.head.predicate.name
            rows = tuple(row for row in list(clause.consequences(fresh)) if relations[name].add(row))
            found[name] = (*found.get(name, ()), *rows)
        fresh = found


@dataclass(frozen=True, slots=True)
class _Clause:
    text: RuleText
    relations: Mapping[str, Relation]

    def consequences(self, fresh: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
        """Yield what follows where at least one goal takes a fresh row."""
        goals = goals_of(self.text)
        for place, goal in enumerate(goals):
            others = [*goals[:place], *goals[place + 1 :]]
            for row in fresh.get(goal.predicate.name, ()):
                environment = _unified(goal, row, {})
                if environment is not None:
                    yield from self._heads(others, environment)

    def _heads(self, goals: Sequence[AtomText], environment: Environment) -> Iterator[Row]:
        if not goals:
            if all(holds(_expression(one), Scope(variables=environment)) for one in conditions_of(self.text)):
                yield tuple(_value(argument, environment) for argument in self.text.head.arguments)
            return
        goal, *others = goals
        for row in self._rows(goal, environment):
            further = _unified(goal, row, environment)
            if further is not None:
                yield from self._heads(others, further)

    def _rows(self, goal: AtomText, environment: Environment) -> Sequence[Row]:
        known = [
            (place, _value(argument, environment))
            for place, argument in enumerate(goal.arguments)
            if isinstance(argument, Constant) or (isinstance(argument, Name) and argument.name in environment)
        ]
        return self.relations[goal.predicate.name].with_cells(known)


def _unified(goal: AtomText, row: Row, environment: Environment) -> Environment | None:
    """Return what the variables stand for where the goal is this row; None where it is not. Null equals nothing."""
    found = dict(environment)
    for argument, cell in zip(goal.arguments, row, strict=True):
        match argument:
            case Name(name) if name == ANONYMOUS:
                continue
            case Name(name) if name not in found:
                found[name] = cell
            case _ if values.equal(_value(argument, found), cell) is not True:
                return None
    return found


def _value(argument: Term, environment: Environment) -> Value:
    match argument:
        case Constant(value):
            return value
        case Name(name):
            return environment.get(name)
        case _:
            raise AssertionError("checked before: only constants and variables are here")


def _expression(term: Term) -> Expr:
    match term:
        case Constant(value):
            return Literal(value)
        case Name(name):
            return Variable(name)
        case Operation(function, arguments):
            return Call(function, tuple(map(_expression, arguments)))
        case _:
            raise AssertionError(f"not a term of this language: {term!r}")
