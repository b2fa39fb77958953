"""Linear temporal logic as processors: over traces of truths, over formulas, over collections.

`globally`, `eventually`, `next_` and `until` give the verdict of each position once it is known; `always`, `sometime`,
`after` and `up_to` say after each value what is known about the first position.
"""

from cepheid.palettes.temporal.claims import knowledge, verdict
from cepheid.palettes.temporal.quantifiers import every, exists, for_all, some
from cepheid.palettes.temporal.truths import after, always, eventually, globally, next_, sometime, until, up_to

__all__ = [
    "after",
    "always",
    "eventually",
    "every",
    "exists",
    "for_all",
    "globally",
    "knowledge",
    "next_",
    "some",
    "sometime",
    "until",
    "up_to",
    "verdict",
]
