"""No mutant survives: whatever small wrong change is made to the definition, some property fails.

`make test` tries some of every node, `make soak-mutants` all of them.
"""

import inspect
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutants import patterns, pipes
from tests.mutants.catalogue import Mutant
from tests.mutants.killers import killer

MUTANTS = patterns.MUTANTS + pipes.MUTANTS
TABLE = Path(__file__).parent.parent.parent / "docs" / "mutants.md"

# One process draws the examples that all mutants are shown.
pytestmark = pytest.mark.xdist_group("mutants")


def some_of_each_node(mutants: Sequence[Mutant]) -> list[Mutant]:
    """Return the first mutant of every node, and one in three of those that follow."""
    by_node: defaultdict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_node[mutant.node].append(mutant)
    return [mutant for its in by_node.values() for mutant in its[::3]]


SOME = frozenset(some_of_each_node(MUTANTS))


@pytest.mark.parametrize(
    "mutant", [pytest.param(one, id=one.name, marks=() if one in SOME else pytest.mark.soak) for one in MUTANTS]
)
def test_some_property_notices(mutant: Mutant) -> None:
    assert killer(mutant) is not None


def test_mutants_of_every_node_are_among_some() -> None:
    assert {mutant.node for mutant in SOME} == {mutant.node for mutant in MUTANTS}
    assert len(MUTANTS) / 3 <= len(SOME) < len(MUTANTS) / 2


def test_the_text_that_a_mutant_changes_stands_there_once() -> None:
    sources = {module: inspect.getsource(import_module(module)) for module in {one.module for one in MUTANTS}}
    assert [one.name for one in MUTANTS if sources[one.module].count(one.old) != 1] == []


def test_every_mutant_has_a_name_of_its_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_the_table_has_a_row_for_every_mutant() -> None:
    """`make mutants` writes it."""
    rows = [line.split(" | ")[0].removeprefix("| ") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    assert [row for row in rows if row in {mutant.name for mutant in MUTANTS}] == [mutant.name for mutant in MUTANTS]
