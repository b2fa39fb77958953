"""What long hostile runs have found: each text is refused with this code."""

import pytest

import cepheid
from cepheid.diagnostics import CepheidError
from tests.hostile.watching import watched

WRONG = {
    "an absence that ends after all times": (
        "parte",
        "template T {}\nrule R where\n  a : T\n  no b : T\nwhen no b in a [0 us, 4611686018427387904 us]\nthen",
        "parte-unbounded-window",
    ),
    "an absence that begins before all times": (
        "parte",
        "template T {}\nrule R where\n  a : T\n  no b : T\nwhen no b in a [-4611686018427387904 us, 0 us]\nthen",
        "parte-unbounded-window",
    ),
    "a distance with an exponent": (
        "cep",
        "collect c: all of b for a relation 0 <= start($item) - start($anchor) <= 1e999999 with n = count of items",
        "bad-duration",
    ),
    "a distance of thousands of digits": (
        "cep",
        f"a then b relation start(b) - end(a) <= {'9' * 4000}",
        "bad-duration",
    ),
    "a condition that multiplies by a text": (
        "esql",
        "SELECT price FROM THE TUPLES OF FILE 'stocks.csv' WHERE symbol * 'MSFT'.",
        "kinds-disagree",
    ),
    "a file with a NUL in its name": ("esql", "FILE 'stocks\0.csv'", "unreadable-input"),
}


@pytest.mark.parametrize("seed", [76_291, 87_403])
def test_a_damaged_header_of_a_parquet_column_does_not_end_the_process(seed: int) -> None:
    assert watched("tests.hostile.files", seed, seed + 1).wrong == {}


@pytest.mark.parametrize("what", WRONG)
def test_what_was_found_is_refused_with_a_code(what: str) -> None:
    language, text, code = WRONG[what]
    with pytest.raises(CepheidError) as caught:
        cepheid.compile(text, language=language)
    assert [one.code for one in caught.value.diagnostics] == [code]
