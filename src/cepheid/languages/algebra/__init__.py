"""The event detection algebra of Carlson and Lisper, with filters, keys and values.

    Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)

The pages under `tests/spec/algebra` teach it, operator by operator.
"""

from typing import Final

from cepheid.languages.algebra.own_words import ADVICE
from cepheid.languages.algebra.parsing import describe, parse
from cepheid.languages.algebra.printing import show

NAME: Final = "algebra"
EXTENSION: Final = ".alg"

__all__ = ["ADVICE", "EXTENSION", "NAME", "describe", "parse", "show"]
