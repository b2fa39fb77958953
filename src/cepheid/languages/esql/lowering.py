"""Forms to processors: a query of eSQL is a pipe."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from cepheid.algebra.expressions import Expr, Literal
from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.functions import (
    Function,
    TwoPlace,
    add,
    and_,
    divide,
    maximum,
    minimum,
    multiply,
    or_,
    subtract,
)
from cepheid.algebra.graphs.processors import Pick, Processor, fan, lifted
from cepheid.algebra.graphs.terms import PipeTerm, reads
from cepheid.languages.esql.functions import constant_of, expression_of
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.syntax import Form, Number, Part, Text, Word
from cepheid.languages.esql.piping import joined
from cepheid.languages.esql.places import called, placed, refused
from cepheid.languages.esql.scopes import Scope, Together
from cepheid.languages.esql.selecting import is_whole, selected
from cepheid.languages.esql.selects import QUERIES, SETS, select_of
from cepheid.languages.esql.set_operations import united
from cepheid.languages.esql.sql import Statement, statement_of
from cepheid.languages.esql.stream_joins import looked_up
from cepheid.languages.esql.traces import tuples_of_lines, union
from cepheid.languages.esql.windowed import windows_of_rows
from cepheid.palettes import temporal

__all__ = ["Lowering", "Maker", "names_read"]

Maker = Callable[..., Any]  # of processors, terms, numbers and texts; it gives a processor or a term
Rows = Iterable[Mapping[str, Any]]  # values of any kind

_TWO_PLACE: Final[Mapping[str, TwoPlace]] = {
    "addition": add,
    "subtraction": subtract,
    "multiplication": multiply,
    "division": divide,
    "minimum": minimum,
    "maximum": maximum,
    "conjunction": and_,
    "disjunction": or_,
}
BODY: Final = "*"
"""The input of a windowed or sliced processor."""


@dataclass(frozen=True, slots=True)
class Lowering:
    """What a query is lowered with: the inputs it reads in their order, tables, makers of palettes, and the outside.

    `lines` gives the lines of a file, `records` its tuples, as sources; `answer` runs a statement of SQL over leaves.
    """

    grammar: Grammar
    inputs: tuple[str, ...]
    tables: Mapping[str, Rows] = field(default_factory=dict)
    makers: Mapping[str, Maker] = field(default_factory=dict)
    lines: Callable[[str], Processor] | None = None
    records: Callable[[str], Processor] | None = None
    answer: "Callable[[Statement, Lowering], Processor] | None" = None

    def processor(self, part: Part) -> Processor:
        """Return the processor that a form says."""
        assert isinstance(part, Form)
        with placed(part):
            known = _KINDS.get(part.name)
            if known is not None:
                return known(self, part)
            if part.name in self.makers:
                made = called(part, self.makers[part.name], [self.given(one) for one in part.parts])
                if isinstance(made, Processor):
                    return made
            raise refused(part, "bad-pipe", "this makes no processor", "not a processor", "write another form here")

    def piped(self, part: Part, then: Processor) -> Processor:
        """Return what a form says, and after it another processor."""
        return joined(self.processor(part), then)

    def processors(self, parts: tuple[Part, ...]) -> Processor:
        """Return several processors side by side, over the same inputs."""
        found = [self.processor(part) for part in parts]
        return found[0] if len(found) == 1 else fan(*found)

    def input(self, form: Form, name: str) -> Processor:
        """Return an input, or a table, by its name."""
        if name in self.tables and form.name != "input":
            return built_in_source(name, self.tables[name])
        if name in self.inputs:
            return Pick(len(self.inputs), self.inputs.index(name))
        what = "the processor of a window or a slice" if self.inputs == (BODY,) else "the query"
        hint = "write `*` for what a window or slice reads" if self.inputs == (BODY,) else "name it as an input"
        raise refused(form, "bad-pipe", f"{what} cannot read `{name}`", "not an input here", hint)

    def body(self, part: Part) -> Processor:
        """Return the processor of a window or slice, whose input is `*`."""
        return replace(self, inputs=(BODY,)).processor(part)

    def expression(self, part: Part, scope: Scope) -> Expr:
        return expression_of(part, scope, self.makers, self.reader)

    def reader(self, form: Form) -> Callable[[], Sequence[Any]]:
        """Return what reads all rows of tables, or of a query over tables; it does so once."""
        if form.name in QUERIES and self.answer is not None:
            found = self.answer(statement_of(form, self.grammar, strict=True), self)
        else:
            found = replace(self, inputs=()).processor(form)
        return cache(lambda: list(found.run()))

    def function(self, part: Part, scope: Scope, arity: int) -> Function:
        """Return a function of so many inputs."""
        found = self.expression(part, scope)
        return Function(arity, found, names=reads(found)[1])

    def given(self, part: Part) -> object:
        """Return what a maker of a palette is handed for a part."""
        match part:
            case Form(symbol="<processor>" | "<query>"):
                return self.processor(part)
            case Number() | Text() | Form("true" | "false" | "unknown"):
                return constant_of(part)
            case Word(text):
                return text
            case Form(name) if name in _TWO_PLACE:
                return _TWO_PLACE[name]
            case tuple():
                return [self.given(one) for one in part]
            case _:
                return PipeTerm(self.expression(part, Together((None,))))

    def whole(self, form: Form) -> Processor:
        """Return the answer of a database to a SELECT that needs all rows."""
        if self.answer is None or self.inputs == (BODY,):
            over = "GET (SELECT MAX(value) AS most FROM *) FROM @trades ON A WINDOW OF 9"
            hint = f"write it over the window: `SELECT most FROM ({over})`"
            raise refused(form, "needs-whole-input", "a SELECT needs all of its input", "not over a part", hint)
        return self.answer(statement_of(form, self.grammar), self)


def built_in_source(name: str, rows: Rows) -> Processor:
    """Return a table as a source of its rows."""
    from cepheid.algebra.graphs.operations import Source
    from cepheid.algebra.graphs.processors import Atom

    return Atom(Source(name, lambda: iter(rows), kind="record"))


def size(part: Part, least: int = 0) -> int:
    """Return a number of values, which is whole."""
    match part:
        case Number(int(value)) if value >= least:
            return value
    message, hint = "a number of values is whole and not negative", f"write a number such as `{least + 1}`"
    raise refused(part, "bad-pipe", message, "not such a number", hint)


def _apply(to: Lowering, form: Form) -> Processor:
    function, processes = form.parts
    forms, names = _named(processes)
    found, computed = to.processors(forms), to.function(function, Scope(names), len(forms))
    if isinstance(computed.term, Literal):
        return joined(found, built_in.turn_into(computed.term.value, len(forms)))
    return joined(found, built_in.apply(computed))


def _collate(to: Lowering, form: Form) -> Processor:
    forms, names = _named(form.parts[0])
    told = [name for name in names if name is not None]
    collated = built_in.collate(*told) if len(told) == len(names) else built_in.collate(len(forms))
    return joined(to.processors(forms), collated)


def _named(part: Part) -> tuple[tuple[Part, ...], tuple[str | None, ...]]:
    """Return processors of a list, and the name of each that AS gives one."""
    forms: list[Part] = []
    names: list[str | None] = []
    for one in part if isinstance(part, tuple) else (part,):
        match one:
            case Form("as", _, (inner, Word(name))):
                forms.append(inner)
                names.append(name)
            case _:
                forms.append(one)
                names.append(None)
    return tuple(forms), tuple(names)


def _combine(to: Lowering, form: Form) -> Processor:
    source, name = form.parts
    assert isinstance(name, Form)
    if name.name == "union":
        return to.piped(source, built_in.cumulate(union, frozenset()))
    return to.piped(source, built_in.cumulate(_TWO_PLACE[name.name]))


def _window(to: Lowering, form: Form) -> Processor:
    body, source, length = form.parts
    span = length.value if isinstance(length, Text) else size(length, 1)
    if isinstance(body, Form) and body.name in QUERIES and is_whole(body, to.tables):
        return to.piped(source, _windowed_sql(to, body, span))
    return to.piped(source, built_in.window(to.body(body), span))


def _windowed_sql(to: Lowering, body: Form, span: str | int) -> Processor:
    """Return the answers of a SELECT over each window, each a list."""
    statement = statement_of(body, to.grammar)
    if to.answer is None or list(statement.leaves.values()) != [Form("star", "<processor>")]:
        hint = "write `SELECT MAX(value) FROM *` inside the window"
        raise refused(body, "needs-whole-input", "a SELECT needs all of its input", "it reads more than `*`", hint)
    answer = to.answer

    def answered(rows: list[Mapping[str, Any]]) -> object:
        return list(answer(statement, replace(to, tables={BODY: rows}, inputs=())).run())

    return windows_of_rows(span) | built_in.apply(answered)


def _slice(to: Lowering, form: Form) -> Processor:
    source, body, function = form.parts
    key = to.function(function, Together((None,)), 1)
    gather = "set" if form.name == "slice_set" else "map"
    return to.piped(source, built_in.slice(key, to.body(body), gather))


def _where(to: Lowering, form: Form) -> Processor:
    source, condition = form.parts
    name = source.parts[0] if isinstance(source, Form) and source.name in ("table", "input") else None
    scope = Together((name.text if isinstance(name, Word) else None,))
    return to.piped(source, built_in.where(to.function(condition, scope, 1)))


def _tuples(to: Lowering, form: Form) -> Processor:
    (source,) = form.parts
    match source:
        case Form("file", _, (Text(path),)) if to.records is not None:
            return to.records(path)
        case _:
            return to.piped(source, tuples_of_lines)


def _file(to: Lowering, form: Form) -> Processor:
    match form.parts:
        case (Text(path),) if to.lines is not None:
            return to.lines(path)
    raise refused(form, "file-not-allowed", "a query reads no files here", "a file", "give its lines as an input")


def _name(to: Lowering, form: Form) -> Processor:
    match form.parts:
        case (Word(name),):
            return to.input(form, name)
    raise refused(form, "bad-pipe", "an input has a name", "no name", "write `@trades`")


def _star(to: Lowering, form: Form) -> Processor:
    if to.inputs == (BODY,):
        return Pick(1, 0)
    hint = "write the input itself, for example `@trades`"
    raise refused(form, "bad-pipe", "`*` stands outside of a window or a slice", "there is nothing it stands for", hint)


def _select(to: Lowering, form: Form) -> Processor:
    if is_whole(form, to.tables):
        return to.whole(form)
    select = select_of(form)
    then = selected(select, to.grammar, lambda part, scope: to.function(part, scope, 1))
    if select.is_joined:
        return looked_up(select, to, then)
    return joined(to.processors(tuple(source.form for source in _tables(select.sources))), then)


def _set(to: Lowering, form: Form) -> Processor:
    return to.whole(form) if is_whole(form, to.tables) else united(form, to)


def _tables(sources: Iterable[Any]) -> list[Any]:
    """Return sources of which each is a form; a name that is followed by another is a table."""
    found = []
    for source in sources:
        word = source.form
        form = Form("table", "<processor>", (word,)) if isinstance(word, Word) else word
        found.append(replace(source, form=form))
    return found


def _from(to: Lowering, form: Form) -> Processor:
    froms = form.parts[0]
    assert isinstance(froms, tuple)
    forms, _ = _named(froms)
    found = to.processors(forms)
    return joined(found, built_in.collate(len(forms))) if len(forms) > 1 else found


_KINDS: Final[Mapping[str, Callable[[Lowering, Form], Processor]]] = {
    "star": _star,
    "input": _name,
    "table": _name,
    "apply": _apply,
    "constant": lambda _, form: built_in.constant(constant_of(form.parts[0])),
    "combine": _combine,
    "freeze": lambda to, form: to.piped(form.parts[0], built_in.freeze()),
    "trim": lambda to, form: to.piped(form.parts[1], built_in.trim(size(form.parts[0]))),
    "prefix": lambda to, form: to.piped(form.parts[1], built_in.prefix(size(form.parts[0]))),
    "decimate": lambda to, form: to.piped(form.parts[2], built_in.decimate(size(form.parts[0], 1))),
    "window": _window,
    "window_of_time": _window,
    "slice": _slice,
    "slice_set": _slice,
    "collate": _collate,
    "tuples": _tuples,
    "file": _file,
    "where": _where,
    "from": _from,
    **dict.fromkeys(QUERIES - SETS, _select),
    **dict.fromkeys(SETS, _set),
    "negation": lambda to, form: lifted("not", to.processor(form.parts[0])),
    "both": lambda to, form: lifted("and", *map(to.processor, form.parts)),
    "either": lambda to, form: lifted("or", *map(to.processor, form.parts)),
    "globally": lambda to, form: to.piped(form.parts[0], temporal.globally()),
    "eventually": lambda to, form: to.piped(form.parts[0], temporal.eventually()),
    "next": lambda to, form: to.piped(form.parts[0], temporal.next_()),
    "until": lambda to, form: joined(to.processors(form.parts), temporal.until()),
    "always": lambda to, form: to.piped(form.parts[0], temporal.always()),
    "sometime": lambda to, form: to.piped(form.parts[0], temporal.sometime()),
    "after": lambda to, form: to.piped(form.parts[0], temporal.after()),
    "up_to": lambda to, form: joined(to.processors(form.parts), temporal.up_to()),
}


def names_read(part: Part, tables: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the inputs that pipes of a query read, in the order in which they stand; no tables among them."""
    return tuple(dict.fromkeys(_names(part, tables)))


def _names(part: Part, tables: Mapping[str, Any]) -> list[str]:
    match part:
        case Form("input", _, (Word(name),)):
            return [name]
        case Form("table", _, (Word(name),)) | Form("as_table", _, (Word(name), _)):
            return [] if name in tables else [name]
        case Form(name) if name in QUERIES and is_whole(part, tables):
            return []
        case Form(parts=parts):
            return [name for one in parts for name in _names(one, tables)]
        case tuple():
            return [name for one in part for name in _names(one, tables)]
        case _:
            return []
