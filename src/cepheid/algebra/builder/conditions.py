"""What a term says where a condition is wanted: a distance of two endpoints, an equality of parts, or neither."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cepheid.algebra.builder.distances import relation_of
from cepheid.algebra.builder.names import readable, word_of
from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Call, Expr, Field, IsBound, conjunction, conjuncts
from cepheid.algebra.patterns import Equalities
from cepheid.algebra.relations import Endpoint, Relation
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError, Diagnostic

Conditions: TypeAlias = Term | Sequence[Term]


def terms(conditions: Conditions | None) -> tuple[Term, ...]:
    """Return conditions as terms: none, one or several."""
    if conditions is None:
        return ()
    return (conditions,) if isinstance(conditions, Term) else tuple(conditions)


def all_of(conditions: Iterable[Term], already: Expr | None = None) -> Expr | None:
    """Return the condition that holds when `already` and all of the conditions do."""
    earlier = () if already is None else (already,)
    return conjunction((*earlier, *(_expression(condition) for condition in conditions)))


def distances(conditions: Iterable[Term]) -> Relation:
    """Return conditions as a relation; each must bound the distance of two endpoints."""
    return tuple(difference for condition in conditions for difference in _distances(_expression(condition)))


def equalities(conditions: Iterable[Term]) -> Equalities:
    """Return conditions as equalities across parts; conjunctions are taken apart."""
    single = (part for condition in conditions for part in conjuncts(_expression(condition)))
    return tuple(_equality(condition) for condition in single)


def parts_read(node: object) -> frozenset[str]:
    """Return the names of the parts that an expression reads."""
    return frozenset(_part(item) for item in walk(node) if isinstance(item, Field | Endpoint | IsBound))


def names_asked_for(node: object) -> frozenset[str]:
    """Return the plain names of which an expression asks whether they are bound."""
    asked = (item.name for item in walk(node) if isinstance(item, IsBound))
    return frozenset(name for name in asked if word_of(name) == name)


def _part(item: Field | Endpoint | IsBound) -> str:
    return item.name if isinstance(item, IsBound) else item.part


def _distances(condition: Expr) -> Relation:
    found = relation_of(condition)
    if found is None:
        raise _not_a_difference(condition)
    return found


def _equality(condition: Expr) -> tuple[Expr, Expr]:
    match condition:
        case Call("==", (left, right)):
            one, other = parts_read(left), parts_read(right)
            if one and other and not one & other:
                return left, right
    raise not_an_equality(condition)


def _expression(condition: object) -> Expr:
    if not isinstance(condition, Term):
        raise _not_a_condition(condition)
    return condition.expression


def not_an_equality(condition: Expr) -> CepheidError:
    message = f"`{readable(condition)}` does not equate one part with another"
    hint = "equate fields of two parts, as in `.on(a.user == b.user)`; other conditions go to `.where(b.x > a.x)`"
    return CepheidError(Diagnostic("not-an-equality", message, hints=(hint,)))


def _not_a_difference(condition: Expr) -> CepheidError:
    message = f"`{readable(condition)}` does not bound the distance of two endpoints"
    hint = 'bound one, as in `.relate((b.start - a.end) <= "5 s")`; other conditions go to `.where(b.x > a.x)`'
    return CepheidError(Diagnostic("not-a-difference", message, hints=(hint,)))


def _not_a_condition(condition: object) -> CepheidError:
    hints = ['compare fields, as in `a.user == "ann"`']
    if isinstance(condition, bool):
        hints.append('read a field that has the name of a method as `a["within"]`')
    message = f"a condition was expected and `{condition!r}` was given"
    return CepheidError(Diagnostic("not-a-condition", message, hints=tuple(hints)))
