"""Look only for what is short enough to be absent.

    (a within 5 s) unless b inside   ==>   (a within 5 s) unless (b within 5 s) inside

Only what lies inside a match can block it, and nothing inside is longer than the match.
"""

from dataclasses import replace

from cepheid.algebra.intervals import inside
from cepheid.algebra.patterns import Pattern, Unless
from cepheid.algebra.programs import HULL
from cepheid.rewrites import windows
from cepheid.rewrites.lengths import EventLengths, is_within, longest


def narrow_absence(pattern: Pattern, lengths: EventLengths) -> Pattern:
    match pattern:
        case Unless(inner, absent) if is_inside(pattern):
            limit = longest(inner, lengths)
            if is_within(longest(absent, lengths), limit) or limit is None:
                return pattern
            return replace(pattern, absent=windows.within(absent, limit))
        case _:
            return pattern


def is_inside(unless: Unless) -> bool:
    """Say whether only what lies inside a match blocks it."""
    return set(inside("$absent", HULL)) <= set(unless.relation)
