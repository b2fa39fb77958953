"""A text added to a grammar: its definitions are rules, and their bodies are read by the grammar that has them all.

However many definitions a text has, one grammar is made of it. So they may use each other in any order, but not in a
circle.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Final

from cepheid.diagnostics import CepheidError, Label, Source, Span
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.reading import derived, read
from cepheid.languages.esql.grammars.rules import SAME, Rule, is_symbol
from cepheid.languages.esql.grammars.statements import Head, Statement, head_of, is_definition, statements_of
from cepheid.languages.esql.grammars.syntax import Definition, Form, Part
from cepheid.languages.esql.grammars.tokens import Token
from cepheid.languages.shared.findings import head, refusal

__all__ = ["Dictionary", "loaded"]

_PLACES: Final = {"FUNCTION": ("<primary>", "<function>")}
"""What a rule of a symbol makes, and what stands for it between other words, where the two are not one."""


@dataclass(frozen=True)
class Dictionary:
    """A grammar and the definitions in it."""

    grammar: Grammar
    definitions: Mapping[str, Definition]

    @cached_property
    def symbols(self) -> Mapping[str, str]:
        """All that can be extended, by the names that users say."""
        return {symbol[1:-1].upper(): symbol for symbol in self.grammar.by_symbol}


def loaded(dictionary: Dictionary, text: str, name: str) -> tuple[Dictionary, Part | None]:
    """Return a dictionary with the definitions of a text, and the query that stands last in it, if there is one."""
    source = Source(name, text)
    statements = statements_of(source)
    last = statements[-1] if statements and not is_definition(statements[-1]) else None
    defining = statements if last is None else statements[:-1]
    for statement in defining:
        if not is_definition(statement):
            raise _query_before_others(statement)
    grown = _with_definitions(dictionary, defining)
    return grown, None if last is None else read(grown.grammar, "<processor>", last.tokens, source)


def _with_definitions(dictionary: Dictionary, statements: Sequence[Statement]) -> Dictionary:
    if not statements:
        return dictionary
    heads = [head_of(statement, dictionary.symbols) for statement in statements]
    replaced = [_replaced(dictionary.grammar, one) if one.replaces else None for one in heads]
    known = set(dictionary.definitions)
    rules = [_rule(one) if old is None else _instead(one, old, known) for one, old in zip(heads, replaced, strict=True)]
    grammar = dictionary.grammar.extended(rules, without=[old for old in replaced if old is not None])
    found: dict[str, Definition] = {}
    for one, rule, old in zip(heads, rules, replaced, strict=True):
        _refuse_rivals(grammar, one, rule)
        own = grammar if old is None else grammar.extended([old], without=[rule])
        body = read(own, _body_symbol(one), _with_holes(one, one.body), one.statement.source)
        found[rule.name] = Definition(rule.name, rule.symbol, _order(one), body, one.span)
    _refuse_circles(found)
    return Dictionary(grammar, {**dictionary.definitions, **found})


def _rule(one: Head) -> Rule:
    """Return the rule that a definition adds."""
    elements = tuple(_element(one, index) for index in range(len(one.pattern)))
    if all(map(is_symbol, elements)):
        hint = "write a word before or after it, for example `THE START OF @P`"
        raise refusal("bad-definition", "a pattern has no word of its own", one.span, "only parameters", hint)
    symbol = _PLACES.get(one.symbol, (_symbol(one.symbol),))[0]
    return Rule(_name(one), symbol, elements, one.span, defined=True)


def _element(one: Head, index: int) -> str:
    token = one.pattern[index]
    declared = one.parameters.get(token.text[1:]) if token.kind == "input" else None
    if declared is None:
        if token.kind == "input":
            raise _undeclared(one, token)
        return token.key
    outer, inner = _PLACES.get(declared, (_symbol(declared),) * 2)
    return inner if 0 < index < len(one.pattern) - 1 else outer


def _name(one: Head) -> str:
    return " ".join(token.text if token.kind == "input" else token.key for token in one.pattern)


def _order(one: Head) -> tuple[str, ...]:
    """Return the parameters in the order in which the pattern has them."""
    found = tuple(token.text[1:] for token in one.pattern if token.kind == "input")
    for token in one.pattern:
        if token.kind == "input" and found.count(token.text[1:]) > 1:
            message, hint = f"the pattern has `{token.text}` twice", "give the second another name"
            raise refusal("bad-definition", message, one.span, "one parameter in two places", hint)
    for name in one.parameters:
        if name not in found:
            message, hint = f"the pattern has no `@{name}`", "leave it out after WHEN, or write it into the pattern"
            raise refusal("bad-definition", message, one.span, "a parameter is missing here", hint)
    return found


def _undeclared(one: Head, token: Token) -> CepheidError:
    message = f"nothing says what `{token.text}` is"
    hint = f"write `WHEN {token.text} IS A PROCESSOR:` before the pattern"
    return refusal("bad-definition", message, token.span(one.statement.source), "not a parameter", hint)


def _symbol(name: str) -> str:
    return f"<{name.lower()}>"


def _body_symbol(one: Head) -> str:
    return _PLACES.get(one.symbol, (_symbol(one.symbol),) * 2)[1]


def _with_holes(one: Head, tokens: Iterable[Token]) -> tuple[Token, ...]:
    """Return tokens in which the parameters are known to be such."""
    kinds = {name: "hole" + _PLACES.get(symbol, (_symbol(symbol),))[0] for name, symbol in one.parameters.items()}
    return tuple(
        replace(token, kind=kinds[token.text[1:]]) if token.kind == "input" and token.text[1:] in kinds else token
        for token in tokens
    )


def _replaced(grammar: Grammar, one: Head) -> Rule:
    """Return the rule that a definition replaces: the one that reads its pattern so far."""
    tokens = _with_holes(one, one.pattern)
    try:
        derivation = derived(grammar, _body_symbol(one), tokens, one.statement.source)
    except CepheidError:
        raise _nothing_to_replace(one) from None
    node = derivation.root
    while derivation.rule(node).name == SAME and len(derivation.rule(node).elements) == 1:
        (child,) = derivation.children(node)
        if not isinstance(child, tuple):
            raise _nothing_to_replace(one)
        node = child
    rule = derivation.rule(node)
    holes = sum(token.kind.startswith("hole") for token in tokens)
    if len(rule.parts) != holes or rule.name == SAME:
        raise _nothing_to_replace(one)
    return rule


def _instead(one: Head, old: Rule, known: set[str]) -> Rule:
    """Return the rule that stands for another one from now on; what was read before keeps its meaning."""
    name = next(name for times in count(1) if (name := f"{_name(one)} ({times})") not in known)
    known.add(name)
    return replace(old, name=name, origin=one.span, defined=True)


def _nothing_to_replace(one: Head) -> CepheidError:
    message, label = "there is nothing that this replaces", "no rule reads exactly this"
    return refusal("bad-definition", message, one.span, label, "leave out `REPLACE`")


def _refuse_rivals(grammar: Grammar, one: Head, rule: Rule) -> None:
    """Raise where something else reads the pattern of a definition already."""
    derivation = derived(grammar, rule.symbol, _with_holes(one, one.pattern), one.statement.source)
    readers = (derivation.rule(derivation.root), *derivation.rivals(derivation.root))
    for other in readers:
        if other is rule:
            continue
        if other.defined:
            raise _twice(one, rule, other)
        message, label = f"the definition hides what is built in: `{other}`", "this can be read already"
        hint = f"write `REPLACE {head(one.statement.span).text}` to replace it, or use other words"
        raise refusal("hidden-syntax", message, one.span, label, hint)


def _twice(one: Head, rule: Rule, other: Rule) -> CepheidError:
    """Return the error for two definitions of one pattern; where two stand in a text, it points at the second."""
    places = sorted((place for place in (one.span, other.origin) if place is not None), key=lambda place: place.start)
    same = len(places) == 2 and places[0].source == places[1].source
    later, earlier = (places[1], places[0]) if same else (one.span, other.origin or one.span)
    hint = "write `REPLACE` before the second to replace the first, or use other words"
    label = Label(head(earlier), "this definition can read it already")
    return refusal("ambiguous-text", f"two definitions read `{rule}`", later, "the second one", hint, others=[label])


def _refuse_circles(found: Mapping[str, Definition]) -> None:
    """Raise where definitions use each other in a circle; only those of one text can."""
    uses = {name: [use for use in _uses(one.body) if use.name in found] for name, one in found.items()}
    state: dict[str, bool] = {}
    for name in found:
        stack: list[tuple[str, int]] = [(name, 0)] if name not in state else []
        while stack:
            current, index = stack.pop()
            state[current] = index >= len(uses[current])
            if state[current]:
                continue
            stack.append((current, index + 1))
            use = uses[current][index]
            if state.get(use.name) is False:
                raise _circle(found[current], use, found[use.name])
            if use.name not in state:
                stack.append((use.name, 0))


def _uses(part: Part) -> list[Form]:
    match part:
        case Form(parts=parts):
            return [part, *(use for inner in parts for use in _uses(inner))]
        case tuple():
            return [use for inner in part for use in _uses(inner)]
        case _:
            return []


def _circle(one: Definition, use: Form, other: Definition) -> CepheidError:
    message = f"the definition of `{other.name}` comes back to itself"
    label = Label(head(use.span or one.span), f"`{other.name}` is used here")
    hint = "take the use out of the body of one of them"
    return refusal("recursive-definition", message, other.span, "it is defined here", hint, others=[label])


def _query_before_others(statement: Statement) -> CepheidError:
    place: Span = head(statement.span)
    message, label = "a query stands before another statement", "this defines nothing"
    hint = "write the query last, or give it a name: `MY QUERY IS THE PROCESSOR THE FIRST 3 OF @trades.`"
    return refusal("bad-definition", message, place, label, hint)
