"""Which property notices a mutant: the first that fails while it is in force."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from cepheid.algebra.policies import Choice
from tests.mutants.catalogue import Mutant
from tests.mutants.swapping import in_force

# How many examples a property is given before it is the next one's turn; a mutant that none of them notices is
# shown to all of them again, with more examples.
EXAMPLES = (15, 60, 300)
_PIPES = (
    "tests.algebra.pipes.test_pipe_laws",
    "tests.algebra.pipes.test_history_laws",
    "tests.algebra.pipes.test_formula_laws",
)
_PROPERTIES = "tests.properties.test_"
_FORMULAS = {"Holds", "Not", "And", "Or", "Implies", "Next", "Until", "Globally", "Eventually", "Exists", "ForAll"}

WATCHES: dict[str, tuple[str, ...]] = {
    "Difference": ("interval_operators", "node_laws"),
    "Endpoint": ("interval_operators", "repetitions", "node_laws"),
    "condition": ("event_algebra", "node_laws"),
    "equal": ("choices", "absence_and_collection"),
    "IsBound": ("node_laws",),
    "Lookup": ("programs",),
    "Aggregate": ("absence_and_collection", "repetitions"),
    "LATEST_START": ("algebra_theory", "choices"),
    "Select": ("algebra_theory", "node_laws"),
    "RECENT": ("choices",),
    "CHRONOLOGICAL": ("choices", "join_laws"),
    "NEXT": ("choices",),
    "STRICT": ("choices",),
    "Policy.per": ("choices",),
    "Atom": ("chains", "choices"),
    "Instant": ("time",),
    "Join": ("algebra_theory", "event_algebra", "interval_operators", "choices", "join_laws"),
    "Join.candidate": ("choices",),
    "Join.where": ("join_laws",),
    "Unless": ("absence_and_collection", "event_algebra", "algebra_theory"),
    "Either": ("event_algebra", "node_laws"),
    "Restrict": ("node_laws", "algebra_theory"),
    "Distinct": ("node_laws", "algebra_theory"),
    "Collect": ("absence_and_collection",),
    "Repeat": ("repetitions",),
    "Chain": ("chains",),
    "Rule.per": ("programs",),
    "Rule": ("programs",),
    "Program": ("programs",),
}


@dataclass(frozen=True)
class Property:
    """A random test, with the arguments that its parameters take."""

    name: str
    test: Callable[..., None]
    arguments: tuple[tuple[str, object], ...]

    def concerns(self, node: str) -> bool:
        """Say whether it can notice a change to this node: what is said of another policy cannot."""
        others = [value for name, value in self.arguments if name == "choice" and node in Choice.__members__]
        return all(Choice(value) is Choice[node] for value in others)

    def fails(self, examples: int) -> bool:
        """Say whether it fails within so many examples; whatever is raised is a failure."""
        members: dict[str, Any] = vars(self.test)
        kept = members["_hypothesis_internal_use_settings"]
        members["_hypothesis_internal_use_settings"] = _quick(examples)
        try:
            self.test(**dict(self.arguments))
        except Exception:  # noqa: BLE001  # a mutant may break in any way
            return True
        finally:
            members["_hypothesis_internal_use_settings"] = kept
        return False


def _quick(examples: int) -> settings:
    """The same examples in every run, and no search for the smallest that fails."""
    return settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )


def killer(mutant: Mutant) -> str | None:
    """Return the name of the property that notices the mutant, None if it survives."""
    every = [one for module in modules_for(mutant.node) for one in properties_of(module)]
    watching = [one for one in every if one.concerns(mutant.node)]
    for examples, one in product(EXAMPLES, watching):
        with in_force(mutant):
            noticed = one.fails(examples)
        if noticed and not _fails_anyway(one, examples):
            return one.name
    return None


@cache
def _fails_anyway(one: Property, examples: int) -> bool:
    """A property that fails without any mutant notices none."""
    return one.fails(examples)


def modules_for(node: str) -> tuple[str, ...]:
    """Return the test modules that watch a kind of node."""
    if node in WATCHES:
        return tuple(f"{_PROPERTIES}{one}" for one in WATCHES[node])
    return _PIPES[::-1] if node in _FORMULAS else _PIPES


def properties_of(module: str) -> Iterator[Property]:
    """Yield the properties of a test module, one for each value of their parameters."""
    for name, test in vars(importlib.import_module(module)).items():
        if name.startswith("test_") and getattr(test, "is_hypothesis_test", False):
            for arguments in _parameters(test):
                yield Property(f"{module.removeprefix('tests.')}.{name}", test, arguments)


def _parameters(test: Callable[..., None]) -> Iterator[tuple[tuple[str, object], ...]]:
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    columns: list[Sequence[tuple[str, object]]] = [[(mark.args[0], value) for value in mark.args[1]] for mark in marks]
    yield from product(*columns)
