"""Random cases leave nothing out: every node, every choice and every kind of arrival, mostly with matches."""

from collections import Counter
from dataclasses import dataclass, field

import pytest

from cepheid.algebra.policies import Choice
from cepheid.testing import Kind, features, random_case
from cepheid.testing.cases.case import EVERY_KIND
from cepheid.testing.runners import DefinitionRunner

CASES = 1000
ENOUGH_MATCHES = 60  # of a hundred cases
ENOUGH_OF_EACH = 2  # of a hundred cases

# One process draws the cases that all tests here look at.
pytestmark = pytest.mark.xdist_group("coverage of cases")

WANTED = (
    *(f"node {kind.value.capitalize()}" for kind in Kind),
    *(f"choice {choice.value}" for choice in Choice),
    "repeat next",
    "repeat all",
    "chain avoids",
    "chain that takes every record",
    "chain binds",
    "chain with alternatives",
    "chain with recursion",
    "chain with a window",
    "chain with evidence",
    "chain that merges",
    "join of three or more",
    "join with a key",
    "join with a candidate condition",
    "join with a where",
    "choice per key",
    "choice with a tie",
    "unless with a key",
    "collect with a key",
    "repeat per key",
    "repeat with a link",
    "position window",
    "rule per key",
    "rule that feeds another",
    "rules that feed themselves",
    "event dated by a part",
    "type both input and derived",
    "streams declared",
    "simultaneous events",
    "intervals",
    "order columns",
    "string ids",
    "null key",
    "null value",
    "NaN",
    "arrival out of order",
    "arrival of a duplicate",
)


@dataclass
class Table:
    """How many cases there are, how many of them have each feature, and how many of these have a match."""

    cases: int = 0
    matching: int = 0
    occurring: Counter[str] = field(default_factory=Counter)
    occurring_with_a_match: Counter[str] = field(default_factory=Counter)

    def add(self, seed: int) -> None:
        case = random_case(seed)
        found = bool(DefinitionRunner().run(case.program, case.arrivals, disorder=case.disorder).matches)
        self.cases += 1
        self.matching += found
        self.occurring.update(features(case))
        self.occurring_with_a_match.update(features(case) if found else ())

    def share(self, name: str) -> float:
        return 100 * self.occurring[name] / self.cases

    def __str__(self) -> str:
        rows = [
            f"{'of a hundred cases':34}     occur     match",
            f"{'all of them':34}     100.0     {self.matches:5.1f}",
        ]
        for name in sorted({*WANTED, *self.occurring}):
            matching = 100 * self.occurring_with_a_match[name] / max(self.occurring[name], 1)
            rows.append(f"{name:34}     {self.share(name):5.1f}     {matching:5.1f}")
        return "\n".join(rows)

    @property
    def matches(self) -> float:
        return 100 * self.matching / self.cases


@pytest.fixture(scope="module")
def table() -> Table:
    table = Table()
    for seed in range(EVERY_KIND, EVERY_KIND + CASES):
        table.add(seed)
    print(f"\n{table}")
    return table


def test_most_cases_have_a_match(table: Table) -> None:
    assert table.matches >= ENOUGH_MATCHES


def test_everything_occurs_often_enough(table: Table) -> None:
    assert {name: table.share(name) for name in WANTED if table.share(name) < ENOUGH_OF_EACH} == {}


def test_everything_occurs_in_cases_that_match(table: Table) -> None:
    assert [name for name in WANTED if not table.occurring_with_a_match[name]] == []
