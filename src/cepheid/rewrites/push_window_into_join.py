"""Make a window a part of the relation of a join.

    (a ; b) within 5 s   ==>   a ; b, where b ends at most 5 s after a starts

Under `all` and `strict` a join keeps whatever stands in its relation. Under `latest-start`, of the candidates that end
together, the one that starts last is the shortest: a window takes away only candidates that it would beat. Under other
choices a candidate that is too long may still be the chosen one, so there the window stays above.
"""

from dataclasses import replace

from cepheid.algebra.intervals import within
from cepheid.algebra.patterns import Join, Pattern, Restrict
from cepheid.algebra.policies import Choice
from cepheid.rewrites import windows
from cepheid.rewrites.order import in_order

_KEEPING = (Choice.ALL, Choice.STRICT, Choice.LATEST_START)


def push_window_into_join(pattern: Pattern) -> Pattern:
    match pattern:
        case Restrict(Join() as join, relation, where) if join.policy.choice in _KEEPING:
            longest, others = windows.split(relation)
            if longest is None:
                return pattern
            window = within(len(join.parts), longest, in_order=in_order(join))
            cut = replace(join, relation=(*join.relation, *window))
            return cut if not others and where is None else replace(pattern, pattern=cut, relation=others)
        case _:
            return pattern
