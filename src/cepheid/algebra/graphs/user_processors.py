"""A user's own processor in a handful of lines.

@processor(initial=0)
def differences(last, value):
    return value, [value - last]
"""

from collections.abc import Callable
from typing import Any

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operations import UserProcessor
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import at_least, refusal

Step = Callable[..., tuple[Any, Any]]  # a user's state and outputs are any objects


def processor(
    inputs: int = 1, outputs: int = 1, initial: Thing = None, *, keeps: int | None = 1
) -> Callable[[Step], Processor]:
    """Make a processor of `step(state, *front)`, which gives the next state and a list of outputs.

    With several outputs it gives one list for each, in a tuple, or a list of fronts. `keeps` says how many values the
    state holds at most, None that nobody knows; the certificate takes your word for it.
    """
    at_least("the number of inputs", inputs, 1)
    at_least("the number of outputs", outputs, 1)

    def made(step: Step) -> Processor:
        return Atom(UserProcessor(getattr(step, "__name__", "processor"), step, inputs, outputs, initial, keeps))

    return made


def outputs_of(operation: UserProcessor, given: Thing) -> list[list[Thing]]:
    """Return what a step gave, one list for each output."""
    if operation.gives == 1:
        if isinstance(given, list | tuple):
            return [list(given)]
    elif isinstance(given, tuple) and len(given) == operation.gives and all(isinstance(one, list) for one in given):
        return [list(one) for one in given]
    elif isinstance(given, list) and all(isinstance(one, tuple) and len(one) == operation.gives for one in given):
        return [[front[place] for front in given] for place in range(operation.gives)]
    raise refusal(f"`{operation.name}` gave `{given!r}`", "a step returns `(state, [output])`")
