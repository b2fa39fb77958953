"""Rules that tell the positions of their events: where they are detected per key, every key has a count of its own.

What only compares the positions of records with each other tells none. A key that rests has no record to compare with,
so that it may begin to count anew.
"""

from collections.abc import Iterator

from cepheid.algebra.expressions import Call, Literal, Moment, Variable
from cepheid.algebra.patterns import Skip, Step
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Axis
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.sequence_chains import FIRST, PLACE
from cepheid.algebra.traversal import children


@ByIdentity
def tells_positions(rule: Rule) -> bool:
    """Say whether a rule tells positions, so that a key goes on counting its records after a rest."""
    return any(isinstance(node, Moment) and node.endpoint.axis is Axis.POSITION for node in _told(rule))


def _told(root: object) -> Iterator[object]:
    """Yield all nodes but those that compare positions with each other alone."""
    ahead = [root]
    while ahead:
        node = ahead.pop()
        yield node
        match node:
            case Skip(pattern, to, per) if _is_near_a_record(to):
                ahead += [pattern, *per]
            case Step():
                kept = [value for name, value in node.lets.items() if not name.endswith((FIRST, PLACE))]
                ahead += [node.lead, node.avoid, *kept]
            case Call("==", (Moment(), Call("+", (Variable(name), Literal())))) if name.endswith(PLACE):
                continue
            case _:
                ahead += children(node)


def _is_near_a_record(to: object) -> bool:
    match to:
        case Moment() | Variable() | Call("+", (Moment(), Literal())):
            return True
        case _:
            return False
