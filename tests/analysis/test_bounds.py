"""Bounds as formulas: short to read, and numbers where arrivals are declared."""

from cepheid.algebra.programs import Arrival
from cepheid.analysis import Rates
from cepheid.analysis.bounds.bound_algebra import least, power, product, subsets, total
from cepheid.analysis.bounds.bounds import AnyArrivals, Arrivals, Instants, Keys, Number, Unbounded

A, B = Arrivals(("A",), 2_000_000), Arrivals(("B",), 0)
ENDLESS = Unbounded("nothing ends the wait for `B`", None, "add a window, for example `within 1 h`")
RATES = Rates({"A": Arrival(3, 1_000_000), "B": Arrival(2, 1)}, {"A": 7})


def test_sums_and_products_read_like_arithmetic() -> None:
    assert str(total(A, Number(1), A, Number(2))) == "2 * arrivals(A, 2 s) + 3"
    assert str(product(total(A, Number(1)), B)) == "(arrivals(A, 2 s) + 1) * arrivals(B, 0 s)"
    assert str(power(2, B)) == "2^arrivals(B, 0 s)"
    assert str(subsets(A, 2)) == "subsets(arrivals(A, 2 s), at most 2)"
    assert str(least(A, Number(7))) == "least(arrivals(A, 2 s), 7)"


def test_values_follow_the_declared_rates() -> None:
    assert total(A, Number(1)).value(RATES) == 10
    assert product(A, B).value(RATES) == 18
    assert power(2, B).value(RATES) == 4
    assert subsets(A, 2).value(RATES) == 45
    assert subsets(A, None).value(RATES) == 511
    assert least(A, Number(7)).value(RATES) == 7
    assert Keys("user", ("A",)).value(RATES) == 7
    assert Instants(("A",), 5).value(RATES) == 3


def test_nobody_knows_a_number_without_its_rate() -> None:
    unknown = Arrivals(("C",), 5)
    assert total(A, unknown).value(RATES) is None
    assert product(Number(0), unknown).value(RATES) == 0
    assert least(A, unknown).value(RATES) == 9
    assert AnyArrivals(("A", "C"), 0).value(RATES) is None
    assert AnyArrivals(("A",), 0).value(RATES) == 5


def test_what_nobody_could_count_is_no_number() -> None:
    assert power(2, Number(3)) == Number(8)
    assert power(2, Arrivals(("A",), 10**12)).value(RATES) is None


def test_trivial_parts_disappear() -> None:
    assert product(A, Number(1)) == A
    assert product(A, Number(0)) == Number(0)
    assert total() == Number(0)
    assert least(A, Arrivals(("A",), 3_000_000)) == A
    assert least(A, product(A, B)) == A
    assert subsets(A, 1) == A
    assert subsets(A, 0) == Number(0)


def test_what_is_unbounded_stays_so_unless_something_else_holds() -> None:
    assert not total(A, ENDLESS).bounded
    assert str(product(A, ENDLESS)) == "unbounded"
    assert product(Number(0), ENDLESS) == Number(0)
    assert least(ENDLESS, A) == A
    assert total(ENDLESS, product(A, ENDLESS)).gaps == (ENDLESS,)
