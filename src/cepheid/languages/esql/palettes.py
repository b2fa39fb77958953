"""Palettes that bring grammar: rules, and what makes processors or terms of what they read.

A palette is an object, mostly a module, that the entry point group `cepheid.palettes` names. What it adds to eSQL is in
two of its names:

    ESQL_GRAMMAR = "repeat: <processor> ::= REPEAT ( <processor> ) <number> TIMES"
    ESQL_MAKERS = {"repeat": lambda source, times: source | p.stutter(times)}
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from typing import Final

from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.languages.esql.grammars.definitions import Dictionary
from cepheid.languages.esql.grammars.grammar import BUILT_IN
from cepheid.languages.esql.grammars.rules import Rule, is_symbol, rules_of, words_of
from cepheid.languages.esql.lowering import Maker
from cepheid.languages.shared.findings import listed

__all__ = ["GROUP", "Extension", "extended", "extension_named"]

GROUP: Final = "cepheid.palettes"


@dataclass(frozen=True, slots=True)
class Extension:
    """Rules in the notation of the grammar, and a maker for each name of a rule."""

    name: str
    notation: str
    makers: Mapping[str, Maker]

    def own(self, name: str) -> str:
        """Return the name of a rule among those of all palettes; one that makes nothing has none of its own."""
        return f"{self.name}.{name}" if name in self.makers else name

    @staticmethod
    def of(symbol: str, pattern: str, maker: Maker) -> "Extension":
        """Return the extension that gives one maker a syntax."""
        told = {"FUNCTION": "<primary>"}.get(symbol.upper(), f"<{symbol.lower()}>")
        name = f"own {pattern}".replace(":", " ")
        return Extension(name, f"{name}: {told} ::= {pattern}", {name: maker})


def extension_named(name: str) -> Extension:
    """Return the palette of this name that is installed."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        closest = close_match(name, [*BUILT_IN, *found])
        hint = f"did you mean `{closest}`?" if closest else f"installed are {listed(sorted([*BUILT_IN, *found]))}"
        raise CepheidError(Diagnostic("unknown-palette", f"there is no palette `{name}`", hints=(hint,)))
    palette = found[name].load()
    return Extension(name, getattr(palette, "ESQL_GRAMMAR", ""), getattr(palette, "ESQL_MAKERS", {}))


def extended(dictionary: Dictionary, extension: Extension) -> Dictionary:
    """Return a language with the rules of a palette."""
    for rule in rules_of(extension.notation):
        _check(dictionary, extension, rule)
    rules = [replace(rule, name=extension.own(rule.name)) for rule in rules_of(extension.notation)]
    grammar = dictionary.grammar.extended(rules, reserved=words_of(extension.notation))
    return Dictionary(grammar, dictionary.definitions)


def _check(dictionary: Dictionary, extension: Extension, rule: Rule) -> None:
    """Raise where a rule cannot be read or made."""
    known = dictionary.grammar.by_symbol
    own = {one.symbol for one in rules_of(extension.notation)}
    unknown = [one for one in (rule.symbol, *rule.elements) if is_symbol(one) and one not in known and one not in own]
    if unknown:
        closest = close_match(unknown[0], known) or "<processor>"
        message = f"the grammar has no symbol `{unknown[0]}`, which the palette `{extension.name}` uses"
        raise CepheidError(Diagnostic("unknown-symbol", message, hints=(f"did you mean `{closest}`?",)))
    clash = next((one for one in dictionary.grammar.rules if _is_same(one, rule)), None)
    if clash is not None:
        message = f"the palette `{extension.name}` brings `{rule}`, which is there already"
        raise CepheidError(Diagnostic("hidden-syntax", message, hints=("use other words for it",)))


def _is_same(one: Rule, other: Rule) -> bool:
    return one.symbol == other.symbol and one.elements == other.elements
