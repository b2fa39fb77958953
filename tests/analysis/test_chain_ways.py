"""The ways through a chain are counted as if each was gone through, and yet each step is looked at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.analysis.counts.chain_counts import longest_way
from cepheid.analysis.plans import run_limits
from cepheid.analysis.plans.chain_ways import branches, cycles_of, passed_before

NAMES = [f"s{number}" for number in range(6)]


def chain(follows: list[list[int]]) -> Chain:
    steps = {
        name: Step(Atom(name, frozenset({"A"})), follow=tuple(NAMES[one] for one in dict.fromkeys(some)))
        for name, some in zip(NAMES, follows, strict=True)
    }
    return Chain(steps, NAMES[0])


chains = st.lists(st.lists(st.integers(0, 5), max_size=3), min_size=6, max_size=6).map(chain)


def ways(some: Chain, name: str, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return every way from a step to an end, or to where it was before."""
    follow = some.steps[name].follow
    if name in before or not follow:
        return [(*before, name)]
    return [way for one in follow for way in ways(some, one, (*before, name))]


@given(chains)
def test_branches_are_the_ways_one_by_one(some: Chain) -> None:
    assert branches(some) == len(ways(some, some.first))


@given(chains)
def test_a_cycle_has_the_steps_of_all_ways_back(some: Chain) -> None:
    for name, cycle in cycles_of(some).items():
        back = [way[:-1] for one in some.steps[name].follow for way in ways(some, one, (name,)) if way[-1] == name]
        assert cycle >= {step for way in back for step in way}
        assert bool(cycle) == bool(back)


@given(chains)
def test_what_is_passed_before_stands_in_every_way(some: Chain) -> None:
    every = ways(some, some.first)
    for name, passed in passed_before(some).items():
        leading = [way[: way.index(name)] for way in every if name in way]
        if leading and name != some.first:
            assert set(passed) == set.intersection(*map(set, leading)) - {some.first}


def test_a_long_sequence_is_gone_through_once_from_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = 0
    ends = run_limits._Ways.ends

    def counted(self: run_limits._Ways) -> object:
        nonlocal begun
        begun += 1
        return ends(self)

    monkeypatch.setattr(run_limits._Ways, "ends", counted)
    cepheid.compile("sequence { 10 of (a, strict b), c }", allow_unbounded=True)
    assert begun < 100  # every step again for each of those before it, and so on, were more than a million


def test_many_alternatives_are_counted_without_going_through_all_of_them() -> None:
    names = [f"s{number}" for number in range(80)]
    two = {name: (f"{name}x", f"{name}y") for name in names}
    steps = {name: Step(Atom(name, frozenset({"A"})), follow=two[name]) for name in names}
    for name, later in zip(names, [*names[1:], None], strict=True):
        for one in two[name]:
            steps[one] = Step(Atom(one, frozenset({"B"})), follow=(later,) if later else ())
    some = Chain(steps, names[0])
    assert branches(some) == 2**80
    assert longest_way(some) == 160
