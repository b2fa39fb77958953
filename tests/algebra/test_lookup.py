"""A lookup finds the first row whose leading columns equal what is asked for, however many rows there are."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Literal, Lookup
from cepheid.algebra.programs import Row, Table
from cepheid.events import Value, values

CELLS: st.SearchStrategy[Value] = st.sampled_from(
    [None, True, 0, 1, 1.0, -0.0, float("nan"), "1", "x", (1, None), (1, 2), {"a": 1}, {"a": None}]
)
ROWS = st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9)), max_size=8).map(tuple)


def scanned(rows: tuple[Row, ...], keys: tuple[Value, ...]) -> Row | None:
    """The definition: the first row, from the top, in which every asked cell is equal."""
    for row in rows:
        if all(values.equal(cell, key) is True for cell, key in zip(row, keys, strict=False)):
            return row
    return None


@given(ROWS, st.tuples(CELLS, CELLS))
def test_a_lookup_finds_what_reading_all_rows_finds(rows: tuple[Row, ...], keys: tuple[Value, ...]) -> None:
    table = Table(("one", "two", "number"), rows, 2)
    found = scanned(rows, keys)
    scope = Scope(tables={"known": table})
    asked = tuple(map(Literal, keys))
    unknown = None in keys
    assert evaluate(Lookup("known", asked, "number"), scope) == (None if found is None else found[2])
    assert evaluate(Lookup("known", asked), scope) is (None if unknown else found is not None)
