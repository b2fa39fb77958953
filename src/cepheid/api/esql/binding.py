"""What a query of eSQL is run over: inputs that are traces or tables, and files below its folder."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from os import PathLike
from os.path import realpath
from pathlib import Path
from typing import Any, TypeAlias

from cepheid.algebra.graphs.operations import Source
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.api.esql.sources import rows_of_file
from cepheid.api.esql.tables import FrameTable
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.languages.esql.fusing import fused
from cepheid.languages.esql.grammars.syntax import Form, Part, Word
from cepheid.languages.esql.lowering import Lowering, names_read
from cepheid.languages.esql.places import placed, refused
from cepheid.languages.esql.sql import Statement
from cepheid.languages.shared.findings import listed

__all__ = ["FINITE", "Binding", "Trace", "all_names", "below", "is_table", "rows_of"]

Trace: TypeAlias = "Iterable[Any] | str | PathLike[str]"  # values of any kind, a frame, or the name of a file
FINITE = (list, tuple, dict, set, frozenset, range, str, PathLike)


@dataclass(frozen=True, slots=True)
class Binding:
    """A query, what it is lowered with, and the traces for its inputs; without them it is lowered to be pushed to."""

    form: Part
    lowering: Lowering
    given: Mapping[str, Trace] | None = None
    is_tried: bool = False
    """Whether it is lowered only to see that it can be, whatever will be given for its inputs."""

    def processor(self) -> tuple[Processor, tuple[Iterable[Any], ...]]:
        """Return the processor of the query, and the traces for its inputs."""
        tables = dict(self.lowering.tables)
        given = self.given or {}
        tables |= {name: rows_of(value) for name, value in given.items() if is_table(value)}
        names = names_read(self.form, tables)
        lowering = replace(self.lowering, inputs=names, tables=tables, answer=self._answer)
        return fused(lowering.processor(self.form)), tuple(rows_of(given[name]) for name in names if name in given)

    @property
    def is_of_traces(self) -> bool:
        """Whether nothing that is given is a table, or is looked at before the pipe runs."""
        names, tables = all_names(self.form, self.lowering.tables), self.lowering.tables
        if names != names_read(self.form, tables) or _reads_a_table(self.form, tables):
            return False
        return not any(map(is_table, (self.given or {}).values()))

    def check_names(self) -> tuple[str, ...]:
        """Return the names of all inputs; raise where one is missing, or there is one that the query does not read."""
        needed = all_names(self.form, self.lowering.tables)
        given = self.given or {}
        for name in needed:
            if name not in given:
                message, hint = f"nothing is given for `{name}`", f"write `query.run({name}=rows)`"
                raise CepheidError(Diagnostic("missing-input", message, hints=(hint,)))
        for name in given:
            if name not in needed:
                closest = close_match(name, needed)
                hint = f"did you mean `{closest}`?" if closest else f"it reads {listed(needed) or 'nothing'}"
                raise CepheidError(Diagnostic("unknown-input", f"the query has no input `{name}`", hints=(hint,)))
        return needed

    def _answer(self, statement: Statement, lowering: Lowering) -> Processor:
        """Return the rows that a database gives, as a source that asks it when it is read."""
        leaves = {name: self._leaf(leaf, lowering, statement) for name, leaf in statement.leaves.items()}
        names = tuple(_attributes(statement.form)) if len(leaves) == 1 else ()
        said = {name: names or statement.attributes.get(name, ()) for name in leaves}

        def read() -> Iterator[Any]:
            from cepheid.connectors.database import answer  # heavy

            with placed(statement.form):
                read = {name: leaf() for name, leaf in leaves.items()}
                found = answer(statement.text, read, said, strict=statement.strict or len(read) > 1)
            if statement.gives_values:
                return (row[0] for row in found.rows)
            return (dict(zip(found.columns, row, strict=True)) for row in found.rows)

        return Atom(Source(f"sql({statement.text!r})", read, kind="any" if statement.gives_values else "record"))

    def _leaf(self, leaf: Part, lowering: Lowering, statement: Statement) -> Callable[[], object]:
        """Return what reads a leaf: a table, or all that a finite pipe gives."""
        match leaf:
            case Form("table", _, (Word(name),)) if name in lowering.tables:
                return lambda: lowering.tables[name]
            case Form("star") if "*" in lowering.tables:
                return lambda: lowering.tables["*"]
        names = all_names(leaf, lowering.tables)
        given = self.given
        if self.is_tried:
            replace(self, form=leaf).processor()
            return tuple
        for name in names:
            if given is None or not isinstance(given.get(name), FINITE):
                raise _endless(statement.form, name)
        inner = Binding(leaf, self.lowering, {name: (given or {})[name] for name in names})
        return lambda: _all(inner)


def _all(binding: Binding) -> object:
    processor, traces = binding.processor()
    return processor.run(*traces)


def _endless(form: Form, name: str) -> CepheidError:
    message = f"a SELECT needs all of `{name}`, which may have no end"
    hint = f"give it as a table, or take parts of it: `GET (SELECT MAX(value) FROM *) FROM @{name} ON A WINDOW OF 100`"
    return refused(form, "needs-whole-input", message, "the last row could change the first answer", hint)


def all_names(part: Part, tables: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all inputs of a query, those of a SELECT that needs all rows too."""
    return tuple(dict.fromkeys(_names(part, tables)))


def _names(part: Part, tables: Mapping[str, Any]) -> Iterator[str]:
    match part:
        case Form("input", _, (Word(name),)):
            yield name
        case Form("table", _, (Word(name),)) | Form("as_table", _, (Word(name), _)):
            if name not in tables:
                yield name
        case Form(parts=parts):
            yield from chain.from_iterable(_names(one, tables) for one in parts)
        case tuple():
            yield from chain.from_iterable(_names(one, tables) for one in part)
        case _:
            pass


def _reads_a_table(part: Part, tables: Mapping[str, Any]) -> bool:
    """Say whether a table is read, which may be another one the next time."""
    match part:
        case Form("table", _, (Word(name),)) | Form("as_table", _, (Word(name), _)) if name in tables:
            return True
        case Form(parts=parts):
            return any(_reads_a_table(one, tables) for one in parts)
        case tuple():
            return any(_reads_a_table(one, tables) for one in part)
        case _:
            return False


def _attributes(part: Part) -> Iterator[str]:
    match part:
        case Form("attribute", _, (Word(name),)) | Form("qualified", _, (_, Word(name))):
            yield name
        case Form(parts=parts):
            yield from chain.from_iterable(map(_attributes, parts))
        case tuple():
            yield from chain.from_iterable(map(_attributes, part))
        case _:
            pass


def is_table(value: object) -> bool:
    """Say whether something that is given for an input hands out Arrow."""
    return hasattr(value, "__arrow_c_stream__")


def rows_of(value: Trace) -> Iterable[Any]:
    """Return what is given for an input as something to go through."""
    if isinstance(value, str | PathLike):
        return rows_of_file(Path(value))
    if is_table(value):
        return FrameTable(value)
    return value


def below(folders: tuple[Path, ...], file: str) -> Path:
    """Return the path of a file that a query names, which lies below one of these folders."""
    try:
        path = Path(realpath(folders[0] / file))
    except ValueError:
        message = f"{file!r} cannot be read: no file has such a name"
        raise CepheidError(Diagnostic("unreadable-input", message)) from None
    if any(path.is_relative_to(realpath(folder)) for folder in folders):
        return path
    hint = f'write `compile(text, allow_files=["{path.parent}"])`'
    raise CepheidError(Diagnostic("file-not-allowed", f"`{file}` lies outside of the query's folder", hints=(hint,)))
