"""Make a window a part of the relation of a join.

    (a ; b) within 5 s   ==>   a ; b, where b ends at most 5 s after a starts

Under `all`, `strict`, `latest-start` and, for parts in order, `next`; under `recent` where what ended last has started
last. Under `chronological`, and under `recent` elsewhere, a candidate that is too long may be the chosen one, so there
the window stays above. Why that is so stands in `analysis.choice_windows`.
"""

from dataclasses import replace

from cepheid.algebra.intervals import within
from cepheid.algebra.patterns import Join, Pattern, Restrict
from cepheid.analysis.closures.part_order import in_order
from cepheid.analysis.plans.choice_windows import takes_windows
from cepheid.rewrites import windows
from cepheid.rewrites.lengths import EventLengths, point_test


def push_window_into_join(pattern: Pattern, lengths: EventLengths) -> Pattern:
    match pattern:
        case Restrict(Join() as join, relation, where) if takes_windows(join, point_test(lengths)):
            longest, others = windows.split(relation)
            if longest is None:
                return pattern
            window = within(len(join.parts), longest, in_order=in_order(join))
            cut = replace(join, relation=(*join.relation, *window))
            return cut if not others and where is None else replace(pattern, pattern=cut, relation=others)
        case _:
            return pattern
