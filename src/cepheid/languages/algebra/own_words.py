"""Ways out in the words of the event detection algebra, where an analysis of all languages names them in its own."""

from typing import Final

from cepheid.analysis.bounds.advice import KEYS, RUN, UNTIL, WINDOW, Wordings

_ADD_A_WINDOW = "add a window, for example `within 1 h`"
ADVICE: Final[Wordings] = {
    WINDOW: _ADD_A_WINDOW,
    RUN: _ADD_A_WINDOW,
    UNTIL: _ADD_A_WINDOW,
    KEYS: lambda stream: f"say how many there are: `keys {stream.name} 1000`",
}
