"""Drop a choice where nothing is left to choose.

    choose latest-start of ((a ; b choose latest-start) within 5 s)   ==>   (a ; b choose latest-start) within 5 s

A restriction or an absence takes matches away, so whatever had one match per end and key below it has one above.
"""

from cepheid.algebra.patterns import Pattern, Select
from cepheid.rewrites.choices import is_chosen


def drop_idle_choice(pattern: Pattern) -> Pattern:
    match pattern:
        case Select(inner, policy) if is_chosen(inner, policy):
            return inner
        case _:
            return pattern
