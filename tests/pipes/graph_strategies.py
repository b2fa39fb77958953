"""Random processors over numbers, and random traces."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

import cepheid as c
from cepheid import CepheidError
from cepheid import pipes as p

Thing = object
numbers = st.one_of(st.integers(-4, 4), st.sampled_from([0.5, -1.5, 0.1, 2.0, 1e16]), st.none())
values = st.one_of(numbers, st.sampled_from(["a", True, False, (1, 2), [3, 1]]))
traces = st.lists(values, max_size=12)


def _odd(value: object) -> object:
    return value % 2 == 1 if isinstance(value, int) else None


def _pair(left: object, right: object) -> object:
    return (left, right)


functions = st.sampled_from(
    [
        p.x,
        p.x + 1,
        p.x * 0.1,
        p.x - p.x * 2,
        p.x / 3,
        p.x // 2,
        p.x % 2,
        abs(p.x),
        -p.x,
        p.if_(p.x > 0, p.x, None),
        p.list_of(p.x, 1),
        p.x[0],
        p.function("coalesce")(p.x, 7),
        p.number,
        str,
        lambda value: value,
        5,
    ]
)
conditions = st.sampled_from(
    [p.x > 0, p.x == 1, p.x != 2, (p.x > 0) & (p.x < 3), (p.x <= 0) | (p.x >= 2), ~(p.x > 1), _odd, True]
)
folds = st.sampled_from([p.add, p.subtract, p.multiply, p.divide, p.minimum, p.maximum, p.and_, p.or_])
keys = st.sampled_from([p.x % 2, p.x > 0, p.if_(p.x == 0, "#", p.x % 3), lambda value: type(value).__name__])


@p.processor(initial=0)
def _counted(count: int, value: object) -> tuple[int, list[object]]:
    return count + 1, [value] * (count % 3)


@p.processor(inputs=2, outputs=2, initial=(), keeps=2)
def _swapped(
    last: tuple[object, ...], left: object, right: object
) -> tuple[tuple[object, ...], list[tuple[object, ...]]]:
    return (left, right), [(right, left), *([last] if last else [])]


small = st.integers(0, 3)
positive = st.integers(1, 4)

simple = st.one_of(
    st.builds(p.passthrough),
    st.builds(p.apply, functions),
    st.builds(p.turn_into, values),
    st.builds(p.cumulate, folds),
    st.builds(p.cumulate, st.just(p.x + p.y), numbers),
    st.builds(p.cumulate, st.just(_pair), st.just(())),
    st.builds(p.decimate, positive, st.booleans()),
    st.builds(p.freeze),
    st.builds(p.trim, small),
    st.builds(p.prefix, small),
    st.builds(p.stutter, small),
    st.builds(p.insert, small, values),
    st.builds(p.keep_last),
    st.builds(p.where, conditions),
    st.builds(p.successive, st.sampled_from([p.x, p.y - p.x, p.list_of(p.x, p.z), _pair])),
    st.builds(p.unpack),
    st.just(_counted),
)

claims = st.sampled_from(
    [
        c.holds(c.here > 0).implies(c.eventually(c.here < 0)),
        c.ltl.always(c.holds(c.here > 0) | c.next_(c.holds(c.here == 1))),
        c.holds(c.here > 0).until(c.holds(c.here == 2)),
        ~c.eventually(c.holds(c.here == 3), within=2),
        c.for_every(c.here, lambda item: c.eventually(c.here == item, within=3)),
    ]
)
turnstile = p.machine(
    "shut",
    [
        p.transition("shut", "open", p.x > 0, count=p.context("count") + 1),
        p.transition("open", "shut", lambda value: value is None),
        p.transition("open", "stuck", count=p.x),
    ],
    {"open": p.context("count"), "stuck": "stuck"},
    context={"count": 0},
)
truthful = st.one_of(
    st.builds(p.globally),
    st.builds(p.eventually),
    st.builds(p.next_),
    st.builds(p.always),
    st.builds(p.sometime),
    st.builds(p.after),
    st.builds(p.every, st.just("e"), st.just(p.x), st.just(p.apply(p.x == p.context("e")))),
    st.builds(p.some, st.just("e"), st.just(p.x), st.just(p.apply(p.x == p.context("e")) | p.trim(1))),
)
palettes = st.one_of(
    st.builds(lambda f, truth: p.apply(f) | truth, conditions, truthful),
    st.builds(lambda f, g, both: p.apply(f, g) | both, conditions, conditions, st.sampled_from([p.until(), p.up_to()])),
    st.builds(p.verdict, claims),
    st.builds(p.knowledge, claims),
    st.builds(lambda body: p.for_all("e", p.x, body), st.just(p.apply(p.x != p.context("e")) | p.next_())),
    st.builds(lambda body: p.exists("e", p.x, body), st.just(p.apply(p.x == p.context("e")) | p.trim(2))),
    st.just(turnstile),
    st.builds(p.peaks, positive, st.booleans()),
    st.builds(p.plateau, positive, positive),
    st.builds(p.threshold, small),
    st.builds(p.limit, positive),
)

doubles = st.one_of(
    st.builds(p.apply, st.sampled_from([p.x + p.y, p.y / p.x, p.x == p.y, p.x < p.y, p.list_of(p.y, p.x), _pair])),
    st.builds(p.filter),
    st.builds(p.collate, st.just(2)),
    st.builds(p.collate, st.just("a"), st.just("b")),
    st.builds(p.pack),
    st.builds(lambda f: p.apply(f, p.y) | p.pack(), conditions),
    st.builds(lambda f: p.beside(p.passthrough(), p.apply(f)) | p.filter(), conditions),
    st.builds(lambda f: p.apply(f, p.x, p.y) | p.choose(), conditions),
    st.builds(lambda f, n: p.apply(f, p.x, p.y) | p.yield_(n), conditions, positive),
    st.just(_swapped | p.collate(2)),
    st.builds(lambda value: p.turn_into(value, inputs=2), values),
    st.just(p.beside(p.freeze(), p.trim(1)) | p.passthrough(2) | p.collate(2)),
)


def _joined(make: Callable[..., p.Processor]) -> Callable[..., p.Processor]:
    """The maker of a larger processor; where kinds cannot agree, it makes the first of its parts."""

    def made(*parts: Any) -> p.Processor:  # processors and numbers
        try:
            return make(*parts)
        except CepheidError:
            return next(part for part in parts if isinstance(part, p.Processor) and part.inputs == part.outputs == 1)

    return made


def _larger(parts: st.SearchStrategy[p.Processor]) -> st.SearchStrategy[p.Processor]:
    return st.one_of(
        st.builds(_joined(lambda one, other: one | other), parts, parts),
        st.builds(_joined(lambda one, other, both: p.fan(one, other) | both), parts, parts, doubles),
        st.builds(_joined(lambda one, both: p.fan(one, one) | both), parts, doubles),
        st.builds(_joined(lambda one, both: p.fork(2) | p.beside(one, p.passthrough()) | both), parts, doubles),
        st.builds(p.window, parts, positive),
        st.builds(p.slice, keys, parts),
        st.builds(p.run_on, parts),
        st.builds(
            lambda one, other: p.fan(one, p.constant(2) | other) | p.collate(2), parts, st.builds(p.cumulate, folds)
        ),
        st.builds(_joined(lambda one, n: (one | p.apply(p.x * p.context("n"))).context(n=n)), parts, numbers),
    )


processors = st.recursive(st.one_of(simple, palettes), _larger, max_leaves=6)


def _behind(both: p.Processor, one: p.Processor) -> p.Processor:
    try:
        return both | one
    except CepheidError:
        return both


two_inputs = st.builds(_behind, doubles, processors)
