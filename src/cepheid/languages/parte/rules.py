"""A rule in the algebra: one join of all that is there, then what is collected and what is absent, in text order."""

from collections.abc import Sequence

from cepheid.algebra.expressions import conjunction
from cepheid.algebra.patterns import Atom, Collect, Instant, Join, Pattern, Restrict, Unless
from cepheid.diagnostics import Span, internal_error
from cepheid.languages.parte.binding import Element
from cepheid.languages.parte.placement import Condition, Placed, beside, placed
from cepheid.languages.parte.syntax import AggregatePattern, EventPattern, InstantPattern, NegatedPattern, WindowLine
from cepheid.languages.parte.variables import TOTAL, Role
from cepheid.languages.parte.windows import difference, relation


def positives(elements: Sequence[Element]) -> list[Element]:
    """Return the patterns that are in every match: events and points of time."""
    return [element for element in elements if element.variable.is_positive]


def base_of(elements: Sequence[Element], lines: Sequence[WindowLine], span: Span) -> Pattern:
    """Return all that is in every match: one part alone, or a join of all."""
    there = positives(elements)
    order = [element.variable.name.name for element in there]
    singles = frozenset(element.variable.name.name for element in there if element.variable.role is Role.EVENT)
    conditions = [one for one in _conditions(elements) if not _totals(one, elements)]
    if len(there) == 1:
        return _alone(there[0], conditions, span)
    apart = placed(conditions, order, singles)
    parts = tuple(_part(element, apart) for element in there)
    lasting = relation(line for line in lines if not line.negated)
    return Join(parts, lasting, apart.equal, where=conjunction(apart.others), span=span)


def pattern_of(elements: Sequence[Element], lines: Sequence[WindowLine], base: Pattern, span: Span) -> Pattern:
    """Return the whole pattern of a rule, around all that is in every match."""
    pattern = base
    for element in elements:
        match element.pattern:
            case NegatedPattern():
                pattern = absence(element, lines, pattern)
            case AggregatePattern():
                pattern = _collected(element, elements, pattern, span)
            case _:
                pass
    return pattern


def absence(element: Element, lines: Sequence[WindowLine], pattern: Pattern) -> Unless:
    """Return a pattern without what one negated pattern forbids."""
    assert isinstance(element.pattern, NegatedPattern)
    name = element.variable.name.name
    apart = beside(element.conditions, name)
    own = relation(line for line in lines if line.negated and line.variable.name == name)
    absent = _atom(element.pattern.pattern, apart)
    return Unless(pattern, absent, own, apart.equal, conjunction(apart.others), span=element.pattern.span)


def _collected(element: Element, elements: Sequence[Element], pattern: Pattern, span: Span) -> Pattern:
    aggregate, fold = element.pattern, element.fold
    assert isinstance(aggregate, AggregatePattern)
    if fold is None:
        raise internal_error("an aggregate computes nothing")
    item = aggregate.item.variable.name
    apart = beside(element.conditions, item)
    collect = Collect(
        element.variable.name.name,
        pattern,
        _atom(aggregate.item, apart),
        (difference(item, aggregate.anchor.name, aggregate.window),),
        apart.equal,
        conjunction(apart.others),
        {TOTAL: fold},
        span=aggregate.span,
    )
    above = [one for one in _conditions(elements) if _totals(one, elements)[-1:] == [element.variable.name.name]]
    where = conjunction(tuple(one.expression for one in above))
    return collect if where is None else Restrict(collect, where=where, span=span)


def _conditions(elements: Sequence[Element]) -> list[Condition]:
    """Return the conditions on what is there, in the order of the text."""
    found: list[Condition] = []
    for element in elements:
        found += element.conditions if element.variable.is_positive else element.above
    return found


def _totals(condition: Condition, elements: Sequence[Element]) -> list[str]:
    """Return the aggregates that a condition reads, in the order of the text."""
    totals = [element.variable.name.name for element in elements if element.variable.role is Role.TOTAL]
    return [name for name in totals if name in condition.reads]


def _alone(element: Element, conditions: Sequence[Condition], span: Span) -> Pattern:
    name = element.variable.name.name
    where = conjunction(tuple(one.expression for one in conditions))
    part = _part(element, Placed({name: tuple(one.expression for one in conditions)}, (), ()))
    return part if isinstance(part, Atom) or where is None else Restrict(part, where=where, span=span)


def _part(element: Element, apart: Placed) -> Pattern:
    match element.pattern:
        case EventPattern():
            return _atom(element.pattern, apart)
        case InstantPattern(variable, schedule, span=span):
            return Instant(variable.name, schedule, span=span)
        case _:
            raise internal_error("something that is not there stands in a join")


def _atom(pattern: EventPattern, apart: Placed) -> Atom:
    name = pattern.variable.name
    return Atom(name, frozenset([pattern.type.name]), apart.where(name), span=pattern.span)
