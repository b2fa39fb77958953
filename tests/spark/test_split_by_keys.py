"""What is found under each value of a key alone is what is found in all events together."""

from collections.abc import Hashable, Sequence

import pytest

from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.events import Event, values
from cepheid.spark.lanes import Lane, Route
from cepheid.spark.places import Row
from cepheid.testing import random_case
from tests.spark.placed import found, lanes, told

TOGETHER = 100


def _split(lane: Lane, events: Sequence[Event]) -> list[Row]:
    assert lane.key is not None
    by_key: dict[Hashable, list[Event]] = {}
    for event in events:
        (name,) = lane.key.get(event.type, lane.key.get(ANY_TYPE, ("",)))
        key = values.key_of(event.fields.get(name))
        assert isinstance(key, Hashable)
        by_key.setdefault(key, []).append(event)
    return [row for some in by_key.values() for row in found(lane, some)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 800, TOGETHER))
def test_keys_have_their_matches_for_themselves(first: int) -> None:
    keyed = 0
    for seed in range(first, first + TOGETHER):
        case = random_case(seed)
        for lane in lanes(case):
            if lane.key is not None and not Route(0, (lane,), lane.key).multiplies:
                keyed += 1
                assert told(_split(lane, case.trace)) == told(found(lane, case.trace)), seed
    assert keyed > TOGETHER / 20
