"""Ways out in the words of HBL, where an analysis of all languages names them in its own."""

from typing import Final

from cepheid.analysis.bounds.advice import KEYS, MORE_TIME, RULE, RUN, UNTIL, WINDOW, Wordings

ADVICE: Final[Wordings] = {
    RULE: "watchpoint",
    WINDOW: "add a window: `window 10 minutes;`",
    MORE_TIME: "allow more time: `window 1 hours;`",
    RUN: "add a window: `window 10 minutes;`",
    UNTIL: "add a window: `window 10 minutes;`",
    KEYS: lambda stream: f"say how many there are: `stream {stream.name} keys 1000;`",
}
