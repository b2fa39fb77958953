"""Which property notices a mutant: the first that fails while it is in force.

The examples of a property are drawn once and shown to every mutant, since drawing takes longer than looking at them.
"""

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import UnsatisfiedAssumption

from cepheid.algebra.policies import Choice
from tests.mutants.catalogue import Mutant
from tests.mutants.swapping import in_force
from tests.mutants.watches import modules_for

# How many examples a property is given before it is the next one's turn; a mutant that none of them notices is
# shown to all of them again, with more examples.
EXAMPLES = (30, 300)


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
        """Say whether it fails within so many examples."""
        return any(self._fails_at(example, place) for place, example in enumerate(drawn(self, examples)))

    def _fails_at(self, example: dict[str, object], place: int) -> bool:
        """Say whether it fails at an example; whatever a mutant makes it raise is a failure."""
        fresh = {name: Random(place) if isinstance(value, Random) else value for name, value in example.items()}
        inner: Callable[..., None] = self.test.hypothesis.inner_test  # type: ignore[attr-defined]  # a random test
        try:
            inner(**fresh, **dict(self.arguments))
        except UnsatisfiedAssumption:
            return False
        except Exception:  # noqa: BLE001  # see above
            return True
        return False


def killer(mutant: Mutant) -> str | None:
    """Return the name of the property that notices the mutant, None if it survives."""
    every = [one for module in modules_for(mutant.node) for one in properties_of(module)]
    watching = [one for one in every if one.concerns(mutant.node)]
    for examples, one in product(EXAMPLES, watching):
        drawn(one, examples)
        with in_force(mutant):
            noticed = one.fails(examples)
        if noticed and not _fails_anyway(one, examples):
            return one.name
    return None


@cache
def _fails_anyway(one: Property, examples: int) -> bool:
    """A property that fails without any mutant notices none."""
    return one.fails(examples)


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


def drawn(one: Property, examples: int) -> list[dict[str, object]]:
    """Return the first examples of a property: the same in every run and for all its parameters."""
    names = frozenset(name for name, _ in one.arguments)
    return [
        {name: value for name, value in example.items() if name not in names} for example in _drawn(one.test, examples)
    ]


@cache
def _drawn(test: Callable[..., None], examples: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    handle: Any = test.hypothesis  # type: ignore[attr-defined]  # a random test has it
    members: dict[str, Any] = vars(test)
    inner, usual = handle.inner_test, members["_hypothesis_internal_use_settings"]
    handle.inner_test = lambda **example: found.append(example)
    members["_hypothesis_internal_use_settings"] = _quick(examples)
    try:
        test(**dict(next(_parameters(test))))
    finally:
        handle.inner_test, members["_hypothesis_internal_use_settings"] = inner, usual
    return found


def _quick(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
