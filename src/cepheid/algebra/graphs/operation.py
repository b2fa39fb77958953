"""What one processor does, without its place in a graph: the common name of operations, and the plainest one."""

from dataclasses import dataclass, fields
from typing import Any

from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.names_of_operations import call_name


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """What is done to the fronts of some inputs; its fields are what the user said.

    What it means is found by `meaning.means`, how it runs by `running.runs`.
    """

    @property
    def inputs(self) -> int:
        return 1

    @property
    def outputs(self) -> int:
        return 1

    @property
    def bodies(self) -> tuple[Any, ...]:  # processors, which are made of operations
        """The processors that are run inside this one."""
        found = (getattr(self, one.name) for one in fields(self))
        return tuple(value for value in found if hasattr(value, "children"))

    def text(self, *bodies: str) -> str:
        """Return how this is called, where the processors inside are written like this."""
        inside = iter(bodies)
        values = [getattr(self, one.name) for one in fields(self) if one.repr]
        told = [next(inside) if hasattr(value, "children") else _told(value) for value in values]
        return f"{call_name(type(self).__name__)}({', '.join(one for one in told if one)})"


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Operation):
    """The functions of each front, one output for each of them."""

    functions: tuple[Function, ...]

    @property
    def inputs(self) -> int:
        return max(1, *(function.arity for function in self.functions))

    @property
    def outputs(self) -> int:
        return len(self.functions)


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_told, value))
    return repr(value)
