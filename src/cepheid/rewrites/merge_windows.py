"""Make one restriction of two.

    (a within 5 s) within 9 s   ==>   a within 5 s

Both are conditions on the same matches, so they can be asked at once; of two windows the shorter one decides.
"""

from dataclasses import replace

from cepheid.algebra.expressions import conjunction
from cepheid.algebra.patterns import Pattern, Restrict
from cepheid.rewrites import windows
from cepheid.rewrites.lengths import shorter


def merge_windows(pattern: Pattern) -> Pattern:
    match pattern:
        case Restrict(Restrict() as inner):
            outer_window, outer_others = windows.split(pattern.relation)
            inner_window, inner_others = windows.split(inner.relation)
            longest = shorter([inner_window, outer_window])
            relation = (*(windows.window(longest) if longest is not None else ()), *inner_others, *outer_others)
            conditions = tuple(where for where in (inner.where, pattern.where) if where is not None)
            return replace(pattern, pattern=inner.pattern, relation=relation, where=conjunction(conditions))
        case _:
            return pattern
