"""HBL, the Happened-Before Language of Damodaran and Guttman: watchpoints with bounded latency.

    watchpoint slow { window 5 s; main = ask letting n = number -> answer[number == n]; }

The pages under `tests/spec/hbl` teach it.
"""

from typing import Final

from cepheid.languages.hbl.own_words import ADVICE
from cepheid.languages.hbl.parsing import describe, parse, remarks, understood
from cepheid.languages.hbl.printing import show

NAME: Final = "hbl"
EXTENSION: Final = ".hbl"

__all__ = ["ADVICE", "EXTENSION", "NAME", "describe", "parse", "remarks", "show", "understood"]
