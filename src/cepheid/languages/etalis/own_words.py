"""Ways out in the words of ETALIS, where an analysis of all languages names them in its own."""

from typing import Final

from cepheid.analysis.bounds.advice import KEYS, MORE_TIME, RUN, UNTIL, WINDOW, Wordings

ADVICE: Final[Wordings] = {
    WINDOW: "limit how long it may last, for example `(a SEQ b).1 h`",
    MORE_TIME: "allow more time, for example `(a SEQ b).1 h`",
    RUN: "limit the run, for example `(star(a)).1 h`",
    UNTIL: "limit how long it may last, for example `(NOT(c).[a, b]).1 h`",
    KEYS: lambda stream: f"say how many there are: `keys {stream.name} 1000.`",
}
