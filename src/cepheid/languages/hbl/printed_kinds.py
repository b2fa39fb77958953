"""Which variables of a chain are times, so that they are written as they would be read.

A variable that is set to a time is one. Whether one that is set to a number is a length of time is found by trying: it
is if its chain can be written then.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal, Variable
from cepheid.algebra.patterns import Chain
from cepheid.algebra.traversal import walk
from cepheid.languages.hbl.kinds import Kind
from cepheid.languages.hbl.term_printing import Terms

_MOST_GUESSES: Final = 256


def terms_of(chain: Chain, told: Iterable[Expr], unit: int) -> Terms:
    """Return the terms that write a chain and what its alert says, under the kinds that its variables then have."""
    parts = _Parts(tuple(_settings(chain)), tuple(_conditions(chain)), tuple(told))
    guesses = (parts.terms(lengths, unit) for lengths in islice(parts.guesses(unit), _MOST_GUESSES))
    return next((terms for terms in guesses if parts.are_written(terms)), parts.terms((), unit))


@dataclass(frozen=True, slots=True)
class _Parts:
    settings: tuple[tuple[str, Expr], ...]
    conditions: tuple[Expr, ...]
    told: tuple[Expr, ...]

    def guesses(self, unit: int) -> Iterator[Sequence[str]]:
        """Yield which variables may be lengths: those that are told as times first, and the fewest others first."""
        divided = [one.arguments for told in self.told for one in walk(told) if isinstance(one, Call)]
        sure = {a.name for a, *rest in divided if isinstance(a, Variable) and rest == [Literal(unit)]}
        names = tuple(dict.fromkeys(name for name, _ in self.settings))
        others = [name for name in names if name not in sure]
        for many in range(len(others) + 1):
            yield from ((*sure, *some) for some in combinations(others, many))

    def terms(self, lengths: Iterable[str], unit: int) -> Terms:
        """Return terms in which some variables are lengths, and others what they are set to."""
        kinds = {name: Kind.PLAIN for name, _ in self.settings} | dict.fromkeys(lengths, Kind.LENGTH)
        while True:
            terms = Terms(kinds, unit)
            grown = dict(kinds)
            for name, value in self.settings:
                grown[name] = max(grown[name], terms.least_kind(value))
            if grown == kinds:
                return terms
            kinds = grown

    def are_written(self, terms: Terms) -> bool:
        """Say whether there is a way to write each of the parts."""
        return (
            all(terms.ways(one) for one in self.conditions)
            and all(any(terms.ways_to_set(value, terms.kinds[name])) for name, value in self.settings)
            and all(any(terms.ways_to_tell(one)) for one in self.told)
        )


def _settings(chain: Chain) -> Iterator[tuple[str, Expr]]:
    """Yield all that a chain sets its variables to."""
    yield from chain.initially.items()
    for step in chain.steps.values():
        yield from step.lets.items()


def _conditions(chain: Chain) -> Iterator[Expr]:
    for step in chain.steps.values():
        atoms = (step.lead,) if step.avoid is None else (step.lead, step.avoid)
        yield from (atom.where for atom in atoms if atom.where is not None)
