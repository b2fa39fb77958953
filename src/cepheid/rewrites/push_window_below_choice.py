"""Cut before choosing, which chooses from less.

    (choose latest-start of a) within 5 s   ==>   choose latest-start of (a within 5 s)

Of the matches that end together the one that starts last is the shortest. If it does not fit, none does; if it fits, it
is chosen either way. A choice between branches still sees which branch a match is of.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Either, Pattern, Restrict, Select
from cepheid.algebra.relations import Ticks
from cepheid.rewrites import windows


def push_window_below_choice(pattern: Pattern) -> Pattern:
    match pattern:
        case Restrict(Select(below) as choice, relation, where):
            longest, others = windows.split(relation)
            if longest is None:
                return pattern
            chosen = replace(choice, pattern=_cut(below, longest))
            return chosen if not others and where is None else replace(pattern, pattern=chosen, relation=others)
        case _:
            return pattern


def _cut(below: Pattern, longest: Ticks) -> Pattern:
    if isinstance(below, Either):
        return replace(below, branches=tuple(windows.within(branch, longest) for branch in below.branches))
    return windows.within(below, longest)
