"""Ask before joining what would be asked afterwards.

    a ; b where b.value > a.value   ==>   a ; b if b.value > a.value

Only under `all`: any other choice is made among the candidates, and fewer candidates are another choice.
"""

from dataclasses import replace

from cepheid.algebra.expressions import conjunction
from cepheid.algebra.patterns import Join, Pattern
from cepheid.algebra.policies import Choice
from cepheid.rewrites.reads import reads_hull


def move_where_into_candidate(pattern: Pattern) -> Pattern:
    match pattern:
        case Join(policy=policy, where=where) if policy.choice is Choice.ALL and where is not None:
            if reads_hull(where):
                return pattern
            conditions = (where,) if pattern.candidate is None else (pattern.candidate, where)
            return replace(pattern, candidate=conjunction(conditions), where=None)
        case _:
            return pattern
