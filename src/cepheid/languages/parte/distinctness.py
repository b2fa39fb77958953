"""A remark on variables that one event could bind together, since nothing says that they differ.

An event stays available to every pattern, so without a condition one transfer can be both the incoming and the outgoing
one, and an absent event can be one that is there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cepheid.algebra.expressions import Call, Expr, Field, Moment
from cepheid.algebra.patterns import Atom, Join, Pattern, Unless
from cepheid.analysis.closures.facts import facts_about
from cepheid.analysis.closures.tree import Path
from cepheid.diagnostics import Diagnostic, Label
from cepheid.languages.parte.binding import Element
from cepheid.languages.parte.certainty import POINTS, Between, between
from cepheid.languages.parte.rules import absence, positives
from cepheid.languages.parte.syntax import AggregatePattern, NegatedPattern, WindowLine
from cepheid.languages.parte.variables import TIMESTAMP
from cepheid.languages.parte.windows import difference
from cepheid.languages.shared.findings import warning
from cepheid.languages.shared.names import shown_name
from cepheid.languages.shared.terms import Name


@dataclass(frozen=True, slots=True)
class Pair:
    """Two variables of one template, the second bound later."""

    first: Element
    second: Element

    @property
    def names(self) -> tuple[str, str]:
        return self.first.variable.name.name, self.later.name

    @property
    def later(self) -> Name:
        """The second variable; of an aggregate, that of its events."""
        pattern = self.second.pattern
        return pattern.item.variable if isinstance(pattern, AggregatePattern) else self.second.variable.name


def same_event_twice(elements: Sequence[Element], lines: Sequence[WindowLine], base: Pattern) -> Iterator[Diagnostic]:
    """Yield a warning for every two variables that one event could bind together."""
    conditions = [one.expression for element in elements for one in (*element.conditions, *element.above)]
    for pair, apart in (*_present(elements, base), *_beside(elements, lines, base)):
        low, high = apart
        meet = (low is None or low <= 0) and (high is None or high >= 0)
        if meet and _alike(pair) and not any(_differs(condition, *pair.names) for condition in conditions):
            yield _remark(pair, conditions)


def _present(elements: Sequence[Element], base: Pattern) -> Iterator[tuple[Pair, Between]]:
    """Yield every two variables that are there, with how far apart they can be."""
    facts = facts_about(base, POINTS)
    for (first, one), (second, other) in combinations(enumerate(positives(elements)), 2):
        yield Pair(one, other), between(facts, (second,), (first,))


def _beside(elements: Sequence[Element], lines: Sequence[WindowLine], base: Pattern) -> Iterator[tuple[Pair, Between]]:
    """Yield every variable that is there with every absent or collected one, and how far apart they could be."""
    for other in elements:
        match other.pattern:
            case NegatedPattern():
                probe = absence(other, lines, base)
            case AggregatePattern(item=item, anchor=anchor, window=window):
                away = difference(item.variable.name, anchor.name, window)
                probe = Unless(base, Atom(item.variable.name, frozenset([item.type.name])), (away,))
            case _:
                continue
        facts = facts_about(probe, POINTS, beside=())
        for number, one in enumerate(positives(elements)):
            place: Path = (0, number) if isinstance(base, Join) else (0,)
            yield Pair(one, other), between(facts, (1,), place)


def _alike(pair: Pair) -> bool:
    one, other = pair.first.event, pair.second.event
    return one is not None and other is not None and one.type.name == other.type.name


def _differs(condition: Expr, one: str, other: str) -> bool:
    """Say whether a condition is false for any event on both sides."""
    match condition:
        case Call("!=" | "<" | ">", (Field(left, attribute), Field(right, same))) if attribute == same:
            return {left, right} == {one, other}
        case Call("!=" | "<" | ">", (Moment(left_end), Moment(right_end))):
            return {left_end.part, right_end.part} == {one, other}
        case _:
            return False


def _remark(pair: Pair, conditions: Sequence[Expr]) -> Diagnostic:
    one, other = pair.names
    match pair.second.pattern:
        case NegatedPattern():
            message = f"`{one}` itself can be the `{other}` that must be absent"
        case AggregatePattern():
            message = f"`{one}` itself can be among the `{other}` of `{pair.second.variable.name.name}`"
        case _:
            message = f"one event can be both `{one}` and `{other}`"
    others = (Label(pair.first.variable.name.span, "the same template"),)
    label = "nothing says that they differ"
    return warning("same-event-twice", message, pair.later.span, label, _hint(pair, conditions), others=others)


def _hint(pair: Pair, conditions: Sequence[Expr]) -> str:
    """Return a condition that tells the two apart and does not contradict the others."""
    equal = {name for condition in conditions for name in _equated(condition, *pair.names)}
    slots = [name for name in pair.first.variable.slots if name not in equal]
    slot = shown_name("id" if "id" in slots else next(iter(slots), TIMESTAMP))
    return f"add `{slot} != {shown_name(pair.names[0])}.{slot}` to the pattern of `{pair.names[1]}`"


def _equated(condition: Expr, one: str, other: str) -> Iterator[str]:
    match condition:
        case Call("==", (Field(left, attribute), Field(right, same))) if attribute == same and {left, right} == {
            one,
            other,
        }:
            yield attribute
