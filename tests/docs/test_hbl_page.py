"""The benchmark of watchpoints: its records complete runs, and its page is made of what was measured."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import cepheid
from benchmarks.hbl import EXPERIMENTS, settings
from benchmarks.hbl_page import AXES, BEGIN, END, page, plots
from benchmarks.hbl_workload import Setup, records

SPREAD = {"p50": 5.0, "p99": 9.0, "p99.9": 12.5, "max": 80.0, "count": 10}


@pytest.mark.parametrize("axis", [axis for axis in EXPERIMENTS if axis != "rate"])
def test_every_setting_is_a_watchpoint_that_finds_something(axis: str) -> None:
    setup = replace(settings(axis, EXPERIMENTS[axis][-1]), window=400)
    query = cepheid.compile(setup.text(), language="hbl", time_unit="ms")
    assert query.run(list(records(setup, 1_500))).count() > 20


def test_one_record_in_ten_begins_a_run() -> None:
    given = list(records(Setup(), 1_000))
    assert sum(record["type"] == Setup().name(0) for record in given) == 100


def test_runs_of_one_key_are_completed_together() -> None:
    setup = Setup(together=4, window=400)
    detector = cepheid.compile(setup.text(), language="hbl", time_unit="ms").detector()
    found = Counter(len(detector.push(record)) for record in records(setup, 3_000))
    assert found[4] > sum(found[few] for few in (1, 2, 3))


def test_the_page_has_a_table_for_every_experiment() -> None:
    told = measured()
    made = page(f"before\n{BEGIN}gone\n{END}after\n", told)
    assert all(f"### {name.capitalize()}" in made for name in AXES.values())
    assert "| 32 | 2 | 0.25 | 0.20 |" in made
    assert "gone" not in made
    assert made.endswith(f"{END}after\n")
    assert sorted(plots(told)) == sorted(f"hbl-{axis}.svg" for axis in AXES if axis != "evidence")


def measured() -> dict[str, Any]:
    rest = {
        "matters": SPREAD,
        "alert": SPREAD,
        "still": SPREAD,
        "undisturbed": {"alert": SPREAD, "matters": SPREAD},
        "alerts": 7,
        "records": 100,
        "cpu_seconds": 0.1,
        "memory_mb": 1.5,
    }
    rows = {axis: [{axis: value, **rest} for value in values] for axis, values in EXPERIMENTS.items()}
    return {"experiments": rows, "batches": [{"size": 32, "steps": 2, "millions": 0.25, "pushed": 0.2}]}
