"""Where a window may be asked of the candidates of a choice instead of what was chosen.

    (a then b choose recent) within 5 s   ==   a then b within 5 s choose recent

That holds where the choice never takes a candidate that is too long when another one would fit:

    all, strict    every candidate counts for itself
    latest-start   of those that end together the one that starts last is the shortest
    next           of the right ones after a left one the first ends first, so it makes the shortest match
    recent         the opposite one that ended last must be one that started last: see `Starts`

Never under `chronological`: a pair that is too long uses up its parts, and others have to look further.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Moment
from cepheid.algebra.patterns import Collect, Distinct, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import end, start
from cepheid.analysis.closures.part_order import in_order, is_sequence
from cepheid.analysis.plans.reaches import FREE
from cepheid.analysis.plans.retention import SEQUENCES, is_window, keys_are_one_sided, limits_whole_hull

IsPoint = Callable[[Pattern], bool]
Fixed = frozenset[Expr]

_CANDIDATE: Final = "$candidate"
_SHORTER: Final = Call("-", (Moment(start(_CANDIDATE)), Moment(end(_CANDIDATE))))


class Starts(IntEnum):
    """What is known about the starts of two matches from their ends.

    ANY      nothing
    FOLLOW   the one that ends later starts no earlier
    TOLD     so it is, and those that end together start together
    """

    ANY = 0
    FOLLOW = 1
    TOLD = 2


def takes_windows(join: Join, is_point: IsPoint, fixed: Fixed = frozenset()) -> bool:
    """Say whether a window above a join finds the same as the same window among its candidates.

    `fixed` are expressions of which it sees one value only, beside its own key.
    """
    match join.policy.choice:
        case Choice.ALL | Choice.STRICT | Choice.LATEST_START:
            return True
        case Choice.NEXT:
            return in_order(join)
        case Choice.RECENT:
            opposite = join.parts[:1] if is_sequence(join) else join.parts
            return all(_recent_starts_last(join, part, fixed | _fixed(join), is_point) for part in opposite)
        case Choice.CHRONOLOGICAL:
            return False


def starts_of(pattern: Pattern, is_point: IsPoint, fixed: Fixed = frozenset()) -> Starts:
    """Return what is known about the starts of matches that agree on all that is `fixed`."""
    if is_point(pattern):
        return Starts.TOLD
    match pattern:
        case Select(inner, policy) if set(policy.per) <= fixed:
            return Starts.TOLD if starts_of(inner, is_point, fixed) else Starts.ANY
        case Restrict(inner) | Unless(inner) | Distinct(inner) | Collect(anchor=inner):
            return starts_of(inner, is_point, fixed)
        case Join(policy=policy) if policy.choice not in FREE and _is_plain(pattern) and _agrees(pattern, fixed):
            return _of_join(pattern, is_point, fixed | _fixed(pattern))
        case _:
            return Starts.ANY


def _of_join(join: Join, is_point: IsPoint, fixed: Fixed) -> Starts:
    """Return what is known about pairs of one key; of those in order, the left one starts and the right one ends."""
    left, right = (starts_of(part, is_point, fixed) for part in join.parts)
    match join.policy.choice:
        case Choice.LATEST_START:
            # There is one for each end, and what it was made of is there for later ones as well.
            return Starts.TOLD if right and (left or is_sequence(join)) else Starts.ANY
        case Choice.RECENT if takes_windows(join, is_point, fixed):
            return right if is_sequence(join) else Starts.FOLLOW
        case Choice.NEXT if is_sequence(join):
            # The first right one after a left one is no later than the first after a later left one.
            return min(left, Starts.FOLLOW)
        case _:
            return Starts.ANY


def _recent_starts_last(join: Join, part: Pattern, fixed: Fixed, is_point: IsPoint) -> bool:
    """Say whether of some matches of a part the choice takes one that starts last."""
    known = starts_of(part, is_point, fixed)
    return known is Starts.TOLD or (known is Starts.FOLLOW and join.policy.tie[:1] == (_SHORTER,))


def _is_plain(join: Join) -> bool:
    """Say whether any two parts in order are candidates, but for their key and a window."""
    windows = [difference for difference in join.relation if difference not in SEQUENCES]
    whole = in_order(join) or not windows or limits_whole_hull(windows)
    plain = all(is_window(difference) for difference in windows) and whole
    return plain and join.candidate is None and keys_are_one_sided(join)


def _agrees(join: Join, fixed: Fixed) -> bool:
    """Say whether what is fixed fixes the key under which a join chooses."""
    same = {one for pair in join.equal if not fixed.isdisjoint(pair) for one in pair}
    return all(not fixed.isdisjoint(pair) for pair in join.equal) and set(join.policy.per) <= fixed | same


def _fixed(join: Join) -> Fixed:
    return frozenset((*join.policy.per, *(one for pair in join.equal for one in pair)))
