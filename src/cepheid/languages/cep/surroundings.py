"""What a text is read with: what it leaves open is decided by whoever gives it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cepheid.algebra.programs import Ties
from cepheid.algebra.relations import Ticks
from cepheid.languages.cep.tables import Rows
from cepheid.languages.shared.files import Resolve


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The ticks that a lone number counts, what holds for ties, the rows of tables, and where files are."""

    time_unit: Ticks = 1
    ties: Ties = Ties.SIMULTANEOUS
    tables: Mapping[str, Rows] = field(default_factory=dict)
    resolve: Resolve | None = None
