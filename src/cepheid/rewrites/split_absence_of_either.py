"""Let each of several absent things be absent by itself.

    a unless (b | c) inside   ==>   (a unless b inside) unless c inside

Neither may occur, whichever is asked first. A choice by latest start among what is absent may go too: for anything that
lies inside a match, what is chosen ends with it and starts no earlier, so it lies inside as well. Where a match has to
wait for what may still come, it would have to wait twice, so there it stays as it is.
"""

from dataclasses import replace

from cepheid.algebra.intervals import inside
from cepheid.algebra.patterns import Either, Pattern, Select, Unless
from cepheid.algebra.programs import HULL


def split_absence_of_either(pattern: Pattern) -> Pattern:
    match pattern:
        case Unless(inner, absent, relation, (), None) if relation == inside("$absent", HULL):
            split: Pattern = inner
            for branch in _branches(absent):
                split = replace(pattern, pattern=split, absent=branch)
            return split
        case _:
            return pattern


def _branches(absent: Pattern) -> tuple[Pattern, ...]:
    match absent:
        case Either(branches):
            return branches
        case Select(Either(branches), policy) if not policy.per:
            return branches
        case _:
            return (absent,)
