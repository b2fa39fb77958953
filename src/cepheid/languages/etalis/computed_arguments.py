"""Arguments of events that are computed: `a(X) SEQ b(X + 1)`.

Such an argument is like a variable that both sides of an operator have: it is an equality of their join, so it comes
before the choice. Where the term reads both sides, it is a condition that pairs must satisfy before one is chosen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.expressions import Call, Expr, Field, conjunction, conjuncts
from cepheid.algebra.patterns import Atom, Equalities, Join, Pattern, Unless
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.classes import Variables
from cepheid.languages.etalis.meaning import Asked, Lowered, Meaning
from cepheid.languages.etalis.walking import variables
from cepheid.languages.shared.findings import refusal

MeaningOf = Callable[[Lowered], Meaning]


@dataclass(frozen=True, slots=True)
class Answers:
    """What becomes of computed arguments where two sides meet; `asked` are those that wait for further variables."""

    equal: Equalities = ()
    candidate: tuple[Expr, ...] = ()
    asked: tuple[Asked, ...] = ()


def asked_of_itself(atom: Lowered, asked: tuple[Asked, ...], meaning: MeaningOf) -> Lowered:
    """Return an event whose computed arguments are conditions on it, where it binds their variables itself."""
    assert isinstance(atom.pattern, Atom)
    own = [one for one in asked if _reads_only(one, atom.bound)]
    conditions = tuple(Call("==", (one.attribute, meaning(atom).of(one.term))) for one in own)
    where = conjunction((*conjuncts(atom.pattern.where), *conditions))
    others = tuple(one for one in asked if one not in own)
    return replace(atom, pattern=replace(atom.pattern, where=where), asked=others)


def answers_of(left: Lowered, right: Lowered, meaning: MeaningOf) -> Answers:
    """Return what the computed arguments of two sides mean for their join."""
    equal: list[tuple[Expr, Expr]] = []
    candidate: list[Expr] = []
    waiting: list[Asked] = []
    both = replace(left, bound={**right.bound, **left.bound})
    for own, other in ((left, right), (right, left)):
        for one in own.asked:
            if _reads_only(one, other.bound):
                pair = (one.attribute, meaning(other).of(one.term))
                equal.append(pair if own is left else pair[::-1])
            elif _reads_only(one, both.bound):
                candidate.append(Call("==", (one.attribute, meaning(both).of(one.term))))
            else:
                waiting.append(one)
    return Answers(tuple(equal), tuple(candidate), tuple(waiting))


def answers_of_absence(pair: Lowered, absent: Lowered, meaning: MeaningOf) -> Equalities:
    """Return what the computed arguments of something absent must equal; all they read is bound around it."""
    for one in absent.asked:
        if not _reads_only(one, pair.bound):
            raise _out_of_reach(one, pair.bound, "by the events around what is absent")
    return tuple((meaning(pair).of(one.term), one.attribute) for one in absent.asked)


def refuse_asked(patterns: Sequence[Lowered], place: str) -> None:
    """Raise where something is computed of a variable that is bound outside of alternatives or of a repetition."""
    for pattern in patterns:
        for one in pattern.asked:
            raise _out_of_reach(one, pattern.bound, place)


def _out_of_reach(one: Asked, bound: Mapping[str, Expr], place: str) -> CepheidError:
    name = next(name.name for name in variables(one.term) if name.name not in bound)
    message, label = f"this is computed of `{name}`, which is not bound {place}", "computed here"
    return refusal("unbound-variable", message, one.term.span, label, f"bind it there: `a({name})`")


def computed_in(pattern: Pattern, known: Variables) -> Mapping[Field, Expr]:
    """Return the attributes of events that must equal something computed of other events."""
    pairs = [pair for one, other in _equated(pattern) for pair in ((one, other), (other, one))]
    return {
        attribute: value
        for attribute, value in pairs
        if isinstance(attribute, Field) and known.slots(attribute) and not known.slots(value)
    }


def _equated(pattern: Pattern) -> Iterator[tuple[Expr, Expr]]:
    for node in walk(pattern):
        if isinstance(node, Join | Unless):
            yield from node.equal
        for condition in conjuncts(node.candidate) if isinstance(node, Join) else ():
            if isinstance(condition, Call) and condition.function == "==":
                one, other = condition.arguments
                yield one, other


def _reads_only(one: Asked, bound: Mapping[str, Expr]) -> bool:
    return all(name.name in bound for name in variables(one.term))
