"""Sums, products and the least of bounds, kept short.

>>> from cepheid.analysis.bounds.bounds import Arrivals, Number
>>> one = Arrivals(("A",), 2_000_000)
>>> str(total(one, Number(1), one)), str(product(one, Number(1))), str(least(Number(3), Number(2)))
('2 * arrivals(A, 2 s) + 1', 'arrivals(A, 2 s)', '2')
"""

from collections import Counter
from collections.abc import Iterator
from math import prod

from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis.bounds.bounds import (
    NOTHING,
    ONE,
    AnyArrivals,
    Arrivals,
    Bound,
    Instants,
    Least,
    Number,
    Product,
    Subsets,
    Sum,
)
from cepheid.analysis.bounds.bounds import Power as _Power

MOST_TERMS = 200
"""Longer formulas say nothing that anybody would read, and each choice of a choice would double them."""


def arrivals(types: frozenset[str], window: int) -> Bound:
    """Return the most events of some types in a closed span: nothing where there is no span."""
    return Arrivals(tuple(sorted(types)), window) if types and window >= 0 else NOTHING


def instants(types: frozenset[str], span: int) -> Bound:
    return Instants(tuple(sorted(types)), span) if types and span > 0 else NOTHING


def total(*bounds: Bound) -> Bound:
    """Return how many there are of all kinds together."""
    terms = [term for bound in bounds for term in (bound.parts if isinstance(bound, Sum) else (bound,))]
    number = sum(term.number for term in terms if isinstance(term, Number))
    times: Counter[Bound] = Counter()
    for term in terms:
        if not isinstance(term, Number):
            count, rest = _split(term)
            times[rest] += count
    grown = [product(Number(count), rest) for rest, count in times.items()]
    return _one_of([*grown, *([Number(number)] if number or not grown else [])], Sum)


def product(*bounds: Bound) -> Bound:
    """Return how many combinations there are of one of each."""
    factors = [factor for bound in bounds for factor in (bound.parts if isinstance(bound, Product) else (bound,))]
    number = prod(factor.number for factor in factors if isinstance(factor, Number))
    if number == 0:
        return NOTHING
    rest = [factor for factor in factors if not isinstance(factor, Number)]
    return _one_of([*([Number(number)] if number != 1 or not rest else []), *rest], Product)


def least(*bounds: Bound) -> Bound:
    """Return the least of several bounds that all hold; one that is none says nothing beside one that is.

    Where formulas would grow without end, the shortest alone is kept: it holds as well.
    """
    options = [option for bound in bounds for option in (bound.parts if isinstance(bound, Least) else (bound,))]
    if sum(map(size, options)) > MOST_TERMS:
        options = [min(options, key=lambda option: (not option.bounded, size(option)))]
    known = [option for option in options if option.bounded]
    if not known:
        return options[0]
    numbers = [option.number for option in known if isinstance(option, Number)]
    rest = list(dict.fromkeys(option for option in known if not isinstance(option, Number)))
    if numbers and min(numbers) <= 1:
        # Everything else is at least one wherever anything comes at all.
        return Number(min(numbers))
    narrow = [option for option in rest if not any(_is_wider(option, other) for other in rest)]
    return _one_of([*narrow, *([Number(min(numbers))] if numbers else [])], Least)


@ByIdentity
def size(bound: Bound) -> int:
    """Return how many terms a bound is written with."""
    return 1 + sum(map(size, bound.parts))


def power(base: int, exponent: Bound) -> Bound:
    return Number(base**exponent.number) if isinstance(exponent, Number) else _Power(base, exponent)


def subsets(of: Bound, most: int | None) -> Bound:
    """Return the number of non-empty sets of at most `most` out of so many."""
    if most == 0 or of == NOTHING:
        return NOTHING
    return of if most == 1 else Subsets(of, most)


def _one_of(bounds: list[Bound], kind: type[Sum] | type[Product] | type[Least]) -> Bound:
    return bounds[0] if len(bounds) == 1 else kind(tuple(bounds))


def _split(term: Bound) -> tuple[int, Bound]:
    """Return a term as a number times the rest."""
    if isinstance(term, Product) and isinstance(term.factors[0], Number):
        return term.factors[0].number, _one_of(list(term.factors[1:]), Product)
    return 1, term


def _is_wider(one: Bound, other: Bound) -> bool:
    """Say whether one bound says nothing beside another: the same events over a longer time, or times something."""
    if isinstance(one, Product) and other in one.factors:
        return True
    if not isinstance(other, Arrivals):
        return False
    same = isinstance(one, Arrivals) and one.types == other.types and one.window > other.window
    return same or (isinstance(one, AnyArrivals) and one.window >= other.window)


def less(bound: Bound, other: Bound) -> Bound:
    """Return a sum without the terms that another has too."""
    gone = Counter(_terms(other))
    kept = []
    for term in _terms(bound):
        if gone[term]:
            gone[term] -= 1
        else:
            kept.append(term)
    return total(*kept)


def _terms(bound: Bound) -> Iterator[Bound]:
    """Yield the terms of a sum, each as often as it counts."""
    for term in bound.parts if isinstance(bound, Sum) else (bound,):
        count, rest = _split(term)
        yield from [rest] * count


__all__ = ["NOTHING", "ONE", "arrivals", "instants", "least", "less", "power", "product", "subsets", "total"]
