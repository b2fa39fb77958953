"""Certificates of queries that are written as text; a number without a unit is ticks."""

from cepheid.algebra.programs import Program
from cepheid.analysis import Certificate, certify, plan_of
from cepheid.languages.cep import read_program


def program(*lines: str) -> Program:
    """Read rules and streams; a line that is neither is the pattern of a rule `r`."""
    return read_program("\n".join(line if _is_declared(line) else f"rule r: ({line}) emits R" for line in lines))


def _is_declared(line: str) -> bool:
    return line.split(" ", 1)[0] in ("rule", "stream", "tick", "pipe")


def certified(*lines: str, disorder: int = 0, intervals: bool = False) -> Certificate:
    return certify(plan_of(program(*lines), intervals=intervals), disorder)


def state(*lines: str, disorder: int = 0, intervals: bool = False) -> str:
    """The formula for the pattern state of all rules together."""
    return str(certified(*lines, disorder=disorder, intervals=intervals).state.formula)


def buffer(*lines: str, disorder: int = 0) -> str:
    """The formula for what waits for its instant in the last rule."""
    return str(certified(*lines, disorder=disorder).rules[-1].buffer.formula)
