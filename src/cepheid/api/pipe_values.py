"""What the pipes of a program give: values, beside the matches of its rules."""

from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.engine import Detector
from cepheid.events import Value

__all__ = ["check_pipe", "read_already", "taken"]


def check_pipe(program: Program, name: str) -> None:
    """Raise where a program has no pipe of this name."""
    if name in program.pipes:
        return
    closest = close_match(name, list(program.pipes))
    known = ", ".join(f"`{one}`" for one in program.pipes)
    hint = f"did you mean `{closest}`?" if closest else f"the pipes are {known}" if known else "it has rules alone"
    raise CepheidError(Diagnostic("unknown-rule", f"the query has no pipe `{name}`", hints=(hint,)))


def taken(detector: object, pipe: str) -> list[Value]:
    """Return what a pipe has given since the last time; the values of other pipes are let go."""
    assert isinstance(detector, Detector)  # pipes run in the interpreter alone
    return {name: detector.take(name) for name in detector.pipes}[pipe]


def read_already() -> CepheidError:
    """Return what is said where an input is asked for once more that can be read once only."""
    message = "the input of this run can be read once only, and it was read already"
    hint = "ask for `to_arrow()` first, or give it a list, a table or a file"
    return CepheidError(Diagnostic("read-already", message, hints=(hint,)))
