"""Bounds as formulas: what they are made of can be read, and with declared arrivals they are numbers.

    arrivals(Button, 2 s) + 1

A bound is made with `total`, `product` and `least`, which keep it short. Where there is no bound, `Unbounded` says why,
and it stays in whatever it is part of.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod

from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis.bounds.arrivals import Rates
from cepheid.diagnostics import Span as Place
from cepheid.events import Duration

ANY = "any event"
BEYOND_COUNTING = 1_000  # two to this power is no number of anything that can be held


@dataclass(frozen=True, slots=True)
class Bound:
    """How many there can be at most; `Bound` itself is only the common name of the kinds below."""

    def value(self, rates: Rates) -> int | None:  # noqa: ARG002
        """Return the number, None where the rates do not say it or nobody could count it."""
        raise AssertionError(f"no bound: {self!r}")

    @property
    def parts(self) -> tuple["Bound", ...]:
        return ()

    @property
    def gaps(self) -> tuple["Unbounded", ...]:
        """Return what makes it unbounded, nothing if it is not."""
        return _gaps(self)

    @property
    def bounded(self) -> bool:
        return not self.gaps


@dataclass(frozen=True, slots=True)
class Number(Bound):
    """So many, whatever comes."""

    number: int

    def value(self, rates: Rates) -> int | None:  # noqa: ARG002
        return self.number

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Arrivals(Bound):
    """The most events of some types in any closed span of `window` ticks."""

    types: tuple[str, ...]
    window: int

    def value(self, rates: Rates) -> int | None:
        return rates.events(self.types, self.window)

    def __str__(self) -> str:
        return f"arrivals({', '.join(self.types)}, {spoken_time(self.window)})"


@dataclass(frozen=True, slots=True)
class AnyArrivals(Bound):
    """The most events of all input types together in any closed span; `types` are those that must be declared."""

    types: tuple[str, ...]
    window: int

    def value(self, rates: Rates) -> int | None:
        if not set(self.types) <= set(rates.arrivals) or not rates.arrivals:
            return None
        return rates.events(rates.arrivals, self.window)

    def __str__(self) -> str:
        return f"arrivals({ANY}, {spoken_time(self.window)})"


@dataclass(frozen=True, slots=True)
class Instants(Bound):
    """The most different instants with an event of some types in any half-open span of `span` ticks."""

    types: tuple[str, ...]
    span: int

    def value(self, rates: Rates) -> int | None:
        return rates.instants(self.types, self.span)

    def __str__(self) -> str:
        return f"instants({', '.join(self.types)}, {spoken_time(self.span)})"


@dataclass(frozen=True, slots=True)
class Keys(Bound):
    """The most values of an attribute of some types of events."""

    attribute: str
    types: tuple[str, ...]

    def value(self, rates: Rates) -> int | None:
        return rates.values(self.types)

    def __str__(self) -> str:
        return f"keys({self.attribute})"


@dataclass(frozen=True, slots=True)
class Sum(Bound):
    """All of them together."""

    terms: tuple[Bound, ...]

    @property
    def parts(self) -> tuple[Bound, ...]:
        return self.terms

    def value(self, rates: Rates) -> int | None:
        known = [term.value(rates) for term in self.terms]
        return None if None in known else sum(one for one in known if one is not None)

    def __str__(self) -> str:
        return " + ".join(str(term) for term in self.terms) if self.bounded else _unbounded(self)


@dataclass(frozen=True, slots=True)
class Product(Bound):
    """Each of one with each of the others."""

    factors: tuple[Bound, ...]

    @property
    def parts(self) -> tuple[Bound, ...]:
        return self.factors

    def value(self, rates: Rates) -> int | None:
        known = [factor.value(rates) for factor in self.factors]
        if 0 in known:
            return 0
        return None if None in known else prod(one for one in known if one is not None)

    def __str__(self) -> str:
        return " * ".join(_grouped(factor) for factor in self.factors) if self.bounded else _unbounded(self)


@dataclass(frozen=True, slots=True)
class Least(Bound):
    """Several bounds that all hold."""

    options: tuple[Bound, ...]

    @property
    def parts(self) -> tuple[Bound, ...]:
        return self.options

    def value(self, rates: Rates) -> int | None:
        known = [option.value(rates) for option in self.options]
        return min((one for one in known if one is not None), default=None)

    def __str__(self) -> str:
        return f"least({', '.join(str(option) for option in self.options)})" if self.bounded else _unbounded(self)


@dataclass(frozen=True, slots=True)
class Power(Bound):
    """A number to the power of a bound: every choice for every one of them."""

    base: int
    exponent: Bound

    @property
    def parts(self) -> tuple[Bound, ...]:
        return (self.exponent,)

    def value(self, rates: Rates) -> int | None:
        exponent = self.exponent.value(rates)
        return None if exponent is None or exponent > BEYOND_COUNTING else int(self.base**exponent)

    def __str__(self) -> str:
        return f"{self.base}^{_grouped(self.exponent)}" if self.bounded else _unbounded(self)


@dataclass(frozen=True, slots=True)
class Subsets(Bound):
    """The sets of at least one and at most `most` out of so many; None: of any size."""

    of: Bound
    most: int | None

    @property
    def parts(self) -> tuple[Bound, ...]:
        return (self.of,)

    def value(self, rates: Rates) -> int | None:
        count = self.of.value(rates)
        if count is None:
            return None
        if self.most is None or self.most >= count:
            return None if count > BEYOND_COUNTING else 2**count - 1
        return None if self.most > BEYOND_COUNTING else sum(comb(count, size) for size in range(1, self.most + 1))

    def __str__(self) -> str:
        if not self.bounded:
            return _unbounded(self)
        return f"subsets({self.of}{'' if self.most is None else f', at most {self.most}'})"


@dataclass(frozen=True, slots=True)
class Unbounded(Bound):
    """No bound: `reason` says why in the words of the query, `hint` what can be typed to mend it.

    `more` are hints that it takes as well.
    """

    reason: str
    place: Place | None
    hint: str
    more: tuple[str, ...] = ()

    def value(self, rates: Rates) -> int | None:  # noqa: ARG002
        return None

    def __str__(self) -> str:
        return "unbounded"


NOTHING = Number(0)
ONE = Number(1)


@ByIdentity
def _gaps(bound: Bound) -> tuple[Unbounded, ...]:
    own = (bound,) if isinstance(bound, Unbounded) else ()
    return tuple(dict.fromkeys((*own, *(gap for part in bound.parts for gap in _gaps(part)))))


def walk(bound: Bound) -> Iterator[Bound]:
    """Yield a bound and all that it is made of."""
    yield bound
    for part in bound.parts:
        yield from walk(part)


def spoken_time(ticks: int) -> str:
    """Return a length of time as a person says it: what is a tick beside something round is said so.

    >>> spoken_time(2_000_000), spoken_time(5_000_001), spoken_time(599_999_998), spoken_time(12)
    ('2 s', '5 s + 1 us', '10 min - 2 us', '12 us')
    """
    exact = str(Duration(ticks))
    for moved in (1, -1, 2, -2, 3, -3):
        near = str(Duration(ticks + moved))
        if len(near) + 2 < len(exact):
            return f"{near} {'-' if moved > 0 else '+'} {abs(moved)} us"
    return exact


def _unbounded(_bound: Bound) -> str:
    return "unbounded"


def _grouped(bound: Bound) -> str:
    return f"({bound})" if isinstance(bound, Sum | Product | Power) else str(bound)
