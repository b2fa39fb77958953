"""The ways through a chain: which steps can follow which, and how many ways there are to an end."""

from collections.abc import Mapping
from functools import lru_cache

from cepheid.algebra.patterns import Chain

Steps = frozenset[str]


@lru_cache(maxsize=16)  # a chain is asked about by everybody who counts its runs
def ahead_of(chain: Chain) -> Mapping[str, Steps]:
    """Return for each step all those that can come after it."""
    return {name: reached(chain, chain.steps[name].follow) for name in chain.steps}


@lru_cache(maxsize=16)
def cycles_of(chain: Chain) -> Mapping[str, Steps]:
    """Return for each step those that can follow it and be followed by it; itself only if it can follow itself."""
    ahead = ahead_of(chain)
    return {name: frozenset(one for one in after if name in ahead[one]) for name, after in ahead.items()}


def reached(chain: Chain, begin: tuple[str, ...], without: Steps = frozenset()) -> Steps:
    """Return the steps to begin with and all after them, not going through some."""
    found = set(begin) - without
    ahead = list(found)
    while ahead:
        new = {follow for follow in chain.steps[ahead.pop()].follow if follow not in found and follow not in without}
        found |= new
        ahead += new
    return frozenset(found)


@lru_cache(maxsize=16)
def passed_before(chain: Chain) -> Mapping[str, list[str]]:
    """Return for each step those, but the first, that every way to it goes through."""
    others = [one for one in chain.steps if one != chain.first]
    left = {one: reached(chain, (chain.first,), frozenset((one,))) for one in others}
    return {name: [one for one in others if one != name and name not in left[one]] for name in chain.steps}


@lru_cache(maxsize=16)
def branches(chain: Chain) -> int:
    """Return the branch number: how many ways there are to an end, where going round again is one of them."""
    return _Branches(chain).of(chain.first, frozenset())


class _Branches:
    """Counts ways; what was passed before matters only where it can be met again."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._counted: dict[tuple[str, Steps], int] = {}

    def of(self, name: str, before: Steps) -> int:
        """Return how many ways there are from a step to an end, or to one of the steps that were passed before."""
        if name in before:
            return 1
        follow = self._chain.steps[name].follow
        if not follow:
            return 1
        known = name, self._met_again(name, before)
        if known not in self._counted:
            self._counted[known] = sum(self.of(one, known[1] | {name}) for one in follow)
        return self._counted[known]

    def _met_again(self, name: str, before: Steps) -> Steps:
        if not before:
            return before
        inner = reached(self._chain, (name,), before)
        return before & {follow for one in inner for follow in self._chain.steps[one].follow}
