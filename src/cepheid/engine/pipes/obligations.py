"""What a temporal formula still demands of the values to come, after those that have been seen.

    always ([a] implies eventually [b])     after an `a` without a `b`:  always (...)  and  eventually [b]

Each value turns a part of the formula into what must hold from the next position on. That is written as alternatives,
each a set of parts that must hold together. No alternatives left: the formula is false. An empty one: it is true.
Alternatives that demand more than another are dropped. So what is kept does not grow with the trace, but with the
number of values that quantifiers bind.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

from cepheid.algebra.evaluation import Scope, computed, holds
from cepheid.algebra.expressions import Field, IsBound, Literal, Variable
from cepheid.algebra.formula_semantics import elements_of
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.algebra.traversal import walk
from cepheid.events import Value

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Duty:
    """The part of the formula at a path must hold, or must not, from the next position on, with some values bound.

    `left` is how many positions it speaks about, where it says how many.
    """

    path: Path
    left: int | None
    bound: tuple[tuple[str, Literal], ...]

    @property
    def values(self) -> dict[str, Value]:
        return {name: literal.value for name, literal in self.bound}


Rest = frozenset[frozenset[Duty]]
TRUE: Rest = frozenset((frozenset[Duty](),))
FALSE: Rest = frozenset()


class Obligations:
    """What is left of a formula; `known` says whether it is true or false for good."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.rest: Rest | None = None
        self.reads: dict[Path, frozenset[str]] = {}

    @property
    def known(self) -> bool | None:
        if self.rest is None or (self.rest and frozenset() not in self.rest):
            return None
        return bool(self.rest)

    def __len__(self) -> int:
        return sum(map(len, self.rest or ()))

    def take(self, value: Value, around: Scope) -> None:
        """Look at the next value, with what else the formula can read."""
        here = _Here(self, value, around)
        if self.rest is None:
            self.rest = here.demand((), _left(self.formula), True, {})
            return
        self.rest = either(all_of(here.of(duty) for duty in duties) for duties in self.rest)

    def state(self) -> object:
        if self.rest is None:
            return None
        return [[(duty.path, duty.left, duty.values) for duty in duties] for duties in self.rest]

    def restore(self, state: object) -> None:
        assert state is None or isinstance(state, list)
        if state is not None:
            self.rest = frozenset(
                frozenset(self.duty(tuple(path), left, bound) for path, left, bound in duties) for duties in state
            )

    def duty(self, path: Path, left: int | None, bound: Mapping[str, Value]) -> Duty:
        """Return the demand that a part of the formula holds; what it does not read tells nothing apart."""
        if path not in self.reads:
            self.reads[path] = _reads(self.part(path))
        read = sorted(self.reads[path] & bound.keys())
        return Duty(path, left, tuple((name, Literal(bound[name])) for name in read))

    def part(self, path: Path) -> Formula:
        formula = self.formula
        for number in path:
            formula = _inner(formula)[number]
        return formula


