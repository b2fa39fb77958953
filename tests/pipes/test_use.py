"""How processors are used: operators, running copies, contexts, pulling, and what is refused."""

import copy
import math
import pickle
from itertools import count

import pytest

from cepheid import CepheidError
from cepheid import pipes as p


def test_operators_stand_for_functions_at_every_position() -> None:
    assert (3 - p.passthrough()).run([1, 2]) == [2, 1]
    assert (p.passthrough() * p.trim(1)).run([1, 2, 3]) == [2, 6]
    assert ((p.passthrough() > 1) & ~(p.passthrough() == 3)).run([1, 2, 3]) == [False, True, False]
    assert (7 // p.passthrough() % 2).run([2, 7]) == [1, 1]
    with pytest.raises(CepheidError, match="is not true or false"):
        bool(p.passthrough())


def test_three_truth_values() -> None:
    assert p.apply(p.x & p.y).run([None, None, True], [False, True, True]) == [False, None, True]
    assert p.apply(p.x | p.y).run([None, None], [True, False]) == [True, None]


def test_functions_know_where_a_cumulation_starts() -> None:
    folds = (p.add, p.subtract, p.multiply, p.divide, p.minimum, p.maximum)
    assert [p.cumulate(one).run([2, 4]) for one in folds] == [[2, 6], [-2, -6], [2, 8], [0.5, 0.125], [2, 2], [2, 4]]
    assert [p.cumulate(one).run([True, False]) for one in (p.and_, p.or_)] == [[True, False], [True, True]]
    assert p.cumulate(p.minimum, 1).run([2, 0]) == [1, 0]
    with pytest.raises(CepheidError, match="starts with nothing"):
        p.cumulate(lambda total, value: total or value)


def test_events_are_any_objects() -> None:
    assert p.apply(p.x == frozenset({1})).run([frozenset({1}), 3]) == [True, False]
    assert p.apply(p.field("imag")).run([3 + 4j]) == [4.0]
    assert p.slice(p.x[0], p.turn_into(1), "set").run([(1,), [2]]) == [{1}, {1}]
    assert p.apply(p.number).run(["12", "1.5", "x", 3]) == [12, 1.5, None, 3]
    assert p.apply(abs(p.x) ** 2, p.function("sqrt")(p.x)).run([4.0]) == ([16.0], [2.0])
    assert p.apply(p.record_of(a=p.x, b=p.y)).run([1], [2]) == [{"a": 1, "b": 2}]


def test_several_outputs() -> None:
    both = p.fork(2) | p.beside(p.trim(1), p.passthrough())
    assert both.run([1, 2, 3]) == ([2, 3], [1, 2, 3])
    running = both.start(allow_unbounded=True)
    assert [running.push(1), running.push(2), running.end()] == [([], [1]), ([2], [2]), ([], [])]
    assert list(both.pull([1, 2, 3])) == [(2, 1), (3, 2)]
    assert list(both.pull([1, 2, 3], output=1)) == [1, 2, 3]
    first, second = both.pulls([1, 2, 3])
    assert (next(second), next(first), list(second), list(first)) == (1, 2, [2, 3], [3])


def test_pulling_hard_and_soft() -> None:
    pullable = p.trim(2).pull([1, 2, 3])
    assert pullable.has_next_soft() == "maybe"
    assert pullable.soft() is p.NOTHING
    assert pullable.has_next_soft() == "yes"
    assert pullable.has_next()
    assert pullable.soft() == 3
    assert (pullable.has_next_soft(), pullable.has_next(), pullable.soft()) == ("no", False, p.NOTHING)


def test_pulling_takes_no_more_than_it_needs() -> None:
    numbers = count()
    pullable = p.decimate(3).pull(numbers)
    assert [next(pullable), next(pullable)] == [0, 3]
    assert next(numbers) == 4
    assert list((p.constant(1) | p.cumulate(p.add) | p.prefix(3)).pull()) == [1, 2, 3]


def test_a_context_is_read_changed_and_sliced_on() -> None:
    above = p.where(p.x > p.context("limit")).context(limit=2)
    running = above.start(allow_unbounded=True)
    assert [running.push(3), running.push(1)] == [[3], []]
    other = running.copy()
    running.set("limit", 0)
    assert (running.push(1), other.push(1)) == ([1], [])
    rooms = p.slice(p.context("room"), p.cumulate(p.add)).start(allow_unbounded=True)
    rooms.set("room", "a")
    rooms.push(1)
    rooms.set("room", "b")
    assert rooms.push(2) == [{"a": 1, "b": 2}]
    inner = p.window(p.apply(p.x * p.context("factor")), 1).context(factor=10).start(allow_unbounded=True)
    assert inner.push(1) == [10]
    inner.set("factor", 3)
    assert inner.push(1) == inner.copy(state=False).push(1) == [3]


def test_a_context_inside_hides_one_outside() -> None:
    scaled = p.apply(p.x * p.context("n"))
    assert (scaled.context(n=2) | scaled).context(n=5).run([1]) == [10]


def test_what_cannot_run_is_refused() -> None:
    with pytest.raises(CepheidError, match="has 2 outputs"):
        _ = p.fork(2) | p.freeze()
    with pytest.raises(CepheidError, match="different numbers of inputs"):
        p.fan(p.freeze(), p.pack())
    with pytest.raises(CepheidError, match="is no processor"):
        _ = p.freeze() | len  # type: ignore[operator]  # that is what is refused
    with pytest.raises(CepheidError, match="there are 2 traces"):
        p.freeze().run([1], [2])
    with pytest.raises(CepheidError, match="has no end"):
        p.constant(1).run()
    with pytest.raises(CepheidError, match="there is no input 1"):
        p.freeze().start(allow_unbounded=True).push(1, at=1)
    with pytest.raises(CepheidError, match="reads 2 inputs"):
        p.where(p.x > p.y)
    with pytest.raises(CepheidError, match="write 1 or more"):
        p.decimate(0)
    with pytest.raises(CepheidError, match="runs a processor of 1 input and 1 output"):
        p.window(p.pack(), 3)
    running = p.freeze().start(allow_unbounded=True)
    assert running.end() == running.end() == []
    with pytest.raises(CepheidError, match="have ended"):
        running.push(1)


def test_a_step_that_gives_no_list_is_refused() -> None:
    @p.processor()
    def wrong(state: object, value: object) -> tuple[object, object]:
        return state, value

    with pytest.raises(CepheidError, match="a step returns"):
        wrong.run([1])


def test_keys_of_slices() -> None:
    nan = float("nan")
    assert p.slice(p.x, p.cumulate(p.add)).run([nan, math.nan])[-1].keys() == {math.nan}
    with pytest.raises(CepheidError, match="cannot be the key of a slice"):
        p.slice(p.x, p.freeze()).run([{"a": 1}])
    with pytest.raises(CepheidError, match="cannot be in a set"):
        p.slice(1, p.freeze(), "set").run([[1]])


def test_there_is_one_nothing_in_every_process() -> None:
    """A processor that is sent elsewhere starts its cumulations with the first value there, too."""
    assert pickle.loads(pickle.dumps(p.NOTHING)) is p.NOTHING
    assert copy.deepcopy(p.NOTHING) is p.NOTHING
    assert pickle.loads(pickle.dumps(p.cumulate(p.maximum))).run([2, 1, 3]) == [2, 2, 3]
