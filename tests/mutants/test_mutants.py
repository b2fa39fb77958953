"""No mutant survives: whatever small wrong change is made to the definition, some property fails."""

from pathlib import Path

import pytest

from tests.mutants import patterns, pipes
from tests.mutants.catalogue import Mutant
from tests.mutants.killers import killer

MUTANTS = patterns.MUTANTS + pipes.MUTANTS
TABLE = Path(__file__).parent.parent.parent / "docs" / "mutants.md"

# One process draws the examples that all mutants are shown.
pytestmark = pytest.mark.xdist_group("mutants")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_some_property_notices(mutant: Mutant) -> None:
    assert killer(mutant) is not None


def test_every_mutant_has_a_name_of_its_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_the_table_has_a_row_for_every_mutant() -> None:
    """`make mutants` writes it."""
    rows = [line.split(" | ")[0].removeprefix("| ") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    assert [row for row in rows if row in {mutant.name for mutant in MUTANTS}] == [mutant.name for mutant in MUTANTS]
