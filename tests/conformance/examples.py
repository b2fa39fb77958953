"""Examples that every runner must agree with: a sentence, a query, a trace, and what is found."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from cepheid.testing import Runner
from tests.queries import ask

Test = Callable[..., Any]  # what pytest calls a test function


@dataclass(frozen=True, slots=True)
class Example:
    """What `sentence` says, shown: `found` is in the notation of the pages in `spec`."""

    sentence: str
    query: str
    trace: str
    found: tuple[str, ...]
    disorder: int | None = None

    def on(self, runner: Runner) -> tuple[str, ...]:
        """Return what a runner finds, in the order of the text."""
        return tuple(sorted(ask(runner, self.query, self.trace, disorder=self.disorder)))


def examples(*rows: Example) -> Callable[[Test], Test]:
    """Run a test with each of the examples."""
    return pytest.mark.parametrize("example", rows, ids=[row.sentence.replace(" ", "_") for row in rows])


def shows(sentence: str, query: str, trace: str, *found: str, disorder: int | None = None) -> Example:
    return Example(sentence, query, trace, tuple(sorted(found)), disorder)
