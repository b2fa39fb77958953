"""Where a query can run, by name: on the definition always, and on the engine once `cepheid` was imported."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from cepheid.algebra.builder.inputs import Input, events_of
from cepheid.algebra.builder.times import in_unit
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import TICKS_PER_UNIT, Event, TimeUnit

Runner: TypeAlias = Callable[[Program, list[Event]], list[Match]]

_runners: dict[str, Runner] = {"definition": matches}
_defaults = ["definition"]


def add_runner(name: str, runner: Runner, *, default: bool = False) -> None:
    """Let queries run on something else, by its name; where it is the `default`, also if none is named."""
    _runners[name] = runner
    if default:
        _defaults.append(name)


def run(program: Program, inputs: Iterable[Input], on: str | None, time_unit: TimeUnit) -> list[Match]:
    """Return the matches of a program, found by the runner of that name; numbers that are times are in a unit."""
    name = _defaults[-1] if on is None else on
    if name not in _runners:
        raise _unknown_runner(name)
    validate(program)
    given = list(inputs)
    # Events that are objects have their times in ticks, and then lengths are in ticks too.
    unit = 1 if all(isinstance(one, Event) for one in given) else TICKS_PER_UNIT[time_unit]
    return _runners[name](in_unit(program, unit), events_of(given, time_unit))


def _unknown_runner(name: str) -> CepheidError:
    closest = close_match(name, _runners) or next(iter(_runners))
    existing = " and ".join(f"`{runner}`" for runner in _runners)
    message = f"queries do not run on `{name}`; there is {existing}"
    return CepheidError(Diagnostic("unknown-runner", message, hints=(f'write `on="{closest}"`',)))
