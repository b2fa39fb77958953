"""Drop a window that cannot cut anything.

    (((a ; b) within 5 s) unless c) within 9 s   ==>   ((a ; b) within 5 s) unless c

Every match below already fits into the window above. Right below a choice by latest start the window stays around
alternatives: without it the choice would see the branches and decide ties by them.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Either, Pattern, Restrict
from cepheid.rewrites import windows
from cepheid.rewrites.lengths import EventLengths, is_within, longest


def drop_loose_window(pattern: Pattern, lengths: EventLengths, *, below_choice: bool = False) -> Pattern:
    match pattern:
        case Restrict(Either()) if below_choice:
            return pattern
        case Restrict(inner, (), None):
            return inner
        case Restrict(inner, relation, where):
            window, others = windows.split(relation)
            if window is None or window < 0 or not is_within(longest(inner, lengths), window):
                return pattern
            return inner if not others and where is None else replace(pattern, relation=others)
        case _:
            return pattern
