"""Cut every branch instead of all of them together.

    (a | b) within 5 s   ==>   (a within 5 s) | (b within 5 s)

A choice by latest start right above would then see the branches, which it does not now, and decide ties by them; so
there the window stays.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Either, Pattern, Restrict
from cepheid.rewrites import windows


def push_window_into_either(pattern: Pattern, *, below_choice: bool) -> Pattern:
    match pattern:
        case Restrict(Either(branches) as either, relation, None) if not below_choice:
            longest, others = windows.split(relation)
            if longest is None or others:
                return pattern
            return replace(either, branches=tuple(windows.within(branch, longest) for branch in branches))
        case _:
            return pattern
