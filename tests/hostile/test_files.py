"""A few files that were damaged; `make soak-hostile-files` makes very many."""

from tests.hostile.watching import watched


def test_damaged_files_are_answered_or_refused_with_a_code() -> None:
    outcomes = watched("tests.hostile.files", 0, 150)
    assert outcomes.wrong == {}
    assert outcomes.counts.total() == 150
    assert {"answer with all rows", "answer with rejects", "unreadable-input"} <= set(outcomes.counts)
