"""The stable codes of all errors, each with its title.

A code is registered when something raises it. It keeps its meaning for ever; `pages/<code>.md` explains it.
"""

from typing import Final

codes: Final[dict[str, str]] = {
    "bad-duration": "a text or number is not a length of time",
    "bad-interval": "an event would end before it starts",
    "bad-time": "a text or number is not a point in time",
    "bad-trace": "a trace is not in the notation",
    "frontier-moved-back": "a source took back its promise about what is still to come",
    "internal": "Cepheid broke one of its own promises",
    "unknown-code": "no error has this code",
    "wrong-kind": "a field holds something other than its schema says",
}
