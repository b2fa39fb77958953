"""What it takes to read eSQL: our chart over a grammar that grows, beside lark rebuilt for the same rules.

    python -m benchmarks.esql_parsing

Processor time of one core, the least of several runs.
"""

from collections.abc import Callable
from time import process_time

from lark import Lark
from lark.exceptions import LarkError

from cepheid.languages.esql.grammars.definitions import Dictionary, loaded
from cepheid.languages.esql.grammars.grammar import BUILT_IN, Grammar, built_in
from cepheid.languages.esql.grammars.rules import is_literal, is_symbol

DEFINITIONS = 100
QUERY = (
    "SELECT a + b * 2 AS c, SUM(d) AS e FROM THE K99 OF (THE K55 OF @trades BY 3) BY 4 AS x "
    "JOIN u AS y ON x.a = y.a WHERE x.a > 3 AND y.b < 2 * (c - 1) GROUP BY a"
)
KINDS = {
    "%word": "/[a-zA-Z_]\\w*/",
    "%quoted": "/`[^`]+`/",
    "%number": "/[0-9]+(\\.[0-9]+)?/",
    "%string": "/'[^']*'/",
    "%input": "/@\\w+/",
    "%slot": "/\\$\\w+/",
}


def definitions(number: int) -> str:
    """A text with so many definitions, most of which use the one before."""
    return "\n".join(map(_definition, range(number)))


def _definition(index: int) -> str:
    start = f"WHEN @P IS A PROCESSOR, @N IS A NUMBER: THE K{index} OF @P BY @N IS THE PROCESSOR "
    if index % 7:
        inner = f"TRIM @N OF THE K{index - 1} OF @P BY @N"
        return f"{start}GET (COMBINE * WITH ADDITION) FROM ({inner}) ON A WINDOW OF {index + 2}."
    return f"{start}SELECT a + b * {index} AS c FROM @P WHERE a > @N."


def lark_grammar(grammar: Grammar) -> str:
    """The same rules as lark writes them."""
    lines = []
    for symbol in dict.fromkeys(rule.symbol for rule in grammar.rules):
        ways = [" ".join(map(_element, rule.elements)) for rule in grammar.rules if rule.symbol == symbol]
        lines.append(f"{_symbol(symbol)}: {' | '.join(dict.fromkeys(ways))}")
    terminals = [f"{kind[1:].upper()}.-1: {pattern}" for kind, pattern in KINDS.items()]
    return "\n".join([*lines, *terminals, "%ignore /\\s+/"])


def _symbol(symbol: str) -> str:
    return symbol[1:-1].replace("-", "_")


def _element(element: str) -> str:
    if is_symbol(element):
        return _symbol(element)
    return f'"{element}"' + ("i" if element.isalpha() else "") if is_literal(element) else element[1:].upper()


def least(run: Callable[[], object], times: int = 5) -> float:
    """The least processor time of a few runs, in milliseconds."""
    found = []
    for _ in range(times):
        begun = process_time()
        run()
        found.append(process_time() - begun)
    return min(found) * 1000


def main() -> None:
    """Print the figures."""
    base, text = Dictionary(built_in(*BUILT_IN), {}), definitions(DEFINITIONS)
    grown, _ = loaded(base, text, "definitions")
    print(f"chart: {DEFINITIONS} definitions loaded in {least(lambda: loaded(base, text, 'definitions')):.0f} ms")
    print(f"chart: a query after them read in {least(lambda: loaded(grown, QUERY, 'query')):.1f} ms")
    notation = lark_grammar(grown.grammar)
    earley = {"parser": "earley", "start": "processor", "lexer": "dynamic"}
    print(f"lark, Earley: rebuilt in {least(lambda: Lark(notation, **earley), 3):.0f} ms")
    reader = Lark(notation, **earley)
    try:
        print(f"lark, Earley: the query read in {least(lambda: reader.parse(QUERY), 3):.0f} ms")
    except LarkError as error:
        print(f"lark, Earley: the query is not read: {type(error).__name__}")
    try:
        print(f"lark, LALR: rebuilt in {least(lambda: Lark(notation, parser='lalr', start='processor'), 1):.0f} ms")
    except LarkError as error:
        print(f"lark, LALR: refused, {str(error).splitlines()[0]}")


if __name__ == "__main__":
    main()