@dataclass(frozen=True, slots=True)
class _Here:
    """A position of the trace, and what parts of the formula come to at it."""

    whole: Obligations
    value: Value
    around: Scope

    def of(self, duty: Duty) -> Rest:
        positive = self._is_positive(duty.path)
        return self.demand(duty.path, duty.left, positive, duty.values)

    def demand(self, path: Path, left: int | None, positive: bool, bound: Mapping[str, Value]) -> Rest:
        """Return what a part of the formula, or its opposite, demands from the next position on."""
        formula = self.whole.part(path)
        match formula:
            case Holds(condition):
                return TRUE if holds(condition, self._scope(bound)) is positive else FALSE
            case Not():
                return self._inner(path, 0, not positive, bound)
            case And() | Or():
                both = [self._inner(path, number, positive, bound) for number in (0, 1)]
                return all_of(both) if isinstance(formula, And) is positive else either(both)
            case Implies():
                both = [self._inner(path, 0, not positive, bound), self._inner(path, 1, positive, bound)]
                return either(both) if positive else all_of(both)
            case ForAll() | Exists():
                return self._quantified(formula, path, positive, bound)
            case Next(inner):
                return self._later((*path, 0), _left(inner), bound)
            case _:
                return self._repeated(formula, path, left, positive, bound)

    def _repeated(
        self, formula: Formula, path: Path, left: int | None, positive: bool, bound: Mapping[str, Value]
    ) -> Rest:
        if isinstance(formula, Until):
            hold, goal = (self._inner(path, number, positive, bound) for number in (0, 1))
            again = self._later(path, None, bound)
            return either([goal, all_of([hold, again])]) if positive else all_of([goal, either([hold, again])])
        assert isinstance(formula, Globally | Eventually)
        here = self._inner(path, 0, positive, bound)
        if left == 1:
            return here
        both = [here, self._later(path, None if left is None else left - 1, bound)]
        return all_of(both) if isinstance(formula, Globally) is positive else either(both)

    def _quantified(self, formula: ForAll | Exists, path: Path, positive: bool, bound: Mapping[str, Value]) -> Rest:
        found = elements_of(computed(formula.domain, self._scope(bound)))
        each = [self._inner(path, 0, positive, {**bound, formula.variable: one}) for one in found]
        return all_of(each) if isinstance(formula, ForAll) is positive else either(each)

    def _inner(self, path: Path, number: int, positive: bool, bound: Mapping[str, Value]) -> Rest:
        inside = (*path, number)
        return self.demand(inside, _left(self.whole.part(inside)), positive, bound)

    def _later(self, path: Path, left: int | None, bound: Mapping[str, Value]) -> Rest:
        return frozenset((frozenset((self.whole.duty(path, left, bound),)),))

    def _scope(self, bound: Mapping[str, Value]) -> Scope:
        return replace(self.around, variables={**self.around.variables, **bound, "$0": self.value})

    def _is_positive(self, path: Path) -> bool:
        """Say whether the part at a path must hold, or must not, for the whole to be true."""
        positive, formula = True, self.whole.formula
        for number in path:
            if isinstance(formula, Not) or (isinstance(formula, Implies) and number == 0):
                positive = not positive
            formula = _inner(formula)[number]
        return positive


def either(rests: Iterable[Rest]) -> Rest:
    """Return that one of them holds."""
    return _least(duties for rest in rests for duties in rest)


def all_of(rests: Iterable[Rest]) -> Rest:
    """Return that all of them hold."""
    whole = TRUE
    for rest in rests:
        whole = _least(one | other for one, other in product(whole, rest))
    return whole


def _least(alternatives: Iterable[frozenset[Duty]]) -> Rest:
    """Return the alternatives without those that demand more than another."""
    kept: list[frozenset[Duty]] = []
    for duties in sorted(set(alternatives), key=len):
        if not any(other <= duties for other in kept):
            kept.append(duties)
    return frozenset(kept)


def _left(formula: Formula) -> int | None:
    return formula.within if isinstance(formula, Globally | Eventually) else None


def _inner(formula: Formula) -> tuple[Formula, ...]:
    """Return the parts of a formula in the order that paths count them."""
    match formula:
        case Not(inner) | Next(inner) | Globally(inner, _) | Eventually(inner, _):
            return (inner,)
        case ForAll(formula=inner) | Exists(formula=inner):
            return (inner,)
        case And(left, right) | Or(left, right) | Implies(left, right) | Until(left, right):
            return (left, right)
        case _:
            return ()


def _reads(formula: Formula) -> frozenset[str]:
    """Return the names that conditions and domains in a formula read and that it does not bind itself."""
    match formula:
        case ForAll(variable, domain, inner) | Exists(variable, domain, inner):
            return (_reads(inner) - {variable}) | _names(domain)
        case Holds(condition):
            return _names(condition)
        case _:
            return frozenset().union(*(_reads(inner) for inner in _inner(formula)))


def _names(expression: object) -> frozenset[str]:
    read: set[str] = set()
    for node in walk(expression):
        match node:
            case Variable(name) | IsBound(name) | Field(part=name):
                read.add(name)
    return frozenset(read)
