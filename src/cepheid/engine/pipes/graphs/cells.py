"""Attributes that stand in cells, so that a function made of text can have them as variables of its own.

    class Trimming:
        ahead = InCell[int]()

`trimming.ahead` reads and writes the cell; a function whose free variable is bound to the same cell needs no attribute
for it, and nobody has to carry the state from one to the other.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CellType, CodeType, FunctionType
from typing import Any, Generic, TypeVar

Kind = TypeVar("Kind")


class InCell(Generic[Kind]):
    """An attribute that is kept in a cell of its object."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, one: object, owner: type | None = None) -> Kind:
        return one.cells[self.name].cell_contents  # type: ignore[attr-defined,no-any-return]  # as `__set__` put it

    def __set__(self, one: object, value: Kind) -> None:
        cells_of(one).setdefault(self.name, CellType()).cell_contents = value


def cells_of(one: Any) -> dict[str, CellType]:  # of any class
    """Return the cells of an object, each by the name of its attribute."""
    # Not by `vars`: an object whose dictionary somebody has asked for is slower from then on.
    if not hasattr(one, "cells"):
        one.cells = {}
    cells: dict[str, CellType] = one.cells
    return cells


def bound(
    code: CodeType, objects: dict[str, Any], cells: Mapping[str, CellType], defaults: tuple[Any, ...]
) -> FunctionType:
    """Return a function whose free variables are these cells, and whose last parameters have these defaults."""
    closure = tuple(cells[name] for name in code.co_freevars)
    return FunctionType(code, objects, code.co_name, defaults, closure)


def hand_on(function: FunctionType, to: Callable[..., Any]) -> None:
    """Let a function of a value, an input and a time call another one from now on, whoever holds it."""
    function.__kwdefaults__ = {"to": to}
    function.__code__ = _handing_on(len(function.__code__.co_freevars))


@lru_cache(maxsize=512)
def _handing_on(free: int) -> CodeType:
    """Return code with so many free variables, which it names and does not read: Python asks for as many as before."""
    names = [f"v{number}" for number in range(free)]
    lines = ["def push(w0, at=None, time=None, *, to):", "    return to(w0, at, time)", f"    ({', '.join(names)})"]
    return codes(lines, names)["push"]


def codes(lines: list[str], free: list[str]) -> dict[str, CodeType]:
    """Return the code of each function that a text defines, in which these names are free variables."""
    text = [f"def around({', '.join(free)}):", *(f"    {line}" for line in lines)]
    names: dict[str, Any] = {}
    exec(compile("\n".join(text), "<pass>", "exec"), names)  # our own source
    found = (one for one in names["around"].__code__.co_consts if isinstance(one, CodeType))
    return {one.co_name: one for one in found}
