"""Random texts of eSQL, out of its own grammar: every rule is used."""

from random import Random

from cepheid.languages.esql.grammars.definitions import Dictionary, loaded
from cepheid.languages.esql.grammars.grammar import BUILT_IN, Grammar, built_in
from cepheid.languages.esql.grammars.rules import Rule, is_literal, is_symbol
from cepheid.languages.esql.grammars.syntax import Part

BASE = Dictionary(built_in(*BUILT_IN), {})
NAMES = ("a", "b", "price", "x", "u", "g", "first", "time", "größe")
SMALL = 6


def read(text: str, dictionary: Dictionary = BASE) -> Part | None:
    """What the query of a text is."""
    return loaded(dictionary, text, "<query>")[1]


def sentence(grammar: Grammar, random: Random, symbol: str = "<processor>", levels: int = 5) -> str:
    """A random text that a symbol derives."""
    rules = [rule for rule in grammar.by_symbol[symbol] if rule.name != "hole"]
    if levels <= 0:
        least = min(_weight(grammar, rule) for rule in rules)
        rules = [rule for rule in rules if _weight(grammar, rule) <= least + (symbol == "<primary>")]
    return text_of(grammar, random.choice(rules), random, levels)


def text_of(grammar: Grammar, rule: Rule, random: Random, levels: int = 0) -> str:
    """A random text that a rule derives."""
    return " ".join(_element(grammar, random, element, levels - 1) for element in rule.elements).replace(" . ", ".")


def _element(grammar: Grammar, random: Random, element: str, levels: int) -> str:
    if is_symbol(element):
        return sentence(grammar, random, element, levels)
    return element if is_literal(element) else _TOKENS[element](random)


_TOKENS = {
    "%word": lambda random: random.choice(NAMES),
    "%quoted": lambda random: random.choice(("`two words`", "`select`", "`A`")),
    "%number": lambda random: random.choice(("0", "1", "3", "2.5", "1e3")),
    "%string": lambda random: random.choice(("'x'", '"it""s"', "''", "'a''b'")),
    "%input": lambda random: random.choice(("@trades", "@P")),
    "%slot": lambda random: random.choice(("$0", "$A")),
}

_weights: dict[tuple[int, int], int] = {}


def _weight(grammar: Grammar, rule: Rule) -> int:
    """How deep the shallowest text of a rule is."""
    if (id(grammar), id(rule)) not in _weights:
        _weights.update({(id(grammar), id(one)): depth for one, depth in _depths(grammar).items()})
    return _weights[id(grammar), id(rule)]


def _depths(grammar: Grammar) -> dict[Rule, int]:
    symbols: dict[str, int] = {}
    for depth in range(1, 40):
        for symbol, rules in grammar.by_symbol.items():
            ready = [rule for rule in rules if rule.name != "hole" and _is_ready(rule, symbols, depth)]
            if ready:
                symbols.setdefault(symbol, depth)
    return {
        rule: 1 + max((symbols[one] for one in rule.elements if is_symbol(one)), default=0) for rule in grammar.rules
    }


def _is_ready(rule: Rule, symbols: dict[str, int], depth: int) -> bool:
    return all(symbols.get(one, depth) < depth for one in rule.elements if is_symbol(one))


def random_definitions(random: Random, number: int) -> str:
    """Definitions of several symbols, each with a pattern of its own, and some that use those before."""
    return "\n".join(_definition(random, index) for index in range(number))


def _definition(random: Random, index: int) -> str:
    grammar = BASE.grammar
    body = sentence(grammar, random, levels=3)
    earlier = f"THE K{random.randrange(index)} OF " if index else "FREEZE "
    return random.choice(
        (
            f"WHEN @P IS A PROCESSOR: THE K{index} OF @P IS THE PROCESSOR TRIM 2 OF (@P).",
            f"WHEN @Q IS A PROCESSOR, @N IS A NUMBER: THE K{index} OF @Q IS THE PROCESSOR ({body}). ".replace(
                ", @N IS A NUMBER", ""
            ),
            f"WHEN @F IS A FUNCTION: BUMPED{index} @F IS THE FUNCTION @F + {index}. "
            f"WHEN @P IS A PROCESSOR: THE K{index} OF @P IS THE PROCESSOR FREEZE (@P).",
            f"LIMIT{index} IS THE NUMBER {index}.5. WHEN @P IS A PROCESSOR: THE K{index} OF @P IS THE PROCESSOR "
            f"TRIM LIMIT{index} OF ({earlier}@P).",
            f"WHEN @P IS A PROCESSOR, @F IS A FUNCTION: @P KEPT{index} IF @F IS THE PROCESSOR (@P) WHERE @F. "
            f"WHEN @P IS A PROCESSOR: THE K{index} OF @P IS THE PROCESSOR FREEZE (@P).",
        )
    )
