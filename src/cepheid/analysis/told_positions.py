"""Rules that tell the positions of their events: where they are detected per key, every key has a count of its own."""

from cepheid.algebra.expressions import Moment
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import Axis
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import walk


@ByIdentity
def tells_positions(rule: Rule) -> bool:
    """Say whether a rule tells positions, so that a key goes on counting its records after a rest."""
    return any(isinstance(node, Moment) and node.endpoint.axis is Axis.POSITION for node in walk(rule))
