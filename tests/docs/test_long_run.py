"""A long run says which of its promises were not kept: matches, held entries, and memory hour by hour of its events."""

from typing import Any

import pyarrow as pa
import pytest

from benchmarks.long_run import COMPARED, compared
from benchmarks.long_run_figures import Batches, problems, summary
from benchmarks.long_run_page import page

OF_AN_HOUR, HOURS = 4, 6
MIB = 1 << 20


def kinds(size: int) -> dict[str, Any]:
    one = {"processes": 1, "resident": size * MIB, "own": size * MIB}
    return {"driver": one, "jvm": one, "workers": {**one, "processes": 3}}


def seen(growing: str = "", held: int = 90) -> dict[str, Any]:
    """Return what a run tells in which each batch is looked at once, and the memory of one kind of processes grows."""
    said, samples, collected = [], [], []
    for batch in range(HOURS * OF_AN_HOUR + 1):
        life, at = batch // 14, 100.0 * batch
        said.append({"batch": batch, "life": life, "at": at, "held": held, "promised": 100, "seconds": 1.0})
        size = 100 + batch
        samples.append(
            {"at": at - 50, "life": life, **kinds(100), **({growing: kinds(size)[growing]} if growing else {})}
        )
        collected.append((at - 50, 50 * MIB))
    given: dict[str, Any] = {"files": HOURS * OF_AN_HOUR, "files_of_an_hour": OF_AN_HOUR, "undisturbed": 3}
    given |= {"faults": 1, "hours": HOURS}
    given |= {"heap": "1g", "live_every": "30 s", "look_every": 2, "events": 1000, "killed": [("jvm", 13)]}
    given |= {"ended_by_itself": [], "equal": True, "found": 3, "missing": 0, "too_many": 0, "matches": {"Twice": 3}}
    return {**given, **summary(said, samples, collected, HOURS * OF_AN_HOUR, OF_AN_HOUR, 3)}


def test_a_run_that_keeps_its_promises_has_a_page() -> None:
    told = seen()
    assert problems(told) == []
    text = page(told)
    assert "| driver, resident | 100 | 3 | 1.000 |" in text
    assert "The most were 90 of at most 100 entries" in text
    assert "the JVM 1 times" in text


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (seen("driver"), "the memory of `driver` is not flat: {'hour': 5, 'second': 110624768, 'times': 1.152}"),
        (seen("workers"), "the memory of `workers` is not flat: {'hour': 5, 'second': 110624768, 'times': 1.152}"),
        (seen(held=101), f"more is held than was promised in the batches {list(range(HOURS * OF_AN_HOUR + 1))}"),
        (seen() | {"equal": False, "missing": 1}, "matches differ: 1 are missing, 0 are too many"),
        (seen() | {"found": 0}, "matches differ: 0 are missing, 0 are too many"),
        (seen() | {"killed": []}, "only 0 of 1 were killed"),
        (seen() | {"ended_by_itself": [3]}, "it ended by itself after the batches [3]"),
        (seen() | {"greatest": {"driver": None}}, "the memory of `driver` is not flat: None"),
    ],
)
def test_what_was_not_kept_is_said(told: dict[str, Any], wrong: str) -> None:
    assert problems(told) == [wrong]


def test_what_starts_or_ends_belongs_to_no_batch() -> None:
    batches = Batches([{"life": 0, "at": 10.0, "batch": 0}, {"life": 0, "at": 20.0, "batch": 1}])
    assert [batches.at(moment) for moment in (5.0, 15.0, 20.0, 25.0)] == [None, 1, 1, None]
    assert batches.at(15.0, 1) is None


def test_what_is_seen_of_a_process_that_has_ended_counts_nowhere() -> None:
    said = [
        {"batch": number, "life": 0, "at": 100.0 * number, "held": 1, "promised": 1, "seconds": 1} for number in (0, 1)
    ]
    told = summary(said, [{"at": 50.0, "life": 0}, {"at": 60.0, "life": 0, **kinds(100)}], [], 2, OF_AN_HOUR, 1)
    assert [one["driver"]["times"] for one in told["seen"]] == [1]


def matches(*rows: tuple[str, int]) -> Any:  # a table of Arrow
    columns: dict[str, list[Any]] = {name: [] for name in COMPARED}
    for name, end in rows:
        own = {"id": name, "match": "Twice", "start": 1, "end": end, "user": 1, "amount": 2}
        for column, value in own.items():
            columns[column].append(value)
    return pa.table(columns)


def test_matches_are_compared_in_whole_and_in_any_order() -> None:
    wanted = matches(("a", 2), ("b", 3))
    assert compared(matches(("b", 3), ("a", 2)), wanted)["equal"]
    assert not compared(matches(("a", 2), ("b", 4)), wanted)["equal"]
    less, more = compared(matches(("a", 2)), wanted), compared(matches(("a", 2), ("b", 3), ("b", 3)), wanted)
    assert (less["equal"], less["missing"], less["too_many"]) == (False, 1, 0)
    assert (more["equal"], more["missing"], more["too_many"]) == (False, 0, 1)
