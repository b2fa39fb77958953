"""Cut what may be blocked, rather than what was not.

    (a unless b) within 5 s   ==>   (a within 5 s) unless b

A match is kept or not by its own length and by what is absent from it, in whichever order that is asked.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Pattern, Restrict, Unless


def push_window_into_unless(pattern: Pattern) -> Pattern:
    match pattern:
        case Restrict(Unless(inner) as unless):
            return replace(unless, pattern=replace(pattern, pattern=inner))
        case _:
            return pattern
