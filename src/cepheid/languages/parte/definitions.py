"""What a text declares, by name: templates, tables, predicates and patterns, each once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from cepheid.algebra.functions import function_named
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source
from cepheid.languages.parte.syntax import (
    PatternText,
    PredicateText,
    RuleText,
    Slot,
    SourceText,
    Statement,
    TableText,
    Template,
    Tick,
)
from cepheid.languages.parte.variables import TIMESTAMP
from cepheid.languages.shared.findings import finding, refusal
from cepheid.languages.shared.terms import Name

Named = Template | RuleText | TableText | PredicateText | PatternText
N = TypeVar("N", bound=Named)
S = TypeVar("S")

_WORDS: Final = {
    Template: "template",
    RuleText: "rule",
    TableText: "table",
    PredicateText: "predicate",
    PatternText: "pattern",
}


@dataclass(frozen=True, slots=True)
class Definitions:
    """Everything that a text and the texts it uses declare."""

    templates: dict[str, Template]
    rules: tuple[RuleText, ...]
    sources: tuple[SourceText, ...]
    tables: dict[str, TableText]
    predicates: dict[str, PredicateText]
    patterns: dict[str, PatternText]
    tick: int


def definitions_of(statements: Iterable[Statement], source: Source) -> Definitions:
    """Return what some statements declare; raise with everything that is wrong about their names."""
    every = list(statements)
    problems = [*_duplicates(every), *_slot_problems(every), *_missing(every, source)]
    if problems:
        raise CepheidError(*problems)
    return Definitions(
        _by_name(_of(Template, every)),
        tuple(_of(RuleText, every)),
        tuple(_of(SourceText, every)),
        _by_name(_of(TableText, every)),
        _by_name(_of(PredicateText, every)),
        _by_name(_of(PatternText, every)),
        _tick(_of(Tick, every)),
    )


def _of(kind: type[S], statements: Iterable[object]) -> list[S]:
    return [statement for statement in statements if isinstance(statement, kind)]


def _by_name(definitions: Iterable[N]) -> dict[str, N]:
    return {definition.name.name: definition for definition in definitions}


def _tick(ticks: list[Tick]) -> int:
    for again in ticks[1:]:
        others = (Label(ticks[0].span, "first declared here"),)
        hint = "leave one of the two out"
        raise refusal("bad-declaration", "`tick` is declared twice", again.span, "declared again", hint, others=others)
    return ticks[0].length if ticks else 1


def _duplicates(statements: list[Statement]) -> Iterator[Diagnostic]:
    """Yield what has the name of something before it: types of events, what is called, and rules are apart."""
    first: dict[tuple[str, str], Named] = {}
    for statement in statements:
        if isinstance(statement, Template | RuleText | TableText | PredicateText | PatternText):
            room = _room(statement)
            known = first.setdefault((room, statement.name.name), statement)
            if known is not statement:
                yield _duplicate(known, statement)
            elif room == "called" and function_named(statement.name.name) is not None:
                yield _built_in(statement)


def _room(statement: Named) -> str:
    match statement:
        case Template() | PatternText():
            return "matched"
        case TableText() | PredicateText():
            return "called"
        case RuleText():
            return "rule"


def _duplicate(first: Named, second: Named) -> Diagnostic:
    word, name = _WORDS[type(second)], second.name.name
    same = type(first) is type(second)
    code = {Template: "duplicate-template", RuleText: "duplicate-rule"}.get(type(second), "duplicate-definition")
    message = f"the {word} `{name}` is defined twice" if same else f"a {_WORDS[type(first)]} is called `{name}` already"
    others = (Label(first.name.span, "first defined here"),)
    hint = f"call one of them `{name}2`"
    return finding(code, message, second.name.span, "defined again", hint, others=others)


def _built_in(statement: Named) -> Diagnostic:
    name = statement.name.name
    message, label = f"`{name}` is a function already", "every rule can call it"
    return finding("duplicate-definition", message, statement.name.span, label, f"call it `{name}2`")


def _slot_problems(statements: list[Statement]) -> Iterator[Diagnostic]:
    for statement in statements:
        if isinstance(statement, Template):
            yield from _repeated(statement.slots, f"`{statement.name.name}`", "slot")
            yield from (_reserved(slot.name) for slot in statement.slots if slot.name.name == TIMESTAMP)
        elif isinstance(statement, TableText):
            yield from _repeated(statement.columns, f"the table `{statement.name.name}`", "column")


def _repeated(slots: tuple[Slot, ...], owner: str, word: str) -> Iterator[Diagnostic]:
    first: dict[str, Name] = {}
    for slot in slots:
        known = first.setdefault(slot.name.name, slot.name)
        if known is not slot.name:
            message = f"{owner} has two {word}s `{slot.name.name}`"
            others = (Label(known.span, "the first one"),)
            hint = f"call one of them `{slot.name.name}2`"
            yield finding("duplicate-slot", message, slot.name.span, f"a second `{known.name}`", hint, others=others)


def _reserved(name: Name) -> Diagnostic:
    message, label = f"every event has a `{TIMESTAMP}` already", "a second one"
    return finding("duplicate-slot", message, name.span, label, "leave it out, or call it `time`")


def _missing(statements: list[Statement], source: Source) -> Iterator[Diagnostic]:
    if not _of(Template, statements):
        hint = "write `template MoneyTransferred { id : TransactionId, amount : Amount }`"
        yield finding("no-template", "there is no template", source.end, "no event has a type", hint)
    elif not _of(RuleText, statements):
        hint = "write `rule Found where a : A when then emit B at a.timestamp with {}`"
        yield finding("no-rule", "there is no rule", source.end, "nothing says what to look for", hint)
