"""Runs a plan in process: operators behind frontiers, with state that can be written down."""

from cepheid.engine.detector import Detector

__all__ = ["Detector"]
