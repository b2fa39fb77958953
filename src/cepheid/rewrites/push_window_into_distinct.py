"""Cut before merging, which merges less.

    (distinct (a ; b)) within 5 s   ==>   distinct ((a ; b) within 5 s)

What is merged has one start and one end, so all of it fits the window or nothing does. Where matches are told apart by
what they say, the first one may be too long and still stand for a shorter one, so there the window stays above.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Distinct, Pattern, Restrict
from cepheid.rewrites import windows


def push_window_into_distinct(pattern: Pattern) -> Pattern:
    match pattern:
        case Restrict(Distinct(inner, None) as merged, relation, where):
            longest, others = windows.split(relation)
            if longest is None:
                return pattern
            cut = replace(merged, pattern=windows.within(inner, longest))
            return cut if not others and where is None else replace(pattern, pattern=cut, relation=others)
        case _:
            return pattern
