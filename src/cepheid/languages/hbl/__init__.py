"""HBL, the Happened-Before Language of Damodaran and Guttman: watchpoints with bounded latency.

    watchpoint slow { window 5 s; main = ask letting n = number -> answer[number == n]; }

The pages under `tests/spec/hbl` teach it.
"""

from typing import Final

from cepheid.languages.hbl.own_words import in_own_words
from cepheid.languages.hbl.parsing import describe, parse, remarks, understood
from cepheid.languages.hbl.printing import show

NAME: Final = "hbl"
EXTENSION: Final = ".hbl"

__all__ = ["EXTENSION", "NAME", "describe", "in_own_words", "parse", "remarks", "show", "understood"]
