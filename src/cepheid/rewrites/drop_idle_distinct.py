"""Do not merge what is different already.

    distinct (distinct a)   ==>   distinct a
    distinct (choose latest-start of a)   ==>   choose latest-start of a

Matches chosen by latest start, without a key, all end at different times.
"""

from cepheid.algebra.patterns import Distinct, Pattern, Restrict, Unless
from cepheid.algebra.policies import LATEST_START
from cepheid.rewrites.choices import is_chosen


def drop_idle_distinct(pattern: Pattern) -> Pattern:
    match pattern:
        case Distinct(inner, None) if is_chosen(inner, LATEST_START) or _is_merged(inner):
            return inner
        case _:
            return pattern


def _is_merged(pattern: Pattern) -> bool:
    match pattern:
        case Distinct(by=None):
            return True
        case Restrict(inner) | Unless(inner):
            return _is_merged(inner)
        case _:
            return False
