"""Moore machines over columns: one loop through the rows, written for the machine, in which fields are variables.

    for v0, m0 in zip(*given):
        if s == 0:
            if m0: n0 = v0; s = 1
        ...
        if s == 1: add(n0)

Parts of guards that read no context are columns of truths before the loop begins; all other terms are the code that
runs row by row, so that they have its answers.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
import pyarrow as pa

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Variable
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.engine.pipes.columns.passing import Columns, in_columns_as
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError
from cepheid.engine.pipes.columns.terms import column_of, truths_of
from cepheid.engine.pipes.sources_of_terms import TermSource
from cepheid.palettes.machines.moore import Moore, Transition

_KINDS: Final = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}


@in_columns_as(Moore)
def _run(operation: Moore, column: Column) -> Columns:
    loop = _Loop(operation, column)
    lines = "\n".join(loop.lines())
    names = dict(loop.terms.used)
    exec(compile(lines, "<machine>", "exec"), names)  # our own source
    found: list[Any] = names["run"](loop.given(), *operation.memory.values())
    kinds = set(map(type, found))
    if len(kinds) > 1 or not kinds <= set(_KINDS):
        raise NotInColumnsError
    kind = _KINDS[kinds.pop()] if kinds else pa.null()
    try:
        array = pa.array(found, kind)
    except OverflowError:
        raise NotInColumnsError from None
    return (array.to_numpy() if kind in (pa.int64(), pa.float64()) else array,)


class _Fields(TermSource):
    """Writes terms in which a field of the row is the variable `v0`, and a name of the machine `n0`."""

    def __init__(self, memory: list[str], column: Column) -> None:
        super().__init__()
        self.memory, self.column = memory, column
        self.fields: list[str] = []

    def written(self, node: Expr) -> str:
        match node:
            case Field("$0", name) if isinstance(self.column, pa.Table) and name in self.column.column_names:
                if name not in self.fields:
                    self.fields.append(name)
                return f"v{self.fields.index(name)}"
            case Variable("$0") if isinstance(self.column, np.ndarray):
                return "value"
            case Variable(name) if name in self.memory:
                return f"n{self.memory.index(name)}"
            case Variable() | Field() | IsBound() | NativeCall(in_context=True):
                raise NotInColumnsError
            case _:
                return super().written(node)


class _Loop:
    """The text of the loop, and the columns that it goes through."""

    def __init__(self, operation: Moore, column: Column) -> None:
        self.operation, self.column = operation, column
        if not isinstance(column, pa.Table | np.ndarray):
            raise NotInColumnsError
        self.memory = list(operation.memory)
        self.terms = _Fields(self.memory, column)
        self.masks: list[Column] = []
        self._mask_of = cache(self._new_mask)
        targets = [one.target for one in operation.transitions]
        self.states = {state: number for number, state in enumerate(dict.fromkeys([operation.first, *targets]))}

    def lines(self) -> Iterator[str]:
        body = list(self._body())
        names = ["value", *(f"v{place}" for place in range(len(self.terms.fields)))]
        names += [f"m{place}" for place in range(len(self.masks))]
        yield f"def run(given{''.join(f', n{place}' for place in range(len(self.memory)))}):"
        yield f"    s, found = {self.states[self.operation.first]}, []"
        yield "    add = found.append"
        yield f"    for {', '.join(names)} in zip(*given):"
        yield from (f"        {line}" for line in body)
        yield "    return found"

    def given(self) -> list[Any]:
        """Return the columns, in the order of the variables of the loop."""
        if isinstance(self.column, np.ndarray):
            return [self.column.tolist(), *(mask.tolist() for mask in self.masks)]
        fields = [self.column[name].to_pylist() for name in self.terms.fields]
        return [range(self.column.num_rows), *fields, *(mask.tolist() for mask in self.masks)]

    def _body(self) -> Iterator[str]:
        first = "if"
        for state, number in self.states.items():
            ways = list(self._ways(self.operation.leaving(state)))
            if ways:
                yield f"{first} s == {number}:"
                yield from (f"    {line}" for line in ways)
                first = "elif"
        for state, output in self.operation.says.items():
            yield f"if s == {self.states[state]}: add({self._term(output)})"

    def _ways(self, ways: list[Transition]) -> Iterator[str]:
        first = "if"
        for way in ways:
            guard = "True" if way.when is None else self._guard(way.when)
            yield f"{first} {guard}:"
            new = {self._place(name): self._term(value) for name, value in way.assignments.items()}
            if new:
                yield f"    {', '.join(f'n{place}' for place in new)} = {', '.join(new.values())}"
            yield f"    s = {self.states[way.target]}"
            first = "elif"

    def _guard(self, when: Function) -> str:
        if when.term is None:
            raise NotInColumnsError
        return " and ".join(self._condition(one) for one in _conjuncts(when.term))

    def _condition(self, term: Expr) -> str:
        place = self._mask_of(term)
        return f"{self.terms.written(term)} is True" if place is None else f"m{place}"

    def _new_mask(self, term: Expr) -> int | None:
        """Return the number of the column that says where a condition is True; None where it needs the context."""
        try:
            self.masks.append(truths_of(column_of(term, (self.column,))))
        except NotInColumnsError:
            return None
        return len(self.masks) - 1

    def _place(self, name: str) -> int:
        if name not in self.memory:
            raise NotInColumnsError
        return self.memory.index(name)

    def _term(self, function: Function) -> str:
        if function.term is None:
            raise NotInColumnsError
        return self.terms.written(function.term)


def _conjuncts(term: Expr) -> Iterator[Expr]:
    match term:
        case Call("and", (one, other)):
            yield from _conjuncts(one)
            yield from _conjuncts(other)
        case _:
            yield term
