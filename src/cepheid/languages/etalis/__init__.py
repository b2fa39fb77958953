"""ETALIS: rules over intervals that feed rules, with variables, policies and background knowledge.

    rise(S) <- (stock(S, P1) SEQ stock(S, P2)).20 s WHERE (P2 > 1.2 * P1).

The pages under `tests/spec/etalis` teach it, construct by construct.
"""

from typing import Final

from cepheid.languages.etalis.own_words import ADVICE
from cepheid.languages.etalis.parsing import describe, parse
from cepheid.languages.etalis.printing import show
from cepheid.languages.etalis.remarks import remarks, understood

NAME: Final = "etalis"
EXTENSION: Final = ".etalis"

__all__ = ["ADVICE", "EXTENSION", "NAME", "describe", "parse", "remarks", "show", "understood"]
