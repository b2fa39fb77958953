"""What a temporal formula says about a position of a trace of which only a prefix has been seen.

    always(a)   at 0 of   a a b      false: the third value has refuted it
    finally(b)  at 0 of   a a        unknown: a `b` may still come

A verdict is true, false or null, and null means that it depends on what comes next. So whatever lies beyond the seen
values is null, the connectives are Kleene's, and a verdict that is true or false stays so however the trace goes on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cepheid.algebra.evaluation import Scope, computed, holds
from cepheid.algebra.expressions import Expr
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
from cepheid.events import Value, values

Known = bool | None


def verdict(formula: Formula, seen: Sequence[Value], position: int, scope: Scope) -> Known:
    """Return what the values `seen` so far say about `formula` at `position`.

    >>> from cepheid.algebra.expressions import Call, Literal, Variable
    >>> is_b = Holds(Call("==", (Variable("$0"), Literal("b"))))
    >>> verdict(Eventually(is_b), ["a", "c", "b"], 0, Scope()), verdict(Globally(is_b), ["b", "c"], 0, Scope())
    (True, False)
    >>> verdict(Eventually(is_b), ["a", "c"], 0, Scope()) is None
    True
    """
    match formula:
        case Holds(condition):
            return _condition(condition, seen, position, scope)
        case Not(inner):
            return values.not_(verdict(inner, seen, position, scope))
        case And(left, right):
            return values.and_(verdict(left, seen, position, scope), verdict(right, seen, position, scope))
        case Or(left, right):
            return values.or_(verdict(left, seen, position, scope), verdict(right, seen, position, scope))
        case Implies(left, right):
            return verdict(Or(Not(left), right), seen, position, scope)
        case ForAll() | Exists():
            return _quantified(formula, seen, position, scope)
        case _:
            return _later(formula, seen, position, scope)


def _later(formula: Formula, seen: Sequence[Value], position: int, scope: Scope) -> Known:
    """Return the verdict of a formula that speaks about positions after this one."""
    match formula:
        case Next(inner):
            return verdict(inner, seen, position + 1, scope)
        case Globally(inner, within):
            return _all(_along(inner, seen, position, within, scope))
        case Eventually(inner, within):
            return _any(_along(inner, seen, position, within, scope))
        case Until(hold, goal):
            return _until(hold, goal, seen, position, scope)
        case _:
            raise AssertionError(f"not a formula: {formula!r}")


def _condition(condition: Expr, seen: Sequence[Value], position: int, scope: Scope) -> Known:
    if position >= len(seen):
        return None
    return holds(condition, _here(seen, position, scope))


def _along(formula: Formula, seen: Sequence[Value], position: int, within: int | None, scope: Scope) -> list[Known]:
    """Return the verdicts of `formula` from `position` on, up to `within` of them or to what is unknown for ever."""
    last = max(position, len(seen)) if within is None else position + within - 1
    return [verdict(formula, seen, index, scope) for index in range(position, last + 1)]


def _until(hold: Formula, goal: Formula, seen: Sequence[Value], position: int, scope: Scope) -> Known:
    """Return the verdict by the law `hold until goal  ==  goal or (hold and next (hold until goal))`."""
    result: Known = None
    for index in range(len(seen) - 1, position - 1, -1):
        goes_on = values.and_(verdict(hold, seen, index, scope), result)
        result = values.or_(verdict(goal, seen, index, scope), goes_on)
    return result


def _quantified(formula: ForAll | Exists, seen: Sequence[Value], position: int, scope: Scope) -> Known:
    if position >= len(seen):
        return None
    elements = elements_of(computed(formula.domain, _here(seen, position, scope)))
    scopes = [_bound(scope, formula.variable, element) for element in elements]
    verdicts = [verdict(formula.formula, seen, position, inner) for inner in scopes]
    return _all(verdicts) if isinstance(formula, ForAll) else _any(verdicts)


def elements_of(domain: Value) -> tuple[Value, ...]:
    """Return what a quantifier ranges over: nothing for null, and what is no collection is one element."""
    if domain is None:
        return ()
    return tuple(domain) if isinstance(domain, tuple | list | set | frozenset) else (domain,)


def _here(seen: Sequence[Value], position: int, scope: Scope) -> Scope:
    return _bound(scope, "$0", seen[position])


def _bound(scope: Scope, name: str, value: Value) -> Scope:
    return replace(scope, variables={**scope.variables, name: value})


def _all(verdicts: Iterable[Known]) -> Known:
    result: Known = True
    for known in verdicts:
        result = values.and_(result, known)
    return result


def _any(verdicts: Iterable[Known]) -> Known:
    result: Known = False
    for known in verdicts:
        result = values.or_(result, known)
    return result
