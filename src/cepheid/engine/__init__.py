"""Runs a plan in process: operators behind frontiers, with state that can be written down."""

from cepheid.engine.detector import Detector
from cepheid.engine.premises import Excess, Wait
from cepheid.engine.promises import Usage

__all__ = ["Detector", "Excess", "Usage", "Wait"]
