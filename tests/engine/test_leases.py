"""Leases under which nothing waits any more are dropped together, and freed a few at a time."""

import weakref

from cepheid.engine.direct.leases import AT_ONCE, FEW, Deadlines
from cepheid.engine.direct.waiting_runs import Lease


class Noted(Lease):
    """A lease that can be watched."""

    __slots__ = ("__weakref__",)


def test_dropped_leases_are_freed_a_few_with_each_that_is_added() -> None:
    deadlines, freed = Deadlines(), list[int]()
    for number in range(FEW + 1):
        lease = Noted()
        weakref.finalize(lease, freed.append, number)
        deadlines.add(number, lease)
        del lease
    deadlines.sweep(0)
    assert deadlines.is_empty()
    assert freed == []
    for count in range(1, 4):
        deadlines.add(1000, Lease())
        assert len(freed) == AT_ONCE * count
