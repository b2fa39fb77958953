"""PARTElang: rules over events with windows and absences, whose memory is bounded before they run.

    rule ClosedAfterTransfer where
      t : MoneyTransferred {}
      c : AccountClosed { account_id = t.originator }
    when c in t [0 days, 1 day]
    then emit Flag at c.timestamp with { account = t.originator }

The pages under `tests/spec/parte` teach it, construct by construct.
"""

from typing import Final

from cepheid.languages.parte.drawing import draw
from cepheid.languages.parte.join_graph import JoinGraph
from cepheid.languages.parte.parsing import describe, parse, remarks, templates, understood
from cepheid.languages.parte.printing import show
from cepheid.languages.parte.viable_beside import viable_sizes
from cepheid.languages.parte.viable_sizes import minimum_viable_sizes

NAME: Final = "parte"
EXTENSION: Final = ".parte"

__all__ = [
    "EXTENSION",
    "NAME",
    "JoinGraph",
    "describe",
    "draw",
    "minimum_viable_sizes",
    "parse",
    "remarks",
    "show",
    "templates",
    "understood",
    "viable_sizes",
]
