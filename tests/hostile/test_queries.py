"""A few queries and snapshots that were damaged; `make soak-hostile-queries` and `-snapshots` make very many.

A few pipelines of `make soak-hostile-pipelines` would start Spark, and are left to it.
"""

import pytest

from tests.hostile.watching import watched


@pytest.mark.parametrize(
    ("module", "count", "expected"),
    [("queries", 240, {"compiled", "refused"}), ("snapshots", 400, {"refused"})],
)
def test_what_was_damaged_is_refused_with_a_code_or_right(module: str, count: int, expected: set[str]) -> None:
    outcomes = watched(f"tests.hostile.{module}", 0, count)
    assert outcomes.wrong == {}
    assert outcomes.counts.total() == count
    assert expected <= set(outcomes.counts)
