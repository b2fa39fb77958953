"""Signals: peaks and plateaus, and values that are let through."""

from cepheid.palettes.signal.esql import ESQL_GRAMMAR, ESQL_MAKERS
from cepheid.palettes.signal.limits import limit, threshold
from cepheid.palettes.signal.peaks import peaks
from cepheid.palettes.signal.plateaus import plateau

__all__ = ["ESQL_GRAMMAR", "ESQL_MAKERS", "limit", "peaks", "plateau", "threshold"]
