"""A program whose events come one after the other, also those of one time, in the words that all tiers read.

    b.start - a.end >= 1                     b comes after a, in the order of arrival
    0 <= b.start - a.start <= 5 s            b does not come before a; and b.start - a.start <= 5 s

A bound of no time or of one tick says only what comes first, so it asks for the order of arrival. All other bounds are
spans, windows of no length too, and these are measured in time. Choices compare starts and ends by arrival. So every
input event is an instant of its own; where no two have the same time, nothing changes.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Collect, Join, Repeat, Restrict, Select, Unless
from cepheid.algebra.programs import Program, Ties
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import transform


@ByIdentity
def ordered(program: Program) -> Program:
    """Return a program in which the order of arrival is said wherever it counts."""
    return transform(program, _by_arrival) if program.ties is Ties.ARRIVAL else program


def _by_arrival(node: object) -> object:
    match node:
        case Join():
            policy = replace(node.policy, by_arrival=True)
            return replace(node, relation=_compared(node.relation), policy=policy)
        case Select():
            return replace(node, policy=replace(node.policy, by_arrival=True))
        case Unless() | Collect() | Restrict():
            return replace(node, relation=_compared(node.relation))
        case Repeat():
            return replace(node, gap=_compared(node.gap))
        case _:
            return node


def _compared(relation: Relation) -> Relation:
    return tuple(one for difference in relation for one in _split(difference))


def _split(difference: Difference) -> Relation:
    """Return a difference in time as what it says about arrivals, and what it says about a span."""
    later, earlier, low, high = difference.later, difference.earlier, difference.low, difference.high
    if {later.axis, earlier.axis} != {Axis.TIME} or later.part == earlier.part or low == high:
        return (difference,)
    found = []
    if low in (0, 1):
        found.append(Difference(_arrival(later), _arrival(earlier), low))
        low = None
    if high == -1 or (high == 0 and not is_length(difference)):
        found.append(Difference(_arrival(earlier), _arrival(later), -high))
        high = None
    spans = low is not None or high is not None
    return (*found, Difference(later, earlier, low, high)) if spans else tuple(found)


def is_length(difference: Difference) -> bool:
    """Say whether a difference is from a start to an end, as windows are: with no time between, all is at one time."""
    return (difference.earlier.edge, difference.later.edge) == (Edge.START, Edge.END)


def _arrival(endpoint: Endpoint) -> Endpoint:
    return replace(endpoint, axis=Axis.ARRIVAL)
