"""Drop a window that cannot cut anything.

    (((a ; b) within 5 s) unless c) within 9 s   ==>   ((a ; b) within 5 s) unless c

Every match below already fits into the window above.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Pattern, Restrict
from cepheid.rewrites import windows
from cepheid.rewrites.lengths import EventLengths, is_within, longest


def drop_loose_window(pattern: Pattern, lengths: EventLengths) -> Pattern:
    match pattern:
        case Restrict(inner, (), None):
            return inner
        case Restrict(inner, relation, where):
            window, others = windows.split(relation)
            if window is None or window < 0 or not is_within(longest(inner, lengths), window):
                return pattern
            return inner if not others and where is None else replace(pattern, relation=others)
        case _:
            return pattern
