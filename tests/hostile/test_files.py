"""A few damaged files and odd objects; `make soak-hostile-files` and `make soak-hostile-objects` make very many."""

from tests.hostile.objects import case
from tests.hostile.watching import watched


def test_damaged_files_are_answered_or_refused_with_a_code() -> None:
    outcomes = watched("tests.hostile.files", 0, 80)
    assert outcomes.wrong == {}
    assert outcomes.counts.total() == 80
    assert {"answer with all rows", "answer with rejects", "unreadable-input"} <= set(outcomes.counts)


def test_odd_objects_are_taken_or_refused_with_a_code() -> None:
    assert {case(seed).partition(" ")[0] for seed in range(60)} >= {"list", "pushes", "unreadable-input"}
