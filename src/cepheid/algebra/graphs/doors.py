"""Where processors run. This room knows no engine, so one is handed to it by whoever hands out processors.

Without one, `run` is answered by the definition.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal


class Running(Protocol):
    """A running copy: values are pushed into it."""

    def push(self, value: Thing, at: int = 0, *, time: Thing = None) -> Thing: ...
    def end(self) -> Thing: ...
    def copy(self, state: bool = True) -> "Running": ...
    def reset(self) -> None: ...
    def set(self, name: str, value: Thing) -> None: ...
    def snapshot(self) -> bytes: ...


class Pulled(Iterator[Thing], Protocol):
    """An iterator over outputs; see the engine's `Pullable`."""

    def soft(self) -> Thing: ...
    def has_next(self) -> bool: ...
    def has_next_soft(self) -> str: ...


class Runner(Protocol):
    """What can be done with a processor; `processor` is a `Processor`, which is made with the help of this module."""

    def run(self, processor: Any, traces: Thing) -> Thing: ...
    def may_go_on(self, processor: Any) -> bool: ...
    def start(self, processor: Any, snapshot: bytes | None) -> Running: ...
    def pull(self, processor: Any, traces: Thing, output: int | None) -> Pulled: ...
    def pulls(self, processor: Any, traces: Thing) -> tuple[Pulled, ...]: ...
    def certificate(self, processor: Any, keys: Any, rates: str | None, lead: int | None) -> Any: ...
    def draw(self, processor: Any) -> str: ...


_join_checks: list[Callable[[Any], None]] = []
_kind_checks: list[Callable[[Any, int], tuple[str, ...]]] = []


def check_joins(check: Callable[[Any], None], kinds: Callable[[Any, int], tuple[str, ...]]) -> None:
    """Let all joins be checked from now on, and kinds that are declared."""
    _join_checks.append(check)
    _kind_checks.append(kinds)


def check_join(joined: Any) -> None:
    """Refuse a join that one of the checks refuses."""
    for check in _join_checks:
        check(joined)


def checked_kinds(kinds: Any, inputs: int) -> tuple[str, ...]:
    """Return declared kinds by their names."""
    return _kind_checks[-1](kinds, inputs)


_runners: list[Callable[[], Runner]] = []


def use(runner: Callable[[], Runner]) -> None:
    """Let processors run on this from now on; it is asked for when the first one runs."""
    _runners.append(runner)


def runner() -> Runner:
    """Return what processors run on."""
    if not _runners:
        raise refusal("nothing is there that runs processors", "write `from cepheid import pipes as p`")
    return _runners[-1]()
