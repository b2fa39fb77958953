"""Rows of matches come in the order in which matches come out, however a kernel has found them."""

from operator import itemgetter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cepheid.engine.kernels.emitting.match_order import complete_groups, ordered_rows
from tests.kernels.plain_kernels import usually_plain

TIMES = st.lists(st.integers(0, 6), min_size=4, max_size=14).map(sorted)


@given(TIMES, st.integers(1, 4), st.integers(1, 3), st.data())
def test_rows_are_sorted_by_end_start_rule_and_events(
    times: list[int], parts: int, rules: int, data: st.DataObject
) -> None:
    events = st.lists(st.integers(0, len(times) - 1), min_size=parts, max_size=parts, unique=True).map(sorted)
    matches = data.draw(st.lists(st.tuples(events, st.integers(0, rules - 1)), unique_by=str, max_size=40))
    # A kernel finds matches by the event that completes them.
    matches.sort(key=lambda match: match[0][-1])
    numbers = data.draw(st.permutations(range(rules)))
    rows = np.array([[*rows, which] for rows, which in matches], np.int32).reshape(-1, parts + 1).T
    with usually_plain():
        found = ordered_rows(rows if rules > 1 else rows[:-1], parts, np.array(times), numbers[:rules])
    expected = sorted(matches, key=lambda match: (times[match[0][-1]], times[match[0][0]], numbers[match[1]], match[0]))
    assert found[:parts].T.tolist() == [rows for rows, _ in expected]
    if rules > 1:
        assert found[parts].tolist() == [which for _, which in expected]


@given(st.integers(2, 3), st.integers(2, 16))
def test_combinations_from_the_last_events_to_the_first_are_turned(parts: int, count: int) -> None:
    inner: list[tuple[int, ...]] = [(first,) for first in range(count)] if parts == 2 else []
    inner = inner or [(first, between) for between in range(count) for first in range(between)]
    found = [(*rows, count) for rows in sorted(inner, key=itemgetter(*range(parts - 2, -1, -1)), reverse=True)]
    with usually_plain():
        turned = ordered_rows(np.array(found, np.int32).T, parts, np.arange(count + 1), (0,))
    assert turned.T.tolist() == [list(rows) for rows in sorted(found)]


@given(TIMES)
def test_a_group_is_complete_when_another_time_follows(times: list[int]) -> None:
    rows = np.arange(len(times), dtype=np.int32)[None, :]
    assert complete_groups(rows, 1, np.array(times)) == times.index(times[-1])


@given(st.permutations(range(20)), st.integers(13, 20))
def test_many_that_share_no_first_event_are_put_in_order(firsts: list[int], count: int) -> None:
    found = [(first, 20 + place, 60) for place, first in enumerate(firsts[:count])]
    # What comes after so many is not looked at.
    rows = np.array([*found, (59, 59, 61)], np.int32).T
    with usually_plain():
        turned = ordered_rows(rows, 3, np.arange(62), (0,), count)
    assert turned.T.tolist() == [list(rows) for rows in sorted(found)]
