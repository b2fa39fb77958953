"""Work that is split by the key of a rule finds what one partition finds."""

from collections.abc import Hashable

from hypothesis import assume, given

from cepheid.algebra.matches import same_matches
from cepheid.algebra.semantics import matches
from cepheid.analysis import PartitionKey, partition_key
from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.events import Event, values
from cepheid.testing import Case, Shape
from cepheid.testing.strategies import cases

OFTEN_KEYED = Shape(keyed=95, filters=10, positions=False, depth=2)


def partition_of(key: PartitionKey, event: Event) -> Hashable:
    by_type = dict(key.by_type)
    name = by_type.get(event.type, by_type.get(ANY_TYPE, ""))
    return values.key_of(event.get(name))


@given(cases(OFTEN_KEYED, most_rules=1))
def test_partitions_together_find_what_one_finds(case: Case) -> None:
    program = case.program
    assume(len(program.rules) == 1)
    key = partition_key(program.rules[0])
    assume(key is not None and key.by_type and not key.has_roles and not key.spread)
    assert key is not None
    partitions: dict[Hashable, list[Event]] = {}
    for event in case.trace:
        partitions.setdefault(partition_of(key, event), []).append(event)
    split = [match for events in partitions.values() for match in matches(program, events)]
    assert same_matches(split, matches(program, case.trace))
