"""How eSQL says the processors of this palette."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cepheid.palettes.signal.limits import limit, threshold
from cepheid.palettes.signal.peaks import peaks
from cepheid.palettes.signal.plateaus import plateau

ESQL_GRAMMAR: Final = """
peaks: <processor> ::= THE PEAKS OF <processor> BY <number>
plateaus: <processor> ::= THE PLATEAUS OF <processor> BY <number> WITHIN <number>
threshold: <processor> ::= THE VALUES ABOVE <number> OF <processor>
at_most_one: <processor> ::= AT MOST ONE IN <number> OF <processor>
"""

ESQL_MAKERS: Final[Mapping[str, Callable[..., Any]]] = {
    "peaks": lambda source, width: source | peaks(width),
    "plateaus": lambda source, width, spread: source | plateau(width, spread),
    "threshold": lambda least, source: source | threshold(least),
    "at_most_one": lambda number, source: source | limit(number),
}
