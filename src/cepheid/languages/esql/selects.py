"""What a SELECT says, clause by clause, and whether it needs all of its input at once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cepheid.diagnostics import CepheidError, Span
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.printing import show
from cepheid.languages.esql.grammars.syntax import Form, Part, Word
from cepheid.languages.shared.findings import head, refusal

__all__ = [
    "AGGREGATES",
    "JOINS",
    "QUERIES",
    "SETS",
    "Item",
    "Select",
    "Source",
    "clauses_of",
    "columns_of",
    "first_select",
    "is_aggregate",
    "names_of",
    "select_of",
]

AGGREGATES: Final = frozenset(
    [
        "ANY_VALUE",
        "ARRAY_AGG",
        "AVG",
        "BOOL_AND",
        "BOOL_OR",
        "COUNT",
        "FIRST",
        "LAST",
        "MAX",
        "MEDIAN",
        "MIN",
        "STDDEV",
        "STDDEV_POP",
        "SUM",
        "VARIANCE",
        "VAR_POP",
    ]
)
"""Functions of many rows."""

JOINS: Final = frozenset(
    [
        "join",
        "join_using",
        "left_join",
        "left_join_using",
        "right_join",
        "right_join_using",
        "full_join",
        "full_join_using",
        "cross_join",
        "natural_join",
        "natural_left_join",
    ]
)
SETS: Final = frozenset({"set", "set_with", "meet", "meet_with"})
"""Two queries together: UNION and its like."""

QUERIES: Final = frozenset({"select", "select_with", "select_values", *SETS})
_ORDER: Final = ("where_clause", "group_by", "having", "order_by", "limit", "offset")
_WORDS: Final = ("WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "OFFSET")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is selected: an expression with its name, or all attributes (of one source)."""

    form: Part
    name: str | None
    is_all: bool = False
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where rows come from: a processor, and what expressions call it."""

    form: Part
    name: str | None


@dataclass(frozen=True, slots=True)
class Select:
    """The clauses of a SELECT; `source` has the joins, `sources` what they join."""

    form: Form
    items: tuple[Item, ...]
    distinct: bool
    froms: tuple[Part, ...]
    clauses: dict[str, Form]

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(source for one in self.froms for source in _sources(one))

    @property
    def gives_values(self) -> bool:
        """Whether it gives values themselves and no tuples: for one expression that has no name."""
        (first, *others) = self.items
        return not others and first.name is None and not first.is_all

    @property
    def needs_everything(self) -> bool:
        """Whether the first row of the answer can depend on the last row of one input."""
        return bool({"group_by", "having", "order_by"} & set(self.clauses)) or self.aggregates

    @property
    def is_joined(self) -> bool:
        return any(isinstance(one, Form) and one.name in JOINS for one in self.froms)

    @property
    def aggregates(self) -> bool:
        return any(is_aggregate(item.form) for item in self.items)


def select_of(form: Form) -> Select:
    """Return the clauses of a form that is a SELECT, or refuse clauses in another order than SQL's."""
    selection, froms, *rest = (*form.parts, ()) if form.name == "select_values" else form.parts
    distinct = isinstance(selection, Form) and selection.name == "distinct"
    items = selection.parts[0] if isinstance(selection, Form) and distinct else selection
    listed = froms if isinstance(froms, tuple) else (froms,)
    return Select(form, tuple(map(_item, _tuple(items))), distinct, listed, clauses_of(rest))


def first_select(form: Form) -> Select:
    """Return the SELECT that says what the tuples of a query are called; of two together it is the first."""
    while form.name in SETS:
        first = form.parts[0]
        if not isinstance(first, Form) or first.name not in QUERIES:
            return Select(form, (Item(form, None, is_all=True),), False, (first,), {})
        form = first
    return select_of(form)


def columns_of(part: Part, grammar: Grammar) -> tuple[str, ...] | None:
    """Return the names that the tuples of a query have, where it is a SELECT that says them."""
    if not isinstance(part, Form) or part.name not in QUERIES:
        return None
    items = first_select(part).items
    if any(item.is_all for item in items):
        return None
    return names_of(items, grammar)


def names_of(items: Iterable[Item], grammar: Grammar) -> tuple[str, ...]:
    """Return the names of items: what AS says, an attribute's own, else the text; the second `a` is `a_2`."""
    found: list[str] = []
    for item in items:
        name = told = item.name or show(grammar, item.form, "<function>")
        times = 1
        while told in found:
            times += 1
            told = f"{name}_{times}"
        found.append(told)
    return tuple(found)


def _tuple(part: Part) -> tuple[Part, ...]:
    return part if isinstance(part, tuple) else (part,)


def _item(part: Part) -> Item:
    match part:
        case Form("as", _, (form, Word(name))):
            return Item(form, name)
        case Form("attribute", _, (Word(name),)) | Form("qualified", _, (_, Word(name))):
            return Item(part, name)
        case Form("all"):
            return Item(part, None, is_all=True)
        case Form("all_of", _, (Word(of),)):
            return Item(part, None, is_all=True, of=of)
        case _:
            return Item(part, None)


def _sources(part: Part) -> Iterator[Source]:
    match part:
        case Form(name, _, (left, right, *_)) if name in JOINS:
            yield from _sources(left)
            yield from _sources(right)
        case Form("as" | "as_table", _, (form, Word(name))):
            yield Source(form, name)
        case Form("table", _, (Word(name),)) | Form("input", _, (Word(name),)):
            yield Source(part, name)
        case _:
            yield Source(part, None)


def clauses_of(parts: Sequence[Part]) -> dict[str, Form]:
    """Return the clauses of a list, if there is one, by what they are."""
    found: dict[str, Form] = {}
    for part in _tuple(parts[0]) if parts else ():
        assert isinstance(part, Form)
        if part.name in found:
            raise _misplaced(part, "stands twice")
        if found and _ORDER.index(part.name) < max(map(_ORDER.index, found)):
            raise _misplaced(part, "stands too late")
        found[part.name] = part
    return found


def _misplaced(clause: Form, how: str) -> CepheidError:
    word = _WORDS[_ORDER.index(clause.name)]
    hint = f"write the clauses as {', '.join(f'`{one}`' for one in _WORDS)}, each once"
    assert clause.span is not None
    place: Span = head(clause.span)
    return refusal("misplaced-clause", f"`{word}` {how}", place, "not here", hint)


def is_aggregate(part: Part) -> bool:
    """Say whether an expression has an aggregate in it; what a query inside of it has is its own."""
    match part:
        case Form(name) if name in QUERIES:
            return False
        case Form("call_all"):
            return True
        case Form("call" | "call_distinct", _, (Word(name), *_)) if name.upper() in AGGREGATES:
            return True
        case Form(parts=parts):
            return any(map(is_aggregate, parts))
        case tuple():
            return any(map(is_aggregate, part))
        case _:
            return False
