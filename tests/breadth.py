"""How broad a run is: the profile `default` runs a share of what is marked, always the same; `whole` and `soak` all.

`one_in(3)`: of the parameters of a test, one in three. `soak`: none of it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import pytest
from hypothesis import settings

MARKERS = (
    "one_in(count): the profile `default` takes one in so many of its parameters",
    "soak: the profile `default` leaves it out",
)


class Marked(Protocol):
    """A test with its parameters, as pytest collects it."""

    @property
    def nodeid(self) -> str: ...

    def get_closest_marker(self, name: str) -> pytest.Mark | None: ...


Test = TypeVar("Test", bound=Marked)


def all_is_run() -> bool:
    """Say whether the profile is one of the long ones."""
    return settings.get_current_profile_name() in ("whole", "soak")


def runs_everything(arguments: Sequence[str]) -> bool:
    """Say whether nothing is left out: in the long profiles, and where a test is asked for by name."""
    return all_is_run() or any("::" in one for one in arguments)


def left_out(items: Iterable[Test]) -> Iterator[Test]:
    """Yield what the profile `default` leaves out; of parameters, the first is never left out."""
    places: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        mark = item.get_closest_marker("one_in")
        if item.get_closest_marker("soak") or (mark and places[test] % mark.args[0]):
            yield item
        places[test] += 1
