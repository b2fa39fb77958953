"""Read rules, streams, tables and whole programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from lark import Token, v_args
from lark.tree import Meta

from cepheid.algebra.expressions import Expr, Moment
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.programs import EVENT, HULL, Arrival, Program, Row, Rule, Stream, Table, Ties
from cepheid.algebra.relations import Ticks, end, start
from cepheid.diagnostics import Span
from cepheid.events import Value
from cepheid.languages.cep.lengths import Length
from cepheid.languages.cep.lone_names import of_part
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.placed import PlacedReader
from cepheid.languages.cep.tables import TableText, rows_of

T = TypeVar("T")
Emitted: TypeAlias = tuple[str, Mapping[str, Expr] | None, Expr | None, Expr | None]

BARE_NAME: Final = "match"
"""What a query is called that has no name of its own."""


@dataclass(frozen=True, slots=True)
class Tick:
    """The tick of a program."""

    ticks: Ticks
    span: Span


@dataclass(frozen=True, slots=True)
class TiesSaid:
    """What a program says about events of one time."""

    ties: Ties
    span: Span


@dataclass(frozen=True, slots=True)
class Named(Generic[T]):
    """Something with the name that it has in a program."""

    name: str
    content: T
    span: Span


class NamedTable(Named[Table]):
    """A table with its name."""


class NamedPipe(Named[Pipe]):
    """A pipe with its name."""


Declaration = Rule | Stream | Tick | TiesSaid | NamedTable | NamedPipe


@v_args(inline=True)
class ProgramReader(PlacedReader):
    """The rules of the grammar that make rules, streams, tables and programs."""

    def program(self, *declarations: Declaration) -> Program:
        ticks = [item for item in declarations if isinstance(item, Tick)]
        if len(ticks) > 1:
            raise mistake("a program has one tick", ticks[1].span, "this is a second one")
        ties = [item for item in declarations if isinstance(item, TiesSaid)]
        if len(ties) > 1:
            raise mistake("a program says once what holds for ties", ties[1].span, "this is a second time")
        tables = [item for item in declarations if isinstance(item, NamedTable)]
        return Program(
            rules=tuple(item for item in declarations if isinstance(item, Rule)),
            streams=tuple(item for item in declarations if isinstance(item, Stream)),
            pipes=_by_name("pipes", [item for item in declarations if isinstance(item, NamedPipe)]),
            tables=_by_name("tables", tables),
            tick=ticks[0].ticks if ticks else 1,
            ties=ties[0].ties if ties else self.surroundings.ties,
        )

    @v_args(inline=True, meta=True)
    def tick(self, meta: Meta, length: Length) -> Tick:
        return Tick(self.in_time(length), self.place(meta))

    @v_args(inline=True, meta=True)
    def by_arrival(self, meta: Meta) -> TiesSaid:
        return TiesSaid(Ties.ARRIVAL, self.place(meta))

    @v_args(inline=True, meta=True)
    def simultaneous(self, meta: Meta) -> TiesSaid:
        return TiesSaid(Ties.SIMULTANEOUS, self.place(meta))

    @v_args(inline=True, meta=True)
    def named_table(self, meta: Meta, name: str, text: TableText) -> NamedTable:
        table = rows_of(name, text, self.surroundings.tables, self.surroundings.resolve)
        return NamedTable(name, table, self.place(meta))

    @v_args(inline=True, meta=True)
    def named_pipe(self, meta: Meta, name: str, pipe: Pipe) -> NamedPipe:
        return NamedPipe(name, pipe, self.place(meta))

    def rule(
        self,
        name: str,
        per: tuple[Expr, ...] | None,
        pattern: Pattern,
        by: tuple[Expr, ...] | None,
        emitted: Emitted | None,
    ) -> Rule:
        emits, fields, started, ended = emitted or (name, None, None, None)
        return Rule(
            name,
            pattern,
            emits,
            Moment(start(HULL)) if started is None else started,
            Moment(end(HULL)) if ended is None else ended,
            fields or {},
            of_part((per or ()) + (by or ()), EVENT),
        )

    def bare(self, pattern: Pattern, by: tuple[Expr, ...] | None, emitted: Emitted | None) -> Rule:
        return self.rule(emitted[0] if emitted else BARE_NAME, None, pattern, by, emitted)

    def emitted(
        self, emits: str, fields: Mapping[str, Expr] | None, started: Expr | None, ended: Expr | None
    ) -> Emitted:
        return emits, fields, started, ended

    def from_(self, time: Expr) -> Expr:
        return time

    def to(self, time: Expr) -> Expr:
        return time

    def stream(self, name: str, *clauses: Stream) -> Stream:
        """Each clause is a stream of which nothing else is known; together they say all."""
        said = Stream(name)
        for clause in clauses:
            said = Stream(
                name,
                clause.arrival or said.arrival,
                clause.disorder or said.disorder,
                clause.sources or said.sources,
                said.keys if clause.keys is None else clause.keys,
            )
        return said

    def arrival(self, count: Token, per: Length) -> Stream:
        return Stream("", arrival=Arrival(self.number_of(count), self.in_time(per)))

    def spaced_arrival(self, count: Token, per: Length) -> Stream:
        return Stream("", arrival=Arrival(self.number_of(count), self.in_time(per), spaced=True))

    def disorder(self, length: Length) -> Stream:
        return Stream("", disorder=self.in_time(length))

    def sources(self, names: tuple[str, ...]) -> Stream:
        return Stream("", sources=names)

    def keys(self, count: Token) -> Stream:
        return Stream("", keys=self.number_of(count))

    def table(self, table: TableText) -> Table:
        return table.table

    def rows(self, columns: tuple[str, ...], key_count: Token, *rows: Row) -> TableText:
        return TableText(Table(columns, rows, self.number_of(key_count)))

    @v_args(inline=True, meta=True)
    def rows_elsewhere(self, meta: Meta, columns: tuple[str, ...], key_count: Token) -> TableText:
        return TableText(Table(columns, (), self.number_of(key_count)), is_given=True, span=self.place(meta))

    def rows_of_file(self, columns: tuple[str, ...], key_count: Token, file: Token) -> TableText:
        table = Table(columns, (), self.number_of(key_count))
        return TableText(table, self.text_of(file), span=self.place_of(file))

    def row(self, *cells: Value) -> Row:
        return cells


def _by_name(kind: str, named: Sequence[Named[T]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for item in named:
        if item.name in found:
            raise mistake(f"two {kind} are called `{item.name}`", item.span, "this is the second one")
        found[item.name] = item.content
    return found
