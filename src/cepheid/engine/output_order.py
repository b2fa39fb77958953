"""The order in which matches come out: by when they are known, their end, their start, their rule and their evidence.

Rules stand as they are written, and no name or hash decides; only what is alike in all of that is told apart by its id.
"""

from collections.abc import Mapping, Sequence

from cepheid.algebra.matches import Match
from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis import Plan
from cepheid.events import MAX_TIME, id_key


@ByIdentity
def rule_numbers(plan: Plan) -> Mapping[str, int]:
    """Return the place of every rule of a plan among all rules as they are written."""
    return {rule.rule.name: rule.number for rule in plan.rules}


def in_output_order(found: Sequence[Match], plan: Plan) -> list[Match]:
    """Return matches of a plan in the order in which they come out."""
    if _started_in_turn(found):
        return list(found)
    numbers = rule_numbers(plan)

    def place(match: Match) -> tuple[int, int, int, int]:
        known = MAX_TIME if match.known is None else match.known
        return (known, match.end, match.start, numbers[match.name])

    if len(set(map(place, found))) == len(found):
        return sorted(found, key=place)
    return sorted(found, key=lambda match: (place(match), tuple(map(id_key, match.evidence)), match.id))


def _started_in_turn(found: Sequence[Match]) -> bool:
    """Say whether matches of one rule end and are known together, and each started after the one before it."""
    name, end, known, start = None, None, None, None
    for match in found:
        if start is None:
            name, end, known = match.name, match.end, match.known
        elif match.start <= start or (match.end, match.known, match.name) != (end, known, name):
            return False
        start = match.start
    return True
