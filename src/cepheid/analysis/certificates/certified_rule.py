"""What is certified about one rule: what it holds, operator by operator, and what else its users must know."""

from dataclasses import dataclass

from cepheid.analysis.bounds.arrivals import Rates
from cepheid.analysis.bounds.bound_algebra import total
from cepheid.analysis.bounds.bounds import Bound, Number
from cepheid.analysis.keys.keys import PartitionKey
from cepheid.analysis.plans.plan import Kind
from cepheid.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Promise:
    """A bound as a formula, and as a number where the declared arrivals make it one."""

    formula: Bound
    number: int | None

    @classmethod
    def of(cls, formula: Bound, rates: Rates) -> "Promise":
        return cls(formula, formula.value(rates))

    @property
    def bounded(self) -> bool:
        return self.formula.bounded

    def __str__(self) -> str:
        if self.number is None or isinstance(self.formula, Number):
            return str(self.formula)
        return f"{shown_number(self.number)} = {self.formula}"


@dataclass(frozen=True, slots=True)
class HistoryCertificate:
    """What one input of a join, an absence or a collection leaves waiting; `part` names its variables."""

    part: str
    entries: Promise


@dataclass(frozen=True, slots=True)
class OperatorCertificate:
    """What one operator holds: entries of pattern state, their bytes, and what only waits for its instant.

    Where it keeps its inputs apart, `histories` says how much of each; `runs` says how the runs of a chain are counted.
    """

    number: int
    kind: Kind
    about: str
    entries: Promise
    size: Promise
    waiting: Promise
    histories: tuple[HistoryCertificate, ...] = ()
    runs: str | None = None


@dataclass(frozen=True, slots=True)
class RuleCertificate:
    """What one rule needs.

    `clash` are the conditions that contradict each other where it can never match. `state` is the pattern state of all
    operators, over all keys; `largest_key` that of one key alone, where there is a key. `buffer` is what waits for its
    instant to be complete. `work` is how many entries an event is compared with, and one for itself. `delay`, `history`
    and `lag` are in ticks; None is no bound.
    """

    name: str
    clash: tuple[str, ...]
    operators: tuple[OperatorCertificate, ...]
    entry_buffer: Promise
    largest_key: Promise | None
    work: Promise
    delay: int | None
    history: int | None
    lag: int | None
    key: PartitionKey | None
    findings: tuple[Diagnostic, ...] = ()

    @property
    def satisfiable(self) -> bool:
        return not self.clash

    @property
    def bounded(self) -> bool:
        return self.state.bounded and self.size.bounded and self.buffer.bounded

    @property
    def state(self) -> Promise:
        return together([operator.entries for operator in self.operators])

    @property
    def buffer(self) -> Promise:
        return together([self.entry_buffer, *(operator.waiting for operator in self.operators)])

    @property
    def size(self) -> Promise:
        return together([operator.size for operator in self.operators])


def together(promises: list[Promise]) -> Promise:
    """Return what several promises make together."""
    numbers = [promise.number for promise in promises]
    number = None if None in numbers else sum(one for one in numbers if one is not None)
    return Promise(total(*(promise.formula for promise in promises)), number)


def shown_number(number: int) -> str:
    """Return a number as a person reads it.

    >>> shown_number(1234567), shown_number(2**80)
    ('1,234,567', 'about 1.2e+24')
    """
    return f"{number:,}" if number < 10**15 else f"about {number:.1e}"
