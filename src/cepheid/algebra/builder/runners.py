"""Where a query can run, by name; the definition is always there."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from cepheid.algebra.builder.inputs import Input, events_of
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import Event, TimeUnit

Runner: TypeAlias = Callable[[Program, list[Event]], list[Match]]

_runners: dict[str, Runner] = {"definition": matches}


def add_runner(name: str, runner: Runner) -> None:
    """Let queries run on something else, by its name."""
    _runners[name] = runner


def run(program: Program, inputs: Iterable[Input], on: str, time_unit: TimeUnit) -> list[Match]:
    """Return the matches of a program, found by the runner of that name; numbers that are times are in a unit."""
    if on not in _runners:
        raise _unknown_runner(on)
    validate(program)
    return _runners[on](program, events_of(inputs, time_unit))


def _unknown_runner(name: str) -> CepheidError:
    closest = close_match(name, _runners) or next(iter(_runners))
    existing = " and ".join(f"`{runner}`" for runner in _runners)
    message = f"queries do not run on `{name}`; there is {existing}"
    return CepheidError(Diagnostic("unknown-runner", message, hints=(f'write `on="{closest}"`',)))
