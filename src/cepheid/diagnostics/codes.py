"""The stable codes of all errors, each with its title.

A code is registered when something raises it. It keeps its meaning for ever; `pages/<code>.md` explains it.
"""

from typing import Final

codes: Final[dict[str, str]] = {
    "internal": "Cepheid broke one of its own promises",
    "unknown-code": "no error has this code",
}
