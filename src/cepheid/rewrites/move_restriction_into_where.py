"""Let a join ask by itself what is asked of its matches.

    (a ; b) where b.value > a.value   ==>   a ; b where b.value > a.value

A join's own `where` comes after its choice, as a restriction above it does, so this holds for every choice.
"""

from dataclasses import replace

from cepheid.algebra.expressions import conjunction
from cepheid.algebra.patterns import Join, Pattern, Restrict
from cepheid.rewrites.reads import reads_hull


def move_restriction_into_where(pattern: Pattern) -> Pattern:
    match pattern:
        case Restrict(Join() as join, relation, where) if where is not None and not reads_hull(where):
            conditions = (where,) if join.where is None else (join.where, where)
            asking = replace(join, where=conjunction(conditions))
            return replace(pattern, pattern=asking, where=None) if relation else asking
        case _:
            return pattern
