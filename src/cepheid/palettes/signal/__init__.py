"""Signals: peaks and plateaus, and values that are let through."""

from cepheid.palettes.signal.limits import limit, threshold
from cepheid.palettes.signal.peaks import peaks
from cepheid.palettes.signal.plateaus import plateau

__all__ = ["limit", "peaks", "plateau", "threshold"]
