"""A trace joined with tables: each tuple is looked up when it comes, and no other one is waited for.

    SELECT t.price, n.name FROM @trades AS t LEFT JOIN names AS n ON t.symbol = n.symbol

The trace may stand anywhere among tables that are joined by JOIN, and left of tables that are joined by LEFT JOIN. Rows
that are equal where the condition says so are found by their key.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cepheid.algebra.expressions import Expr, Variable
from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.evaluation import evaluate
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.objects import operation_named
from cepheid.algebra.graphs.processors import Processor
from cepheid.languages.esql.grammars.syntax import Form, Part, Word
from cepheid.languages.esql.piping import Lowers, joined
from cepheid.languages.esql.scopes import Together
from cepheid.languages.esql.selects import JOINS, Select, Source
from cepheid.languages.esql.subqueries import is_table
from cepheid.languages.esql.traces import key_of

__all__ = ["can_look_up", "conditions", "is_by_name", "looked_up"]

Row = Mapping[str, Any]
Rows = tuple[Any, ...]
"""One row for each source, None for those that are not joined yet."""

_INNER: Final = frozenset({"join", "join_using", "cross_join", "natural_join"})
_LEFT: Final = frozenset({"left_join", "left_join_using", "natural_left_join"})


def _steps(part: Part) -> Iterator[Form]:
    """Yield the joins of a FROM from left to right."""
    if isinstance(part, Form) and part.name in JOINS:
        yield from _steps(part.parts[0])
        yield part


def conditions(select: Select) -> tuple[Part, ...]:
    """Return what joins ask for."""
    return tuple(step.parts[2] for one in select.froms for step in _steps(one) if len(step.parts) > 2)


def is_by_name(part: Part) -> bool:
    """Say whether attributes of one name are one: after USING and NATURAL."""
    return any(step.name.endswith("_using") or step.name.startswith("natural") for step in _steps(part))


def can_look_up(select: Select, tables: Mapping[str, Any]) -> bool:
    """Say whether all sources but one are tables, in which its tuples can be looked up."""
    if len(select.froms) != 1:
        return False
    traces = [place for place, one in enumerate(select.sources) if not is_table(one.form, tables)]
    if len(traces) != 1:
        return False
    kinds = [step.name for step in _steps(select.froms[0])]
    before, after = kinds[: traces[0]], kinds[traces[0] :]
    return _INNER.issuperset(before) and (_INNER | _LEFT).issuperset(after)


def looked_up(select: Select, to: Lowers, then: Processor) -> Processor:
    """Return what is made of each tuple of a trace together with rows of the tables."""
    sources, steps = select.sources, list(_steps(select.froms[0]))
    (trace,) = (place for place, one in enumerate(sources) if not is_table(one.form, to.tables))
    scope = Together(tuple(source.name for source in sources))
    checks = [_check(step, place, scope, to) for place, step in enumerate(steps, 1)]
    found: Processor = built_in.apply(Function(1, NativeCall("row", _begun(trace, len(sources)), _FRONT, False)))
    for place in (*range(trace), *range(trace + 1, len(sources))):
        due = tuple(checks[one - 1] for one in _due(place, trace))
        outer = place > trace and steps[place - 1].name in _LEFT
        table = _Table(place, to.reader(_form(sources[place])), due, outer)
        found = found | built_in.apply(Function(1, NativeCall("rows", table.joined, _FRONT, False))) | built_in.unpack()
    return joined(to.processor(_form(sources[trace])), found | then)


_FRONT: Final[tuple[Expr, ...]] = (Variable("$0"),)


def _form(source: Source) -> Form:
    """Return what a source reads; a name that is followed by another is a table."""
    form = source.form
    found = Form("table", "<processor>", (form,)) if isinstance(form, Word) else form
    assert isinstance(found, Form)
    return found


def _begun(place: int, count: int) -> Callable[[Any], Rows]:
    return lambda row: tuple(row if one == place else None for one in range(count))


def _due(place: int, trace: int) -> list[int]:
    """Return the joins, by their right sides, for which a table was the last that was missing.

    The trace comes first, then the tables before it, then those after it.
    """
    own = [place] if place > 0 else []
    return [*own, trace] if place == trace - 1 else own


@dataclass(frozen=True, slots=True)
class _Check:
    """What a join asks of rows: a condition, equal attributes of some names, or of all names that both sides have.

    `right` is the source on its right side. `equal` are pairs of attributes, each with its source, that are compared.
    """

    right: int
    condition: Expr | None = None
    names: tuple[str, ...] | None = ()
    equal: tuple[tuple[tuple[int, str], tuple[int, str]], ...] = ()

    def holds(self, rows: Rows) -> bool:
        if self.condition is not None:
            return evaluate(self.condition, (rows,), {}) is True
        return all(_same(_first(rows[: self.right], name), _get(rows[self.right], name)) for name in self._names(rows))

    def known(self, rows: Rows, place: int) -> Iterator[tuple[str, Any]]:
        """Yield attributes that the row of a table must have, with their values."""
        for one, two in self.equal:
            for (mine, name), (other, known) in ((one, two), (two, one)):
                if mine == place and other != place:
                    yield name, _get(rows[other], known)
        if place == self.right and self.names is not None:
            yield from ((name, _first(rows[: self.right], name)) for name in self.names)

    def _names(self, rows: Rows) -> Iterable[str]:
        if self.names is not None:
            return self.names
        right = rows[self.right] or {}
        return [name for name in right if any(name in (row or {}) for row in rows[: self.right])]


def _check(step: Form, right: int, scope: Together, to: Lowers) -> _Check:
    match step.parts:
        case (_, _, tuple(names)):
            return _Check(right, names=tuple(one.text for one in names if isinstance(one, Word)))
        case (_, _, condition):
            return _Check(right, to.expression(condition, scope), equal=tuple(_equalities(condition, scope)))
    return _Check(right, names=() if step.name == "cross_join" else None)


def _equalities(part: Part, scope: Together) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    match part:
        case Form("and", _, (left, right)):
            yield from _equalities(left, scope)
            yield from _equalities(right, scope)
        case Form("equal", _, (Form("qualified", _, (Word(a), Word(x))), Form("qualified", _, (Word(b), Word(y))))):
            if a in scope.names and b in scope.names:
                yield (scope.names.index(a), x), (scope.names.index(b), y)


@dataclass(slots=True)
class _Table:
    """The rows of a table, which are read when the first tuple comes, by the keys that were asked for."""

    place: int
    read: Callable[[], Sequence[Row]]
    checks: tuple[_Check, ...]
    is_outer: bool
    indexes: dict[tuple[str, ...], dict[Any, list[Row]]] = field(default_factory=dict)

    def joined(self, rows: Rows) -> list[Rows]:
        """Return a tuple together with each row of the table that fits, or with nulls where none has to."""
        together = [self._with(rows, row) for row in self._candidates(rows)]
        found = [one for one in together if all(check.holds(one) for check in self.checks)]
        return found if found or not self.is_outer else [self._with(rows, self._nulls())]

    def _with(self, rows: Rows, row: Row) -> Rows:
        return (*rows[: self.place], row, *rows[self.place + 1 :])

    def _nulls(self) -> Row:
        return dict.fromkeys(name for row in self.read() for name in row)

    def _candidates(self, rows: Rows) -> Sequence[Row]:
        known = dict(pair for check in self.checks for pair in check.known(rows, self.place))
        if not known:
            return self.read()
        if any(value is None for value in known.values()):
            return ()
        names = tuple(sorted(known))
        return self._index(names).get(tuple(key_of(known[name]) for name in names), ())

    def _index(self, names: tuple[str, ...]) -> dict[Any, list[Row]]:
        if names not in self.indexes:
            found: dict[Any, list[Row]] = {}
            for row in self.read():
                found.setdefault(tuple(key_of(row.get(name)) for name in names), []).append(row)
            self.indexes[names] = found
        return self.indexes[names]


def _first(rows: Rows, name: str) -> Any:
    """Return an attribute of the first row that has it."""
    return next((row[name] for row in rows if isinstance(row, Mapping) and name in row), None)


def _get(row: Any, name: str) -> Any:
    return row.get(name) if isinstance(row, Mapping) else None


def _same(one: Any, two: Any) -> bool:
    return operation_named("==")(one, two) is True
