"""The order in which matches come out: by when they are known, their end, their start, their rule and their evidence.

Rules stand as they are written, and no name or hash decides; only what is alike in all of that is told apart by its id.
"""

from collections import Counter
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
    """Return matches of a plan in the order in which they come out; most stand in it already."""
    if not found:
        return []
    first = found[0]
    name, end, known, start = first.name, first.end, first.known, None
    for match in found:
        if (
            match.end != end
            or match.known != known
            or match.name != name
            or (start is not None and match.start <= start)
        ):
            return _sorted(found, rule_numbers(plan))
        start = match.start
    return list(found)


def _sorted(found: Sequence[Match], numbers: Mapping[str, int]) -> list[Match]:
    def place(match: Match) -> tuple[int, int, int, int]:
        known = MAX_TIME if match.known is None else match.known
        return (known, match.end, match.start, numbers[match.name])

    if len(set(map(place, found))) == len(found):
        return sorted(found, key=place)
    keys = [(place(match), tuple(map(id_key, match.evidence))) for match in found]
    alike = Counter(keys)
    # An id takes longer to work out than all else, and nearly none is asked for.
    order = sorted(range(len(found)), key=lambda one: (keys[one], found[one].id if alike[keys[one]] > 1 else ""))
    return [found[one] for one in order]
